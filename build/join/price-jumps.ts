import { formatPence, MEGABYTES_PER_GIGABYTE, type Allowance } from '../../data/record/amount.ts';
import type { Plan } from '../../data/snapshot/format.ts';
import type { Price } from '../../data/report/notice.ts';
import { recordKey } from '../../data/record/product.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { FeedFile } from './order.ts';
import { FACT, type HeldOutDeal, type ServedDeals } from './served-deals.ts';
import type { ComparedDeals, ServedRows } from './served-rows.ts';

/** How many price jumps of a feed were held out or accepted. */
export interface PriceJumps {
  readonly heldOut: number;
  readonly accepted: number;
}

/** A row that is held out, and why. */
export interface HeldOutRow {
  readonly row: number;
  readonly details: NoticeDetails;
  readonly prices: HeldOutDeal['prices'];
}

/** Fewer deals than this say little about what a product costs. */
const MIN_RIVALS = 5;

/** A change of data by such a factor is a change of the unit. */
const UNITS = [1_000, 1_024] as const;

/** An upfront cost that moves by this factor is in another unit. */
const PENCE_PER_POUND = 100;

/** A division may be off by its last bit. */
const ROUNDING = 1e-6;

/** When a price is held out (INPUTS "What must never go out"). */
export interface PriceJumpRules {
  /** The factor by which the total or the monthly cost of a deal may move. */
  readonly maxPriceJump: number;
  /** The lowest total of a new cheapest deal, as a share of the earlier cheapest total of the product. */
  readonly minCheapestShare: number;
  /** Whether `--accept price-jump` takes the prices of a feed at once. */
  readonly isAccepted: (feed: string) => boolean;
}

/**
 * Finds the deals that are held out for their price. A deal is compared with the last price served under its key. A
 * price that the snapshot being served holds out, and that is found again, is taken; data in another unit are not. A
 * deal that is new under its product must not undercut the earlier cheapest deal by too much. The cheaper of several
 * such deals are held out first, so the next one is checked as the cheapest, until one is kept.
 */
export function findPriceJumps(
  { table, rows, entries, records }: ComparedDeals,
  served: ServedDeals,
  { hashes, servedRows }: ServedRows,
  rules: PriceJumpRules,
): { readonly heldOut: readonly HeldOutRow[]; readonly jumps: ReadonlyMap<string, PriceJumps> } {
  const { columns } = table;
  const productRows = new Map(served.entries.products.map((name, product) => [name, product]));
  const servedProducts = records.products.map(({ record }) => productRows.get(recordKey(record)));
  const hasKept = new Uint8Array(records.products.length);
  const heldOut: HeldOutRow[] = [];
  const jumps = new Map<string, PriceJumps>();

  const plansNow = entries.plans.map(allowancesOf);
  const plansServed = served.entries.plans.map(allowancesOf);
  const isAsServed = (row: number, servedRow: number): boolean =>
    columns.totalPence.at(row) === served.at(FACT.total, servedRow) &&
    columns.upfrontPence.at(row) === served.at(FACT.upfront, servedRow) &&
    columns.monthlyPence.at(row) === served.at(FACT.monthly, servedRow) &&
    plansNow[columns.plan.at(row)]?.text === plansServed[served.at(FACT.plan, servedRow)]?.text;

  rows.forEach((row) => {
    const product = columns.product.at(row);
    const servedRow = servedRows[row] as number;
    const servedProduct = servedProducts[product];
    // Nearly all deals are as they are served, and have not jumped.
    if (servedRow !== -1 && servedProduct === served.at(FACT.product, servedRow) && isAsServed(row, servedRow)) {
      hasKept[product] = 1;
      return;
    }
    const now = {
      total: columns.totalPence.at(row),
      upfront: columns.upfrontPence.at(row),
      monthly: columns.monthlyPence.at(row),
    };
    // A deal that is served was taken since, or is stale.
    const memory = servedRow === -1 ? served.findHeldOut(hashes[row] as number) : undefined;
    const before = servedRow === -1 ? memory?.before : served.priceAt(servedRow);
    const isOfProduct = servedRow === -1 ? before !== undefined : served.at(FACT.product, servedRow) === servedProduct;
    const plan = plansNow[columns.plan.at(row)] as Allowances;
    const planBefore = servedRow === -1 ? undefined : plansServed[served.at(FACT.plan, servedRow)];
    const otherUnit =
      memory?.now.dataMegabytes === 0 && plan.data === 0
        ? describeOtherUnit(before?.dataMegabytes, 0)
        : findOtherUnit(planBefore?.data ?? before?.dataMegabytes, plan.data);
    const details =
      otherUnit !== undefined || (memory !== undefined && isSamePrice(memory.now, now))
        ? otherUnit?.details
        : ((before === undefined ? undefined : findJump(before, now, rules.maxPriceJump)) ??
          (planBefore === undefined ? undefined : findMisplaced(planBefore, plan)) ??
          (isOfProduct || hasKept[product] === 1 || servedProduct === undefined
            ? undefined
            : findUndercut(served, servedProduct, now.total, rules.minCheapestShare)));
    const { source } = entries.files[columns.file.at(row)] as FeedFile;
    const isAccepted = details !== undefined && rules.isAccepted(source);
    if (details !== undefined) {
      const { heldOut: held, accepted } = jumps.get(source) ?? { heldOut: 0, accepted: 0 };
      jumps.set(source, isAccepted ? { heldOut: held, accepted: accepted + 1 } : { heldOut: held + 1, accepted });
    }
    if (details === undefined || isAccepted) hasKept[product] = 1;
    else {
      const prices = { now: { ...now, ...otherUnit?.now }, before: before && { ...before, ...otherUnit?.before } };
      heldOut.push({ row, details, prices: prices.before === undefined ? { now: prices.now } : prices });
    }
  });
  return { heldOut, jumps };
}

