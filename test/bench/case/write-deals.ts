import { rowAt, type DealRow, type ProductRow } from '../../../data/snapshot/column.ts';
import { openInProcess } from '../in-process.ts';
import { readCaseOptions } from '../bench-data.ts';
import { createDealObject } from '../deal-object.ts';
import { line, reportLines, summarise, timeOf } from '../report-lines.ts';

const { data, scale } = readCaseOptions();
const DEAL_COUNT = scale === 'full' ? 1_000 : 50;
const ROUND_COUNT = scale === 'full' ? 300 : 5;
const { snapshot, drain, read } = await openInProcess(data.store('1m'));
const { index } = snapshot;

/** With hardly more deals than are asked for: an ordinary page, not that of the best seller. */
const product = findProduct();
const { id, name, slug, condition } = index.products[product] as (typeof index.products)[number];
const target = `/deals/v1/products/${id}/?filter[condition]=eq{${condition}}&expand=products(deals)&limit=deals(${DEAL_COUNT})`;
const rows = Array.from({ length: DEAL_COUNT }, (_, i) => rowAt<'deal'>(index.firstDeal(product) + i)) as DealRow[];

const objects = stringifyObjects();
const { body } = read(target);
if (body !== objects) throw new Error(`${target}: expected the bytes of the objects, got others`);

/** Both in each round, so that other work of the machine meets both; the first rounds warm up. */
const rounds = Array.from({ length: ROUND_COUNT + 30 }, () => {
  const rivalMs = timeOf(stringifyObjects);
  const oursMs = timeOf(() => drain(target));
  return { ratio: rivalMs / oursMs, oursMs };
}).slice(30);
const ratios = summarise(rounds.map(({ ratio }) => ratio));
const microseconds = 1_000 * summarise(rounds.map(({ oursMs }) => oursMs)).median;
reportLines([
  line(
    `page of a product with ${DEAL_COUNT} deals, uncached, against building the objects and JSON.stringify`,
    '>= 12',
    'x',
    ratios,
    `${Math.round(microseconds)} µs for ${Math.round(body.length / 1_000)} kB, the query read and its deals chosen; the rival is given the rows and need not make bytes of its text`,
  ),
]);

function stringifyObjects(): string {
  const deals = rows.map((row) => createDealObject(index, row));
  return JSON.stringify({ products: [{ id, name, slug }], deals });
}

function findProduct(): ProductRow {
  let found: ProductRow | undefined;
  let least = Infinity;
  for (let i = 0; i < index.products.length; i++) {
    const row = rowAt<'product'>(i);
    const count = index.endOfDeals(row) - index.firstDeal(row);
    if (count >= DEAL_COUNT && count < least) {
      found = row;
      least = count;
    }
  }
  if (found === undefined) throw new Error(`expected a product with ${DEAL_COUNT} deals`);
  return found;
}
