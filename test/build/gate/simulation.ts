import type { GateResult } from '../../../data/report/report.ts';
import { createRandom } from '../../sample/random.ts';
import { DISASTER_NAMES, DISASTERS, type DisasterName } from './disaster.ts';
import { buildNight, listRows, readMarket, type SimulatedNight } from './simulated-build.ts';
import { createMarket, type MarketSource } from './simulated-market.ts';

/** Fewer deals than this are too few for a share to say anything (`minRows`). */
const MIN_ROWS = 20;

export interface OrdinaryYear {
  /** What was refused: nothing, if all is well. */
  readonly refusals: readonly string[];
  readonly carriedCount: number;
  readonly withdrawnCount: number;
  /** Of every gate, how near it came to its limit: 1 is at the limit. */
  readonly nearest: ReadonlyMap<string, number>;
}

export interface DisasterOutcome {
  readonly disaster: DisasterName;
  readonly source: string;
  readonly night: number;
  /** The gates that refused, with the source that each names. */
  readonly refused: readonly string[];
  /** How far the gate that was surest was beyond its limit: above 1 is refused. */
  readonly surest: number;
}

/** An ordinary year, each night compared with the one before. */
export function simulateYear(seed: number, nightCount = 365): OrdinaryYear {
  const market = createMarket(seed);
  const refusals: string[] = [];
  const nearest = new Map<string, number>();
  let carriedCount = 0;
  let withdrawnCount = 0;
  let before = buildNight(market, readMarket(market), undefined);
  for (let i = 0; i < nightCount; i++) {
    market.pass();
    const night = buildNight(market, readMarket(market), before);
    carriedCount += night.sources.filter(({ state }) => state === 'carried-forward').length;
    withdrawnCount += night.withdrawn.length;
    for (const result of night.gates) {
      const gate = result.gate.split(':')[0] ?? '';
      nearest.set(gate, Math.max(nearest.get(gate) ?? 0, nearnessOf(result)));
      if (result.state === 'refused') refusals.push(`night ${market.night}: ${result.gate}: ${result.detail}`);
    }
    before = night;
  }
  return { refusals, carriedCount, withdrawnCount, nearest };
}

/** `count` disasters, each to one feed of an ordinary night; the night itself is published without it. */
export function simulateDisasters(seed: number, count: number): readonly DisasterOutcome[] {
  const market = createMarket(seed);
  const random = createRandom(seed + 1);
  let before: SimulatedNight = buildNight(market, readMarket(market), undefined);
  const outcomes: DisasterOutcome[] = [];
  while (outcomes.length < count) {
    market.pass();
    const readings = readMarket(market);
    const disaster = DISASTER_NAMES[outcomes.length % DISASTER_NAMES.length] as DisasterName;
    const candidates = market.sources.filter((candidate) => isComparable(candidate, before, market.night));
    if (candidates.length === 0) continue;
    const source = random.pick(candidates);
    const damaged = new Map(readings).set(source.name, DISASTERS[disaster](listRows(source), random));
    // What cannot be read is carried forward, unless the configuration requires the source.
    const required = new Set(disaster === 'a page of HTML' ? [source.name] : []);
    const { gates } = buildNight(market, damaged, before, required);
    const refused = gates.filter(({ state }) => state === 'refused');
    outcomes.push({
      disaster,
      source: source.name,
      night: market.night,
      refused: refused.map(({ gate }) => gate),
      surest: Math.max(0, ...refused.map(nearnessOf)),
    });
    before = buildNight(market, readings, before);
  }
  return outcomes;
}

/** There were enough deals of it last night, and its file has come tonight. */
function isComparable(source: MarketSource, before: SimulatedNight, night: number): boolean {
  const kept = before.sources.find(({ name }) => name === source.name)?.kept ?? 0;
  return kept >= MIN_ROWS && source.outageUntil < night;
}

/** How near a gate is to its limit. Gates that measure nothing are beyond it or nowhere near. */
function nearnessOf({ state, measured, limit }: GateResult): number {
  if (measured === undefined || limit === undefined) return state === 'refused' ? Infinity : 0;
  return limit === 0 ? (measured > 0 ? Infinity : 0) : measured / limit;
}
