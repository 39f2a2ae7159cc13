import { formatPence } from '../../data/record/amount.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Catalogue } from '../records/catalogue.ts';
import type { ServedProduct } from './served-deals.ts';
import { formatPercent, medianOf, widenTolerance, writeCount } from './measure.ts';
import { ExtraCounter } from './part-measures.ts';

/** A price that moves by so much has moved. */
const MIN_MOVE = 0.1;

/** On no ordinary day have most deals of a part another price at all. */
const MAX_REPRICED = 0.5;

/** A cheapest deal that falls by so much, in so many products, may be an error. */
const MIN_FALL = 0.25;
const MAX_FALLEN_SHARE = 0.05;
const MAX_FALLEN = 2;

/** Most gifts or cashbacks of a retailer are gone. */
const MAX_ENDED = 0.5;

/** The same deals of a feed, a retailer, a network, a maker or a condition: what moved. */
class Group {
  count = 0;
  offers = 0;
  readonly extras = new ExtraCounter();
  /** Of every deal that has another price: by which share it moved. */
  readonly moves: number[] = [];
}

/** A deal under the key of a deal before, both served. */
export interface SamePair {
  /** `retailer tello`, `network o2`, …: the groups to which it belongs. */
  readonly groups: readonly string[];
  readonly totalBefore: number;
  readonly total: number;
  readonly isOtherOffer: boolean;
  /** A number for its gift and cashback before and now; 0 for none. */
  readonly extraBefore: number;
  readonly extra: number;
}

/**
 * Collects what a build says below the limits of its gates (INPUTS "Said is what may be a real change and may be an
 * error"): nothing is held for it, and the exit status is 4.
 */
export class Sayings {
  readonly #groups = new Map<string, Group>();
  readonly #minRows: number;
  readonly #maxSaid: number;

  constructor({ minRows, maxSaid }: { readonly minRows: number; readonly maxSaid: number }) {
    this.#minRows = minRows;
    this.#maxSaid = maxSaid;
  }

  add({ groups, totalBefore, total, isOtherOffer, extraBefore, extra }: SamePair): void {
    const move = totalBefore === 0 ? 0 : total / totalBefore - 1;
    for (const name of groups) {
      let group = this.#groups.get(name);
      if (group === undefined) this.#groups.set(name, (group = new Group()));
      group.count++;
      if (move !== 0) group.moves.push(move);
      if (isOtherOffer) group.offers++;
      group.extras.add(extraBefore, extra);
    }
  }

  /**
   * The sentences, the largest groups first.
   * @param before the cheapest deals before, and `now` the cheapest totals now, by product
   */
  list(before: ReadonlyMap<string, ServedProduct>, now: ReadonlyMap<string, number>): readonly string[] {
    const large = [...this.#groups]
      .filter(([, { count }]) => count >= this.#minRows)
      .sort(([, a], [, b]) => b.count - a.count);
    return [
      ...shorten(large.flatMap(([name, group]) => this.#describeMoves(name, group))),
      ...shorten(large.flatMap(([name, group]) => this.#describeOffers(name, group))),
      ...shorten(large.flatMap(([name, group]) => this.#describeExtras(name, group))),
      ...describeFallen(before, now),
    ];
  }

  #describeMoves(name: string, { count, moves }: Group): string[] {
    const far = moves.filter((move) => Math.abs(move) >= MIN_MOVE);
    if (far.length > count * widenTolerance(this.#maxSaid, count)) {
      return [
        `Prices: ${writeCount(far.length)} of ${writeCount(count)} same deals of ${name} cost ${formatPercent(MIN_MOVE)} less or more, ${describeMiddle(far)}`,
      ];
    }
    if (moves.length <= count * widenTolerance(MAX_REPRICED, count)) return [];
    return [
      `Prices: ${writeCount(moves.length)} of ${writeCount(count)} same deals of ${name} have another price, ${describeMiddle(moves)}`,
    ];
  }

  #describeOffers(name: string, { count, offers }: Group): string[] {
    if (offers <= count * widenTolerance(this.#maxSaid, count)) return [];
    return [
      `Offers: ${writeCount(offers)} of ${writeCount(count)} same deals of ${name} are for another phone, network, length or allowance`,
    ];
  }

  #describeExtras(name: string, { extras }: Group): string[] {
    const { had, changed, ended } = extras.list();
    if (had < this.#minRows / 2) return [];
    if (name.startsWith('retailer ') && ended > had * MAX_ENDED) {
      return [`Gifts: ${writeCount(ended)} of ${writeCount(had)} gifts and cashbacks of ${name} have ended`];
    }
    if (changed <= had * widenTolerance(this.#maxSaid, had)) return [];
    return [`Gifts: ${writeCount(changed)} of ${writeCount(had)} gifts and cashbacks of ${name} are others`];
  }
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
  if (more <= 0) return sentences;
  return sentences
    .slice(0, MAX_LISTED)
    .map((sentence, i) => (i < MAX_LISTED - 1 ? sentence : `${sentence}; ${more} more like it`));
}

function describeFallen(before: ReadonlyMap<string, ServedProduct>, now: ReadonlyMap<string, number>): string[] {
  const falls: number[] = [];
  let count = 0;
  for (const [product, { totalPence }] of before) {
    const total = now.get(product);
    if (total === undefined || totalPence === 0) continue;
    count++;
    const fall = 1 - total / totalPence;
    if (fall >= MIN_FALL) falls.push(fall);
  }
  if (falls.length <= Math.max(MAX_FALLEN, count * MAX_FALLEN_SHARE)) return [];
  const middle = medianOf(falls.toSorted((a, b) => a - b));
  return [
    `Prices: the cheapest deal of ${writeCount(falls.length)} of ${writeCount(count)} phones fell by ${formatPercent(MIN_FALL)} or more, by ${formatPercent(middle)} in the middle`,
  ];
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
