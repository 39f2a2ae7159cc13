import { formatPence } from '../../data/record/amount.ts';
import { recordKey } from '../../data/record/product.ts';
import type { GateResult, NoticeSummary } from '../../data/report/report.ts';
import type { GateSettings } from '../config/config.ts';
import type { Catalogue } from '../deals/catalogue-deals.ts';
import type { CatalogueRecords } from '../records/join-records.ts';
import { groupBy } from '../source/record.ts';
import { Drift, EXTRAS, type FeedComparison } from './compare-feed.ts';
import { MIN_MISLED, NEARLY_ALL, type BuildContext } from './gates.ts';
import { formatPercent, medianOf, widenTolerance, writeCount } from './limits.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MIN_RIVALS } from './price-jumps.ts';
import type { ServedProduct } from './served-deals.ts';
import { findServedSource, type ServedSnapshot } from './served-snapshot.ts';

/** A price that moves by so much has moved. */
const MIN_MOVE = 0.1;

/** On no ordinary day have so many deals of a part another price, or most another link, at all. */
const MAX_REPRICED = 1 / 3;
const MAX_MOST = 0.5;
/** Nor have so many another gift or cashback, or one and had none; nor has a retailer so many new deals. */
const MAX_OTHER = 0.25;

/** A cheapest deal that falls by so much, in so many products, may be an error. */
const MIN_FALL = 0.25;
const MAX_FALLEN_SHARE = 0.05;
const MAX_FALLEN = 2;
/** The same for a fall by a penny. */
const MAX_FALLEN_AT_ALL = 0.1;

/** So many sentences of a kind are listed, and the others counted. */
const MAX_LISTED = 3;

type SaySettings = Pick<GateSettings, 'minRows' | 'maxSaid'>;

/** A feed that was judged. */
interface SaidFeed {
  readonly feed: string;
  readonly comparison: FeedComparison;
  /** The maker and the condition of each deal now. */
  readonly labelsOf: (row: number) => readonly string[];
  readonly gates: readonly GateResult[];
}

/**
 * What a build says below the limits of its gates (INPUTS "Said is what may be a real change and may be an error"): nothing
 * is held for it, and the exit status is 4. It collects from the feeds, and speaks when it has seen all.
 */
export class Sayings {
  /** Of the same deals that are served: by feed, `retailer tello`, `network o2`, `maker apple`, `new phones`. */
  readonly #drifts = new Map<string, Drift>();
  /** How many deals before have `retailer tello` and the like in feeds that were read, without those of held parts. */
  readonly #countsBefore = new Map<string, number>();
  /** How many deals of `retailer tello` have a key that is new. */
  readonly #newDeals = new Map<string, number>();
  /** How many prices of each feed were taken that had jumped. */
  readonly #taken = new Map<string, number>();
  readonly #feeds: string[] = [];

