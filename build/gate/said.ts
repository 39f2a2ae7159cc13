import { formatPence } from '../../data/record/amount.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Catalogue } from '../records/catalogue.ts';
import type { ServedProduct } from './served-deals.ts';
import { formatPercent, medianOf, widenTolerance, writeCount } from './measure.ts';
import { differs, type DealFacts, type Fact, type SameDeal } from './deal-facts.ts';
import { groupBy } from '../source/record.ts';
import { countExtras, MIN_MISLED } from './part-measures.ts';

/** A price that moves by so much has moved. */
const MIN_MOVE = 0.1;

/** On no ordinary day have most deals of a part another price, or another link, at all. */
const MAX_MOST = 0.5;

/** A cheapest deal that falls by so much, in so many products, may be an error. */
const MIN_FALL = 0.25;
const MAX_FALLEN_SHARE = 0.05;
const MAX_FALLEN = 2;

/** The same deals of a feed, a retailer, a network, a maker or a condition. */
interface Group {
  readonly name: string;
  readonly same: readonly SameDeal[];
}

interface SaySettings {
  readonly minRows: number;
  readonly maxSaid: number;
}

/**
 * Collects what a build says below the limits of its gates (INPUTS "Said is what may be a real change and may be an
 * error"): nothing is held for it, and the exit status is 4.
 */
export class Sayings {
  readonly #groups = new Map<string, SameDeal[]>();
  readonly #settings: SaySettings;

  constructor(settings: SaySettings) {
    this.#settings = settings;
  }

  /**
   * Adds a deal that is served, and was before.
   * @param groups `retailer tello`, `network o2`, …
   */
  add(groups: readonly string[], deal: SameDeal): void {
    for (const name of groups) {
      const group = this.#groups.get(name);
      if (group === undefined) this.#groups.set(name, [deal]);
      else group.push(deal);
    }
  }

