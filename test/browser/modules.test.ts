import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fg from 'fast-glob';
import { describe, expect, it } from 'vitest';
import { DEAL_SORT_KEYS, PRODUCT_SORT_KEYS } from '../../data/query/vocabulary.ts';
import { CMS_ADAPTER_NAMES } from '../../build/registry.ts';
import { NOTICE_CODES, NOTICES } from '../../data/report/notice.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
import type { StoreStatus } from '../../server/routes/status.ts';

const FOLDER = join(import.meta.dirname, '../../server/page');
const MODULES = fg.sync('**/*.js', { cwd: FOLDER }).sort();

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** A module of the page, which is JavaScript for browsers and loads in Node as well. */
interface PlaceModule {
  readonly describePlace: FormatLocation;
  readonly rememberSources: (status: Pick<StoreStatus, 'served' | 'codes'>) => void;
}

const PLACE = '../../server/page/status/place.js';

describe('the modules of the pages', () => {
  it.each(MODULES)('%s imports what is shared and what is in its folder, and nothing else', (file) => {
    const imports = [...read(file).matchAll(/^import [^;]*?from '([^']+)';$/gm)].map(([, path = '']) => path);
    const folders = imports.map((path) => dirname(relative(FOLDER, join(FOLDER, dirname(file), path))));
    expect(folders.filter((folder) => folder !== 'lib' && folder !== dirname(file))).toEqual([]);
    expect(imports.filter((path) => !/^\.\.?\//.test(path))).toEqual([]);
  });
});

describe('the page of the catalogue', () => {
  it('sorts by keys of the interface', () => {
    const products = [...read('explore/phone-list.js').matchAll(/value: '([a-z-]+)-(?:asc|desc)'/g)].map(
      ([, key]) => key,
    );
    const deals = [...read('explore/deal-table.js').matchAll(/sort: '([a-z-]+)'/g)].map(([, key]) => key);
    expect(new Set(products)).toEqual(new Set(PRODUCT_SORT_KEYS));
    expect(new Set(deals)).toEqual(new Set(DEAL_SORT_KEYS));
  });
});

interface PriceHistoryModule {
  readonly listSpans: (points: readonly object[], today?: string) => readonly Span[];
  readonly writeSteps: (spans: readonly Span[], x: (day: number) => number, y: (cost: number) => number) => string;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly cost: number | undefined;
}

describe('a price history', () => {
  const point = (date: string, dealCount: number, totalContractCost?: number): object => ({
    date,
    dealCount,
    totalContractCost,
  });
  const day = (date: string): number => Date.parse(date) / 86_400_000;

  it.each([
    ['one day', [point('2026-08-01', 3, 700)], '2026-08-01', 'M0 700H1'],
    ['no build since', [point('2026-08-01', 3, 700)], undefined, 'M0 700H1'],
    ['a price that holds until today', [point('2026-08-01', 3, 700)], '2026-08-05', 'M0 700H5'],
    ['a step', [point('2026-08-01', 3, 700), point('2026-08-03', 3, 650)], '2026-08-03', 'M0 700H2V650H3'],
    ['another count of deals', [point('2026-08-01', 3, 7), point('2026-08-02', 4, 7)], '2026-08-02', 'M0 7H1V7H2'],
    [
      'days without a deal, which are a gap',
      [point('2026-08-01', 3, 700), point('2026-08-02', 0), point('2026-08-04', 1, 650)],
      '2026-08-04',
      'M0 700H1M3 650H4',
    ],
    ['no deal today', [point('2026-08-01', 3, 700), point('2026-08-02', 0)], '2026-08-04', 'M0 700H1'],
    ['a clock that went back', [point('2026-08-01', 3, 700)], '2026-07-01', 'M0 700H1'],
  ])('is a line of steps: %s', async (_, points, today, steps) => {
    const { listSpans, writeSteps } = (await import(join(FOLDER, 'explore/price-history.js'))) as PriceHistoryModule;
    const spans = listSpans(points, today);
    const first = day('2026-08-01');
    expect(
      writeSteps(
        spans,
        (at) => at - first,
        (cost) => cost,
      ),
    ).toBe(steps);
  });
});

describe('a place of /status/', () => {
  const sources = [...CMS_ADAPTER_NAMES, 'deals', 'awin', 'google-merchant', 'csv'].map((adapter) => ({
    name: `of ${adapter}`,
    adapter,
  }));
  const writePlace = createLocationFormatter(sources);

  it.each(sources)(
    '$name is written as the report and deals explain write it, regardless of what is said of it',
    async ({ name }) => {
      const { describePlace, rememberSources } = (await import(PLACE)) as PlaceModule;
      rememberSources({ served: { sources } as unknown as NonNullable<StoreStatus['served']>, codes: NOTICES });
      for (const code of [undefined, ...NOTICE_CODES]) {
        for (const file of [undefined, 'export.json']) {
          for (const line of [undefined, 3]) {
            const place = { source: name, file, line, ...(code === undefined ? {} : { code }) };
            expect(describePlace(place)).toBe(writePlace(place));
          }
        }
      }
    },
  );
});
