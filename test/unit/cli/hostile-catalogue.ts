import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { randomCatalogue } from '../../oracle/random-catalogue.ts';
import { createRandom } from '../../support/random.ts';

/** What a spreadsheet would run, or what a careless reader of CSV or JSON takes for something else. */
const HOSTILE_TEXTS = [
  '=1+1',
  '=HYPERLINK("https://evil.example","click")',
  '+44 20 7946 0000',
  '-2+3',
  '@SUM(A1:A9)',
  '\t=1+1',
  '  =1+1',
  '\r\n=1+1',
  '＝1+1',
  '\u00a0@SUM(1)',
  "'=1+1",
  "''",
  '"',
  '","",=1+1',
  'a "quoted" word, a comma',
  'two\r\nlines',
  'line\nfeed',
  'NULL',
  String.raw`\N`,
  'null',
  'true',
  '007',
  '1e5',
  '2026-11-19',
  '📱👩‍👩‍👧 ünï',
  'separators \u2028 and \u2029',
  ' spaces ',
  'half of a pair \ud83d alone',
];

/** A catalogue with such a text wherever a feed or an editor may write one. */
export function hostileCatalogue(seed: number): OracleCatalogue {
  const random = createRandom(seed);
  const catalogue = randomCatalogue(random);
  const renamed = <Named extends { readonly name: string }>(records: readonly Named[]): readonly Named[] =>
    records.map((record) => ({ ...record, name: random.pick(HOSTILE_TEXTS) }));
  return {
    ...catalogue,
    products: renamed(catalogue.products),
    networks: renamed(catalogue.networks),
    retailers: renamed(catalogue.retailers),
    manufacturers: renamed(catalogue.manufacturers),
    gifts: renamed(catalogue.gifts),
    deals: catalogue.deals.map((deal) => ({
      ...deal,
      key: `${random.pick(HOSTILE_TEXTS)}${deal.key}`,
      contractName: random.pick(HOSTILE_TEXTS),
      ...(deal.cashback === undefined ? {} : { cashback: { ...deal.cashback, type: random.pick(HOSTILE_TEXTS) } }),
    })),
  };
}
