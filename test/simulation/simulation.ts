import type { ServedDeals } from '../../build/join/served-deals.ts';
import type { DealRecord } from '../../data/record/deal.ts';
import type { GateResult } from '../../data/report/report.ts';
import { createRandom } from '../support/random.ts';
import type { Disaster } from './disaster.ts';
import { buildNight, listRows, readMarket, type Reading, type SimulatedNight } from './simulated-build.ts';
import { createMarket, type MarketSource } from './simulated-market.ts';

/** Fewer deals than this are too few for a share to say anything (`minRows`). */
const MIN_ROWS = 20;

export interface OrdinaryYear {
  /** What was refused: nothing, if all is well. */
  readonly refusals: readonly string[];
  readonly carriedCount: number;
  readonly withdrawnCount: number;
  /** How many deals were held out for a night for their price. */
  readonly heldOutCount: number;
  /** Of every gate, how near it came to its limit: 1 is at the limit. */
  readonly nearest: ReadonlyMap<string, number>;
}

export interface DisasterOutcome {
  readonly disaster: string;
  readonly source: string;
  readonly night: number;
  /** The gates that refused, with the source that each names. */
  readonly refused: readonly string[];
  /** How far the gate that was surest was beyond its limit: above 1 is refused. */
  readonly surest: number;
  /** How many deals that were served would be served at a price that the disaster gave them. */
  readonly wrongCount: number;
  /** The same of deals that were not: nothing is known of what they cost. */
  readonly wrongNewCount: number;
}

/** An ordinary year, each night compared with the one before. */
export function simulateYear(seed: number, nightCount = 365): OrdinaryYear {
  const market = createMarket(seed);
  const refusals: string[] = [];
  const nearest = new Map<string, number>();
  let carriedCount = 0;
  let withdrawnCount = 0;
  let heldOutCount = 0;
  let before = buildNight(market, readMarket(market), undefined);
  for (let i = 0; i < nightCount; i++) {
    market.pass();
    const night = buildNight(market, readMarket(market), before);
    carriedCount += night.sources.filter(({ state }) => state === 'carried-forward').length;
    withdrawnCount += night.withdrawn.length;
    heldOutCount += night.heldOutCount;
    for (const result of night.gates) {
      const gate = result.gate.split(':')[0] ?? '';
      nearest.set(gate, Math.max(nearest.get(gate) ?? 0, nearnessOf(result)));
      if (result.state === 'refused') refusals.push(`night ${market.night}: ${result.gate}: ${result.detail}`);
    }
    before = night;
  }
  return { refusals, carriedCount, withdrawnCount, heldOutCount, nearest };
}

/** `count` disasters, each to one feed of an ordinary night; the night itself is published without it. */
export function simulateDisasters(
  seed: number,
  count: number,
  disasters: Readonly<Record<string, Disaster>>,
  { minDeals = MIN_ROWS, hasSales = true }: { readonly minDeals?: number; readonly hasSales?: boolean } = {},
): readonly DisasterOutcome[] {
  const names = Object.keys(disasters);
  const market = createMarket(seed);
  const random = createRandom(seed + 1);
  let before: SimulatedNight = buildNight(market, readMarket(market), undefined);
  const outcomes: DisasterOutcome[] = [];
  while (outcomes.length < count) {
    market.pass();
    const readings = readMarket(market);
    const disaster = names[outcomes.length % names.length] as string;
    if (!hasSales && market.isSaleNight) {
      before = buildNight(market, readings, before);
      continue;
    }
    const candidates = market.sources.filter((candidate) => isComparable(candidate, before, market.night, minDeals));
    if (candidates.length === 0) continue;
    const source = random.pick(candidates);
    const rows = listRows(source);
    const reading = (disasters[disaster] as Disaster)(rows, random);
    const damaged = new Map(readings).set(source.name, reading);
    // What cannot be read is carried forward, unless the configuration requires the source.
    const required = new Set(disaster === 'a page of HTML' ? [source.name] : []);
    const { gates, deals } = buildNight(market, damaged, before, required);
    const wrong = listWrong(source.name, rows, reading, deals);
    const { deals: dealsBefore } = before;
    const known = wrong.filter((hash) => dealsBefore.find(hash) !== undefined);
    const refused = gates.filter(({ state }) => state === 'refused');
    outcomes.push({
      disaster,
      source: source.name,
      night: market.night,
      refused: refused.map(({ gate }) => gate),
      surest: Math.max(0, ...refused.map(nearnessOf)),
      wrongCount: known.length,
      wrongNewCount: wrong.length - known.length,
    });
    before = buildNight(market, readings, before);
  }
  return outcomes;
}

/** The keys that are served at a price that only the damaged file has. */
function listWrong(
  source: string,
  rows: readonly DealRecord[],
  reading: Reading,
  served: ServedDeals,
): readonly number[] {
  const damaged = reading.kind === 'rows' ? reading.rows : [];
  return damaged.flatMap((row, i) => {
    if (row.monthlyPence === rows[i]?.monthlyPence && row.upfrontPence === rows[i]?.upfrontPence) return [];
    const retailer = `30${row.retailer.key?.slice('shop-'.length)}`;
    const hash = served.hashOf(source, retailer, row.key);
    const found = served.find(hash);
    return found !== undefined && served.priceAt(found).monthly === row.monthlyPence ? [hash] : [];
  });
}

/** There were enough deals of it last night, and its file has come tonight. */
function isComparable(source: MarketSource, before: SimulatedNight, night: number, minDeals: number): boolean {
  const kept = before.sources.find(({ name }) => name === source.name)?.kept ?? 0;
  return kept >= minDeals && source.outageUntil < night;
}

/** How near a gate is to its limit. Gates that measure nothing are beyond it or nowhere near. */
function nearnessOf({ state, measured, limit }: GateResult): number {
  if (measured === undefined || limit === undefined) return state === 'refused' ? Infinity : 0;
  return limit === 0 ? (measured > 0 ? Infinity : 0) : measured / limit;
}