  addFeed({ feed, comparison, labelsOf, gates }: SaidFeed): void {
    const { heldOut } = comparison.deals;
    this.#feeds.push(feed);
    for (const cell of comparison.cells.filter(({ holding }) => holding === undefined)) {
      const suppliers = [`retailer ${cell.retailer}`, `network ${cell.network}`];
      for (const name of suppliers) {
        // What the gate of losses says is not said again.
        if (!gates.some(({ gate }) => gate === `lost:${feed}`)) count(this.#countsBefore, name, cell.before.length);
      }
      const isNew = (row: number): boolean => comparison.rowBefore(row) === -1 && !heldOut.has(row);
      count(this.#newDeals, `retailer ${cell.retailer}`, cell.now.filter(isNew).length);
      const rows = cell.now.filter((row) => {
        const rowBefore = comparison.rowBefore(row);
        return rowBefore !== -1 && !heldOut.has(row) && comparison.cellBefore(rowBefore)?.holding === undefined;
      });
      for (const name of [feed, ...suppliers]) this.#addDrift(name, comparison, rows);
      for (const [name, group] of groupBy(rows, labelsOf)) this.#addDrift(name, comparison, group);
    }
  }

  #addDrift(name: string, comparison: FeedComparison, rows: readonly number[]): void {
    const drift = this.#drifts.get(name) ?? new Drift();
    this.#drifts.set(name, drift);
    comparison.addTo(drift, rows);
  }

  addTaken(feed: string): void {
    count(this.#taken, feed);
  }

  list(catalogue: Catalogue, { served, ledger, config }: BuildContext): readonly string[] {
    const notices = this.#feeds.flatMap((feed) => ledger.noticesOf(feed));
    const heldOut = new Map<string, number>();
    /** How many records have an unknown name: by `retailer "FoneHut UK"`. */
    const unknown = new Map<string, number>();
    for (const { code, source, found } of notices) {
      if (code === 'price-jump') count(heldOut, source);
      if (code === 'unknown-retailer') count(unknown, `retailer ${JSON.stringify(found)}`);
      if (code === 'unknown-network') count(unknown, `network ${JSON.stringify(found)}`);
    }
    return [
      ...this.#feeds.flatMap((feed) => sayJumps(feed, heldOut.get(feed), this.#taken.get(feed))),
      ...sayWhatDrifted(this.#drifts, config.gates),
      ...this.#feeds.flatMap((feed) => sayTotals(feed, ledger, served)),
      ...(served.kind === 'known' ? sayWhatFell(served.cheapest, catalogue) : []),
      ...sayWhatCame(this.#countsBefore, this.#newDeals, config.gates),
      ...sayWhatIsGone(this.#countsBefore, catalogue, unknown),
    ];
  }
}

function count(counts: Map<string, number>, name: string, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

function sayJumps(feed: string, heldOut: number | undefined, taken: number | undefined): readonly string[] {
  const until = 'until another file says it again after 20 hours';
  return [
    ...(heldOut === undefined ? [] : [`Held out: ${heldOut} deals of ${feed} whose price jumped, ${until}`]),
    ...(taken === undefined ? [] : [`Taken: ${taken} deals of ${feed} whose price had jumped`]),
  ];
}

/** Where the totals of so many more deals of a feed are no sums, one of their amounts may be wrong. */
const MAX_MORE_MISMATCHES = 0.03;

function sayTotals(feed: string, ledger: Ledger, served: ServedSnapshot): readonly string[] {
  if (served.kind !== 'known' || findServedSource(served, feed) === undefined) return [];
  const { kept } = ledger.account(feed);
  const count = ledger.noticesOf(feed).filter(({ code }) => code === 'total-mismatch').length;
  const isSame = (each: NoticeSummary): boolean => each.source === feed && each.code === 'total-mismatch';
  const before = served.report.notices.find(isSame)?.count ?? 0;
  if (!isMany(count - before, kept, MAX_MORE_MISMATCHES)) return [];
  const counts = `${writeCount(count)} of ${writeCount(kept)} deals of ${feed}, ${writeCount(before)} before`;
  return [`Totals: upfront + monthly x months is not the total of ${counts}`];
}

/**
 * Of each kind the sentences about the largest groups come first.
 * @param drifts by the name of a group
 */
export function sayWhatDrifted(drifts: ReadonlyMap<string, Drift>, settings: SaySettings): readonly string[] {
  const large = [...drifts]
    .filter(([, drift]) => drift.count >= settings.minRows)
    .sort(([, a], [, b]) => b.count - a.count);
  return SAYINGS.flatMap((say, i) => {
    const groups = i === 0 ? large : large.filter(([name]) => !isPhone(name));
    const sentences = groups.map(([name, drift]) => say(drift, name, settings)).filter((each) => each !== undefined);
    const listed = sentences.slice(0, MAX_LISTED);
    const more = sentences.length - listed.length;
    return more === 0 ? listed : [...listed.slice(0, -1), `${listed.at(-1)}; ${more} more like it`];
  });
}

/** Each says one thing of a group; undefined where there is nothing to say. */
const SAYINGS: readonly ((drift: Drift, name: string, settings: SaySettings) => string | undefined)[] = [
  ({ count, steps }, name, { maxSaid }) => {
    const far = steps.filter((step) => Math.abs(step) >= MIN_MOVE);
    // A shop may sell a phone cheaper on any day.
    if (isMany(far.length, count, isPhone(name) ? MAX_REPRICED : maxSaid)) {
      return `Prices: ${countSame(far.length, count, name)} cost ${formatPercent(MIN_MOVE)} less or more, ${writeMiddle(far)}`;
    }
    if (isPhone(name) || !isMany(steps.length, count, MAX_REPRICED)) return undefined;
    return `Prices: ${countSame(steps.length, count, name)} have another price, ${writeMiddle(steps)}`;
  },
  ({ count, changed: { offer } }, name, { maxSaid }) =>
    isMany(offer, count, maxSaid)
      ? `Offers: ${countSame(offer, count, name)} are for another phone, network, length or allowance`
      : undefined,
  ({ count, changed: { plan } }, name, { maxSaid }) =>
    isMany(plan, count, maxSaid) ? `Plans: ${countSame(plan, count, name)} have another name` : undefined,
  ({ count, changed: { link, takenLink, commonLink } }, name, { maxSaid }) => {
    if (takenLink >= MIN_MISLED) return `Links: ${countSame(takenLink, count, name)} have the link of another deal`;
    if (isMany(commonLink, count, maxSaid)) return `Links: ${countSame(link, count, name)} have one new link`;
    return isMany(link, count, MAX_MOST) ? `Links: ${countSame(link, count, name)} have another link` : undefined;
  },
  ...EXTRAS.map((extra) => (drift: Drift, name: string, { minRows }: SaySettings) => {
    const { had, changed, ended, begun } = drift.countExtra(extra);
    if (had < minRows / 2) return undefined;
    const ofAll = `of ${writeCount(had)} ${extra}s of ${name}`;
    if (isSeller(name) && ended > had * NEARLY_ALL) {
      return `Gifts: ${writeCount(ended)} ${ofAll} have ended`;
    }
    if (isMany(begun, drift.count, MAX_OTHER)) {
      return `Gifts: ${countSame(begun, drift.count, name)} have a ${extra}, and had none`;
    }
    return isMany(changed, had, MAX_OTHER) ? `Gifts: ${writeCount(changed)} ${ofAll} are others` : undefined;
  }),
];

/** Whether a group is a feed, whose name has no space, or a retailer: their offers end at once, those of others one by one. */
function isSeller(name: string): boolean {
  return name.startsWith('retailer ') || !name.includes(' ');
}

function isPhone(name: string): boolean {
  return name.startsWith('phone ');
}

function isMany(count: number, whole: number, share: number): boolean {
  return count > whole * widenTolerance(share, whole);
}

function countSame(part: number, count: number, name: string): string {
  return `${writeCount(part)} of ${writeCount(count)} same deals of ${name}`;
}

/** `31 % less in the middle` */
function writeMiddle(steps: readonly number[]): string {
  const middle = medianOf(steps.toSorted((a, b) => a - b));
  return `${formatPercent(Math.abs(middle))} ${middle < 0 ? 'less' : 'more'} in the middle`;
}

/** The products whose cheapest deal fell. */
export function sayWhatFell(
  before: ReadonlyMap<string, ServedProduct>,
  { records, deals }: Catalogue,
): readonly string[] {
  const shares = records.products.flatMap(({ record }, row) => {
    const [first, end] = [deals.rangeStart[row] as number, deals.rangeStart[row + 1] as number];
    const { totalPence = 0 } = before.get(recordKey(record)) ?? {};
    return first === end || totalPence === 0 ? [] : [(deals.totalPence[first] as number) / totalPence - 1];
  });
  // Far in few phones, or at all in many.
  for (const [least, share] of [
    [MIN_FALL, MAX_FALLEN_SHARE],
    [Number.EPSILON, MAX_FALLEN_AT_ALL],
  ] as const) {
    const falls = shares.filter((each) => each <= -least);
    if (falls.length <= Math.max(MAX_FALLEN, shares.length * share)) continue;
    const by = least === MIN_FALL ? ` by ${formatPercent(MIN_FALL)} or more,` : '';
    const middle = -medianOf(falls.toSorted((a, b) => b - a));
    return [
      `Prices: the cheapest deal of ${writeCount(falls.length)} of ${writeCount(shares.length)} phones fell${by} by ${formatPercent(middle)} in the middle`,
    ];
  }
  return [];
}

/** The retailers with many new deals: a price list that is old, or not for everyone, may be among them. */
function sayWhatCame(
  before: ReadonlyMap<string, number>,
  newDeals: ReadonlyMap<string, number>,
  { minRows }: SaySettings,
): readonly string[] {
  return [...newDeals].flatMap(([name, count]) => {
    const had = before.get(name) ?? 0;
    if (had < minRows || !isMany(count, had, MAX_OTHER)) return [];
    return [`New: ${writeCount(count)} deals of ${name}, which had ${writeCount(had)}`];
  });
}

/**
 * The retailers and networks that had deals and have none, though no part of a feed is held: too few to judge.
 * @param before by `retailer tello` or `network o2`, how many deals of before are not held
 * @param unknown by `retailer <name>`, how many records have an unknown name
 */
function sayWhatIsGone(
  before: ReadonlyMap<string, number>,
  { records, deals }: Catalogue,
  unknown: ReadonlyMap<string, number>,
): readonly string[] {
  const rowsNow = { retailer: new Set(deals.retailer), network: new Set(deals.plans.map(({ network }) => network)) };
  return (['retailer', 'network'] as const).flatMap((kind) => {
    const [most] = [...unknown].filter(([name]) => name.startsWith(kind)).sort((a, b) => b[1] - a[1]);
    return records[`${kind}s`].flatMap(({ record }, row) => {
      const name = `${kind} ${record.slug}`;
      const count = before.get(name) ?? 0;
      if (rowsNow[kind].has(row) || count < MIN_MISLED) return [];
      const isCause = most !== undefined && most[1] >= count / 2;
      const cause = isCause ? `; ${writeCount(most[1])} records have the unknown ${most[0]}` : '';
      return [`Gone: ${name} had ${writeCount(count)} deals and has none${cause}`];
    });
  });
}

/**
 * The phones whose pictures are others in most, or those that another phone had.
 * @param images the pictures of each product now
 */
export function sayPictures(
  served: ServedSnapshot,
  { products }: CatalogueRecords,
  images: readonly object[],
): readonly string[] {
  if (served.kind !== 'known') return [];
  const earlier = new Set(served.pictures.values());
  const changed = products.flatMap(({ record }, row) => {
    const [before, now] = [served.pictures.get(recordKey(record)), JSON.stringify(images[row])];
    return before === undefined || before === now ? [] : [now];
  });
  const taken = changed.filter((now) => now !== '{}' && earlier.has(now)).length;
  if (taken >= MIN_MISLED) return [`Pictures: ${taken} phones have the pictures of another`];
  return isMany(changed.length, served.pictures.size, MAX_MOST)
    ? [`Pictures: ${changed.length} of ${served.pictures.size} phones have others`]
    : [];
}

const MAX_EXTREMES = 10;

/** What a first build says, which has nothing to compare with: its cheapest deals against the median of their phones. */
export function listExtremes({ records, deals }: Catalogue): readonly string[] {
  const cheapest = records.products.flatMap(({ record }, row) => {
    const [first, end] = [deals.rangeStart[row] as number, deals.rangeStart[row + 1] as number];
    if (end - first < MIN_RIVALS) return [];
    const totals = deals.totalPence.subarray(first, end);
    return [{ record, row: first, share: (totals[0] as number) / Math.max(1, medianOf(totals)) }];
  });
  if (cheapest.length === 0) return [];
  return [
    'a first build has nothing to compare with; the cheapest deals against the median of their phones:',
    ...cheapest
      .sort((a, b) => a.share - b.share)
      .slice(0, MAX_EXTREMES)
      .map(({ record, row, share }) => {
        const { source, file, line } = deals.originAt(row);
        return `  ${formatPence(deals.totalPence[row] as number)} for ${recordKey(record)} ${JSON.stringify(record.name)}, ${formatPercent(share)} of the median (${source}, ${file}:${line})`;
      }),
  ];
}
