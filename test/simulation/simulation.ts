import type { DealRecord } from '../../data/record/deal.ts';
import { createRandom } from '../support/random.ts';
import type { Disaster } from './disaster.ts';
import { buildNight, listRows, readMarket, type Reading, type SimulatedNight } from './simulated-build.ts';
import { createMarket, type MarketSource } from './simulated-market.ts';

/** What is unusual may show for so many nights: a price that jumped is taken later, a held part comes back. */
const ECHO_NIGHTS = 3;

/** Fewer deals than this are too few for a share to say anything (`minRows`). */
const MIN_ROWS = 20;

export interface OrdinaryYear {
  readonly refusals: readonly string[];
  /** Parts that a gate began to hold, without outages: on nights on which nothing unusual happened, and on others. */
  readonly falseHolds: readonly string[];
  readonly holdsOfEvents: readonly string[];
  /** Nights on which a build said something: without anything unusual, and with it. */
  readonly falseWords: readonly string[];
  readonly wordsOfEvents: number;
}

/** An ordinary year, each night compared with the one before. */
export function simulateYear(seed: number, nightCount = 365): OrdinaryYear {
  const market = createMarket(seed);
  const refusals: string[] = [];
  const falseHolds: string[] = [];
  const holdsOfEvents: string[] = [];
  const falseWords: string[] = [];
  let wordsOfEvents = 0;
  let before = buildNight(market, readMarket(market), undefined);
  const recent: (readonly string[])[] = [];
  for (let i = 0; i < nightCount; i++) {
    recent.push(market.pass());
    const events = recent.slice(-ECHO_NIGHTS).flat();
    const night = buildNight(market, readMarket(market), before);
    for (const { gate, state, detail } of night.gates) {
      if (state === 'refused') refusals.push(`night ${market.night}: ${gate}: ${detail}`);
    }
    for (const hold of listHolds(night)) {
      if (listHolds(before).includes(hold)) continue;
      (events.length > 0 ? holdsOfEvents : falseHolds).push(
        `night ${market.night} (${events.join(', ')}): ${hold}; ${night.gates.flatMap(({ state, detail }) => (state === 'held' ? [detail] : [])).join('; ')}`,
      );
    }
    if (night.said.length > 0) {
      if (events.length > 0) wordsOfEvents++;
      else falseWords.push(`night ${market.night}: ${night.said.join('; ')}`);
    }
    before = night;
  }
  return { refusals, falseHolds, holdsOfEvents, falseWords, wordsOfEvents };
}

/** The parts that gates hold. */
function listHolds({ sources }: SimulatedNight): readonly string[] {
  return sources.flatMap(({ name, held = [] }) =>
    held
      .filter(({ gates }) => gates.length > 0)
      .map(({ retailer, network, gates }) => `${name} ${retailer ?? ''} ${network ?? ''} ${gates.join(' ')}`),
  );
}

export interface DisasterOutcome {
  readonly disaster: string;
  readonly source: string;
  readonly night: number;
  /** How many deals are served at a price that only the damaged file has. */
  readonly wrongCount: number;
  /** Whether a part was held, or something was said. */
  readonly isNoticed: boolean;
  /** Sources other than the damaged one of which a part was held, though it was not before. */
  readonly others: readonly string[];
}

/** `count` disasters, each to one feed of an ordinary night; the night itself is published without it. */
export function simulateDisasters(
  seed: number,
  count: number,
  disasters: Readonly<Record<string, Disaster>>,
  minDeals = MIN_ROWS,
): readonly DisasterOutcome[] {
  const names = Object.keys(disasters);
  const market = createMarket(seed);
  const random = createRandom(seed + 1);
  let before: SimulatedNight = buildNight(market, readMarket(market), undefined);
  const outcomes: DisasterOutcome[] = [];
  while (outcomes.length < count) {
    const events = market.pass();
    const readings = readMarket(market);
    const sound = buildNight(market, readings, before);
    const disaster = names[outcomes.length % names.length] as string;
    const candidates = market.sources.filter((candidate) => isComparable(candidate, before, market.night, minDeals));
    if (candidates.length > 0 && events.length === 0) {
      const source = random.pick(candidates);
      const rows = listRows(source);
      const reading = (disasters[disaster] as Disaster)(rows, random);
      const night = buildNight(market, new Map(readings).set(source.name, reading), before);
      outcomes.push({
        disaster,
        source: source.name,
        night: market.night,
        wrongCount: countWrong(source.name, rows, reading, night),
        isNoticed: night.said.length > 0 || isHeld(night, source.name),
        others: market.sources
          .map(({ name }) => name)
          .filter((name) => name !== source.name && isHeld(night, name) && !isHeld(sound, name)),
      });
    }
    before = sound;
  }
  return outcomes;
}

function isHeld({ sources }: SimulatedNight, name: string): boolean {
  return sources.some((source) => source.name === name && (source.state !== 'fresh' || (source.held ?? []).length > 0));
}

/** The keys that are served at a price that only the damaged file has. */
function countWrong(
  source: string,
  rows: readonly DealRecord[],
  reading: Reading,
  { snapshot }: SimulatedNight,
): number {
  const damaged = reading.kind === 'rows' ? reading.rows : [];
  return damaged.filter((row, i) => {
    if (row.monthlyPence === rows[i]?.monthlyPence && row.upfrontPence === rows[i]?.upfrontPence) return false;
    const retailer = `30${row.retailer.key?.slice('shop-'.length)}`;
    const found = snapshot.deals.find(source, retailer, row.key);
    return found !== undefined && snapshot.deals.columns.factAt('monthly', found) === row.monthlyPence;
  }).length;
}

/** There were enough deals of it last night, and its file has come tonight. */
function isComparable(source: MarketSource, before: SimulatedNight, night: number, minDeals: number): boolean {
  const kept = before.sources.find(({ name }) => name === source.name)?.kept ?? 0;
  return kept >= minDeals && source.outageUntil < night && !isHeld(before, source.name);
}
