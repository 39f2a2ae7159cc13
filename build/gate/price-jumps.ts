import { formatPence } from '../../data/record/amount.ts';
import { HOUR_MS } from '../../data/record/time.ts';
import type { Price } from '../../data/report/notice.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { pick } from '../source/record.ts';
import type { HeldOutPrice, ServedProduct } from './served-deals.ts';

/** A price that is held out for the first time waits for so long at least, and for another file. */
const MIN_WAIT_MS = 20 * HOUR_MS;

/** Fewer deals than this say little about what a product costs. */
export const MIN_RIVALS = 5;

/** A new cheapest deal costs this share of the cheapest total before at least. */
const MIN_CHEAPEST_SHARE = 0.4;

/** A division may be off by its last bit. */
const ROUNDING = 1e-6;

/** What a price that may be held out is compared with. */
export interface JumpContext {
  readonly now: Date;
  /** The digest of the files of the feed. */
  readonly files: string;
  readonly maxPriceJump: number;
}

/** A price that is held out; `taken` where another file has said it again. */
export interface PriceJump {
  readonly details: NoticeDetails;
  readonly prices: HeldOutPrice;
  readonly isTaken: boolean;
}

/**
 * Finds the jump of a deal under its known key (INPUTS "What must never go out").
 * @param before the price last served under the key
 * @param heldOut the price with which the snapshot being served holds the key out
 */
export function findJump(
  price: Price,
  before: Price | undefined,
  heldOut: HeldOutPrice | undefined,
  context: JumpContext,
): PriceJump | undefined {
  const known = before ?? heldOut?.before;
  if (known === undefined) return undefined;
  const { maxPriceJump } = context;
  const hasJumped = (cost: 'monthly' | 'total'): boolean =>
    Math.max(known[cost], price[cost]) > maxPriceJump * Math.min(known[cost], price[cost]) + ROUNDING;
  // No deal is free, so a total of 0 was no price.
  const field = hasJumped('monthly') ? 'monthlyCost' : known.total > 0 && hasJumped('total') ? 'totalCost' : undefined;
  if (field === undefined) return undefined;
  const expected = `at most ${maxPriceJump} times more or less than ${describePrice(known)}`;
  return {
    details: { code: 'price-jump', field, found: describePrice(price), expected },
    ...waitFor(price, known, heldOut, context),
  };
}

/**
 * Finds a new deal that would be the cheapest of its product by far.
 * @param product what the snapshot being served has of it
 */
export function findUndercut(
  price: Price,
  { deals, totalPence, name }: ServedProduct & { readonly name: string },
  heldOut: HeldOutPrice | undefined,
  context: JumpContext,
): PriceJump | undefined {
  const least = Math.ceil(MIN_CHEAPEST_SHARE * totalPence - ROUNDING);
  if (deals < MIN_RIVALS || price.total >= least) return undefined;
  const expected = `at least ${formatPence(least)} in total, since the cheapest of ${deals} deals of ${name} was ${formatPence(totalPence)}`;
  return {
    details: { code: 'price-jump', field: 'totalCost', found: formatPence(price.total), expected },
    ...waitFor(price, undefined, heldOut, context),
  };
}

/** Whether the same price was held out long enough, and another file says it again. */
function waitFor(
  now: Price,
  before: Price | undefined,
  heldOut: HeldOutPrice | undefined,
  { now: time, files }: JumpContext,
): Pick<PriceJump, 'prices' | 'isTaken'> {
  const isSame = heldOut !== undefined && describePrice(heldOut.now) === describePrice(now);
  const first = isSame ? heldOut : { since: time.toISOString(), files };
  // A time in the future comes from a build under a wrong clock.
  const waitedMs = Math.abs(time.getTime() - Date.parse(first.since));
  const priceOf = (price: Price): Price => pick(price, ['total', 'upfront', 'monthly']);
  const prices = { now: priceOf(now), before: before && priceOf(before), since: first.since, files: first.files };
  return { prices, isTaken: isSame && waitedMs >= MIN_WAIT_MS && first.files !== files };
}

function describePrice({ total, upfront, monthly }: Price): string {
  return `${formatPence(upfront)} upfront, ${formatPence(monthly)} a month, ${formatPence(total)} in total`;
}
