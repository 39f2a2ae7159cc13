import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS } from '../../data/query/vocabulary.ts';
import { formatLocation } from '../../data/report/source-location.ts';

/** The modules of the pages are JavaScript for browsers, and load in Node as well. */
const FOLDER = join(import.meta.dirname, '../../server/page');

it('the page of the catalogue sorts by keys of the interface', () => {
  const keysIn = (file: string, pattern: RegExp) =>
    new Set(Array.from(readFileSync(join(FOLDER, file), 'utf8').matchAll(pattern), ([, key]) => key));
  expect(keysIn('explore/phone-list.js', /value: '([a-z-]+)-(?:asc|desc)'/g)).toEqual(new Set(PRODUCT_SORT_KEYS));
  expect(keysIn('explore/deal-table.js', /sort: '([a-z-]+)'/g)).toEqual(new Set(DEAL_SORT_KEYS));
});

interface PriceHistoryModule<Span> {
  readonly listSpans: (points: readonly object[], today?: string) => readonly Span[];
  readonly writeSteps: (spans: readonly Span[], x: (day: number) => number, y: (cost: number) => number) => string;
}

/** Day of August, count of deals, total cost. */
type Point = readonly [day: number, dealCount: number, totalContractCost?: number];

it.each<[string, readonly Point[], string | undefined, string]>([
  ['one day', [[1, 3, 700]], '2026-08-01', 'M0 700H1'],
  ['no build since', [[1, 3, 700]], undefined, 'M0 700H1'],
  ['a price that holds until today', [[1, 3, 700]], '2026-08-05', 'M0 700H5'],
  ['a step', [[1, 3, 700], [3, 3, 650]], '2026-08-03', 'M0 700H2V650H3'], // prettier-ignore
  ['another count of deals', [[1, 3, 7], [2, 4, 7]], '2026-08-02', 'M0 7H1V7H2'], // prettier-ignore
  ['days without a deal, a gap', [[1, 3, 700], [2, 0], [4, 1, 650]], '2026-08-04', 'M0 700H1M3 650H4'], // prettier-ignore
  ['no deal today', [[1, 3, 700], [2, 0]], '2026-08-04', 'M0 700H1'], // prettier-ignore
  ['a clock that went back', [[1, 3, 700]], '2026-07-01', 'M0 700H1'],
])('a price history is a line of steps: %s', async (_, points, today, steps) => {
  const module = (await import(join(FOLDER, 'explore/price-history.js'))) as PriceHistoryModule<unknown>;
  const days = points.map(([day, dealCount, totalContractCost]) => ({ date: `2026-08-0${day}`, dealCount, totalContractCost })); // prettier-ignore
  const first = Date.parse('2026-08-01') / 86_400_000;
  const spans = module.listSpans(days, today);
  const written = module.writeSteps(
    spans,
    (at) => at - first,
    (cost) => cost,
  );
  expect(written).toBe(steps);
});

it('a place of /status/ is written as the report and deals explain write it', async () => {
  const { describePlace } = (await import(join(FOLDER, 'status/place.js'))) as {
    readonly describePlace: typeof formatLocation;
  };
  for (const file of [undefined, 'export.json'])
    for (const line of [undefined, 3])
      for (const list of [undefined, 'products']) {
        const place = { source: 'site', file, line, list };
        expect(describePlace(place)).toBe(formatLocation(place));
      }
});