/** The allowances of a plan, with the data in gigabytes, as every field of a feed has them. */
interface Allowances {
  readonly data: Allowance;
  readonly fields: Readonly<Record<'dataGb' | 'callMinutes' | 'textMessages', Allowance>>;
  readonly text: string;
}

function allowancesOf({ dataMegabytes: data, callMinutes, textMessages }: Plan): Allowances {
  const dataGb = data === 'unlimited' ? data : data / MEGABYTES_PER_GIGABYTE;
  return { data, fields: { dataGb, callMinutes, textMessages }, text: `${data} ${callMinutes} ${textMessages}` };
}

/** Two allowances in each other's fields, or minutes or texts that have become none. */
function findMisplaced({ fields: before }: Allowances, { fields: now }: Allowances): NoticeDetails | undefined {
  const field = (['callMinutes', 'textMessages'] as const).find(
    (name) =>
      before[name] !== now[name] &&
      (now[name] === 0 ||
        (['dataGb', 'callMinutes'] as const).some(
          (other) => now[name] === before[other] && now[other] === before[name],
        )),
  );
  if (field === undefined) return undefined;
  return {
    code: 'price-jump',
    field,
    found: describeAllowances(now),
    expected: `the allowances in their fields, as in ${describeAllowances(before)}`,
    remedy: 'nothing needs to be done if the plan has changed: the next build takes it; otherwise tell the feed',
  };
}

function describeAllowances({ dataGb, callMinutes, textMessages }: Allowances['fields']): string {
  return `data ${dataGb}, minutes ${callMinutes}, texts ${textMessages}`;
}

/** Megabytes in a field for gigabytes, or the reverse, or no data at all: no plan becomes so under its key. */
function findOtherUnit(before: Allowance | undefined, now: Allowance) {
  if (before === undefined || before === 0 || before === now) return undefined;
  const isOther =
    now === 0 ||
    (before !== 'unlimited' &&
      now !== 'unlimited' &&
      UNITS.some((unit) => now === before * unit || before === now * unit));
  return isOther ? describeOtherUnit(before, now) : undefined;
}

function describeOtherUnit(before: Allowance | undefined, now: number) {
  const details: NoticeDetails = {
    code: 'price-jump',
    field: 'dataGb',
    found: `${now / MEGABYTES_PER_GIGABYTE}`,
    expected:
      typeof before === 'number'
        ? `gigabytes as in ${before / MEGABYTES_PER_GIGABYTE}, not ${now === 0 ? 'none' : 'so many times more or less'}`
        : 'data as before, not none',
    remedy:
      now === 0
        ? 'tell the feed that its data are missing, or accept the gate price-jump if the plan has none'
        : 'tell the feed in which unit its data are, or accept the gate price-jump if the plan is so much larger or smaller',
  };
  return {
    details,
    now: { dataMegabytes: now },
    before: typeof before === 'number' ? { dataMegabytes: before } : {},
  };
}

function isSamePrice(a: Price, b: Price): boolean {
  return a.total === b.total && a.upfront === b.upfront && a.monthly === b.monthly;
}

function findJump(before: Price, now: Price, maxFactor: number): NoticeDetails | undefined {
  // Upfront and monthly cost in each other's columns: with 49.00 and 29.99 no factor would show it.
  const isSwapped = before.upfront === now.monthly && before.monthly === now.upfront && now.upfront !== now.monthly;
  const hasMonthlyJumped = isSwapped || exceedsFactor(before.monthly, now.monthly, maxFactor);
  // No deal is free, so a total of 0 was no price.
  const hasTotalJumped = before.total > 0 && exceedsFactor(before.total, now.total, maxFactor);
  // Pence for pounds, or the reverse, of an amount that is a part of the total only.
  const isUpfrontInPence =
    now.upfront !== before.upfront &&
    (now.upfront === before.upfront * PENCE_PER_POUND ||
      // 9.99 divided by 100 is written as 0.10.
      (now.upfront > 0 && Math.abs(before.upfront - now.upfront * PENCE_PER_POUND) < PENCE_PER_POUND));
  if (!hasMonthlyJumped && !hasTotalJumped && !isUpfrontInPence) return undefined;
  const otherField = hasTotalJumped ? 'totalCost' : 'upfrontCost';
  return {
    code: 'price-jump',
    field: hasMonthlyJumped ? 'monthlyCost' : otherField,
    found: describePrice(now),
    expected: isSwapped
      ? `upfront and monthly cost in their places, as in ${describePrice(before)}`
      : `at most ${maxFactor} times more or less than ${describePrice(before)}`,
  };
}

function exceedsFactor(a: number, b: number, factor: number): boolean {
  return Math.max(a, b) > factor * Math.min(a, b) + ROUNDING;
}

function findUndercut(served: ServedDeals, product: number, total: number, share: number): NoticeDetails | undefined {
  const { deals, cheapestPence } = served.productAt(product);
  if (deals < MIN_RIVALS || total >= share * cheapestPence - ROUNDING) return undefined;
  const name = served.entries.products[product] ?? '';
  return {
    code: 'price-jump',
    field: 'totalCost',
    found: formatPence(total),
    expected: `at least ${formatPence(Math.ceil(share * cheapestPence - ROUNDING))} in total, since the cheapest of ${deals} deals of ${name} was ${formatPence(cheapestPence)}`,
  };
}

function describePrice({ total, upfront, monthly }: Price): string {
  return `${formatPence(upfront)} upfront, ${formatPence(monthly)} a month, ${formatPence(total)} in total`;
}