  /** The sentences, of each kind those of the largest groups first. */
  list(): readonly string[] {
    const large = Array.from(this.#groups, ([name, same]) => ({ name, same }))
      .filter(({ same }) => same.length >= this.#settings.minRows)
      .sort((a, b) => b.same.length - a.same.length);
    return SAYINGS.flatMap((say) =>
      shorten(large.map((group) => say(group, this.#settings)).filter((sentence) => sentence !== undefined)),
    );
  }
}

/** Each says one thing of a group; undefined where there is nothing to say. */
const SAYINGS: readonly ((group: Group, settings: SaySettings) => string | undefined)[] = [
  (group, { maxSaid }) => {
    const moves = group.same.map(moveOf).filter((move) => move !== 0);
    const far = moves.filter((move) => Math.abs(move) >= MIN_MOVE);
    const count = group.same.length;
    if (isMany(far.length, count, maxSaid)) {
      return `Prices: ${countSame(far.length, group)} cost ${formatPercent(MIN_MOVE)} less or more, ${describeMiddle(far)}`;
    }
    if (!isMany(moves.length, count, MAX_MOST)) return undefined;
    return `Prices: ${countSame(moves.length, group)} have another price, ${describeMiddle(moves)}`;
  },
  (group, { maxSaid }) => {
    const what = 'are for another phone, network, length or allowance';
    return sayDiffering(group, ['product', 'network', 'offer'], maxSaid, 'Offers', what);
  },
  (group, { maxSaid }) => {
    // A network that renames its plans gives them new names.
    const names = new Set(group.same.map(({ before }) => before.plan));
    const taken = group.same.filter((deal) => differs(deal, ['plan']) && names.has(deal.now.plan)).length;
    const count = group.same.length;
    return isMany(taken, count, maxSaid)
      ? `Plans: ${countSame(taken, group)} have the name of another plan`
      : undefined;
  },
  (group) => {
    const taken = group.same.filter(({ hasTakenLink }) => hasTakenLink).length;
    if (taken >= MIN_MISLED) return `Links: ${countSame(taken, group)} have the link of another deal`;
    return sayDiffering(group, ['link'], MAX_MOST, 'Links', 'have another link');
  },
  (group, { minRows, maxSaid }) => {
    const { name, same } = group;
    const { had, changed, ended, begun } = countExtras(same, ['gift', 'cashback']);
    if (had < minRows / 2) return undefined;
    const ofAll = `of ${writeCount(had)} gifts and cashbacks of ${name}`;
    if (name.startsWith('retailer ')) {
      if (ended > had * MAX_MOST) return `Gifts: ${writeCount(ended)} ${ofAll} have ended`;
      if (begun > same.length * MAX_MOST) {
        return `Gifts: ${countSame(begun, group)} have a gift or cashback, and had none`;
      }
    }
    return isMany(changed, had, maxSaid) ? `Gifts: ${writeCount(changed)} ${ofAll} are others` : undefined;
  },
];

/** By which share of its total a deal moved. */
function moveOf({ before, now }: SameDeal): number {
  return before.total === 0 ? 0 : now.total / before.total - 1;
}

function sayDiffering(
  group: Group,
  facts: readonly Fact[],
  limit: number,
  title: string,
  what: string,
): string | undefined {
  const count = group.same.filter((deal) => differs(deal, facts)).length;
  return isMany(count, group.same.length, limit) ? `${title}: ${countSame(count, group)} ${what}` : undefined;
}

function isMany(count: number, whole: number, share: number): boolean {
  return count > whole * widenTolerance(share, whole);
}

function countSame(part: number, { name, same }: Group): string {
  return `${writeCount(part)} of ${writeCount(same.length)} same deals of ${name}`;
}

/** `31 % less in the middle` */
function describeMiddle(moves: readonly number[]): string {
  const middle = medianOf(moves.toSorted((a, b) => a - b));
  return `${formatPercent(Math.abs(middle))} ${middle < 0 ? 'less' : 'more'} in the middle`;
}

const MAX_LISTED = 3;

/** The first of several sentences, and how many more there are. */
function shorten(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MAX_LISTED;
  const listed = sentences.slice(0, MAX_LISTED);
  return more <= 0 ? listed : [...listed.slice(0, -1), `${listed.at(-1)}; ${more} more like it`];
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
  const falls = shares.filter((share) => share <= -MIN_FALL);
  if (falls.length <= Math.max(MAX_FALLEN, shares.length * MAX_FALLEN_SHARE)) return [];
  const middle = -medianOf(falls.toSorted((a, b) => b - a));
  return [
    `Prices: the cheapest deal of ${writeCount(falls.length)} of ${writeCount(shares.length)} phones fell by ${formatPercent(MIN_FALL)} or more, by ${formatPercent(middle)} in the middle`,
  ];
}

/**
 * The retailers and networks that had deals and have none, though no part of a feed is held: too few to judge.
 * @param before the deals before whose parts are not held
 * @param unknown by `retailer <name>`, how many records have an unknown name
 */
export function sayWhatIsGone(
  before: readonly DealFacts[],
  { records, deals }: Catalogue,
  unknown: ReadonlyMap<string, number>,
): readonly string[] {
  const rowsNow = {
    retailer: new Set(deals.retailer),
    network: new Set(deals.plans.map(({ network }) => network)),
  };
  return (['retailer', 'network'] as const).flatMap((kind) => {
    const dealsOf = groupBy(before, (deal) => [deal[kind]]);
    return records[`${kind}s`].flatMap(({ record }, row) => {
      const count = dealsOf.get(record.id)?.length ?? 0;
      if (rowsNow[kind].has(row) || count < MIN_MISLED) return [];
      const [name, rows] = [...unknown].filter(([key]) => key.startsWith(kind)).sort((a, b) => b[1] - a[1])[0] ?? [
        '',
        0,
      ];
      const cause = rows >= count / 2 ? `; ${writeCount(rows)} records have the unknown ${name}` : '';
      return [`Gone: ${kind} ${record.slug} had ${writeCount(count)} deals and has none${cause}`];
    });
  });
}

/** Fewer deals than this say little about what a product costs. */
const MIN_RIVALS = 5;
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
