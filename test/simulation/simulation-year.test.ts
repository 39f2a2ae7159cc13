import { describe, expect, it } from 'vitest';
import { buildNight, readMarket, type SimulatedNight } from './simulated-build.ts';
import { createMarket } from './simulated-market.ts';

/** One by default; `SIMULATION_SEEDS=5` tries that many. */
const SEEDS = Array.from({ length: Number(process.env['SIMULATION_SEEDS'] ?? 1) }, (_, i) => 2026 + i);

/** What is unusual may show for so many nights: a price that jumped is taken later, a held part comes back. */
const ECHO_NIGHTS = 3;

interface OrdinaryYear {
  readonly refusals: readonly string[];
  /** Parts that a gate began to hold, without outages: on nights on which nothing unusual happened, and on others. */
  readonly falseHolds: readonly string[];
  readonly holdsOfEvents: readonly string[];
  /** Nights on which a build said something: without anything unusual, and with it. */
  readonly falseWords: readonly string[];
  readonly wordsOfEvents: number;
}

/** An ordinary year, each night compared with the one before. */
function simulateYear(seed: number): OrdinaryYear {
  const market = createMarket(seed);
  const refusals: string[] = [];
  const falseHolds: string[] = [];
  const holdsOfEvents: string[] = [];
  const falseWords: string[] = [];
  let wordsOfEvents = 0;
  let before = buildNight(market, readMarket(market), undefined);
  const recent: (readonly string[])[] = [];
  for (let i = 0; i < 365; i++) {
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

/** Once a month. */
const MAX_FALSE_WORDS = 12;

describe('365 ordinary nights', () => {
  it.each(SEEDS)(
    'of seed %d are all published, nothing is held without a cause, and little is said',
    { timeout: 240_000 },
    (seed) => {
      const { refusals, falseHolds, holdsOfEvents, falseWords, wordsOfEvents } = simulateYear(seed);
      expect(refusals).toEqual([]);
      expect(falseHolds).toEqual([]);
      expect(falseWords.length, falseWords.join('\n')).toBeLessThanOrEqual(MAX_FALSE_WORDS);
      // The year has seen what it claims to.
      expect(wordsOfEvents).toBeGreaterThan(5);
      expect(holdsOfEvents.length).toBeGreaterThan(0);
    },
  );
});
