import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hashContent, hashManifest } from '../../data/store/manifest.ts';
import type { DealsLine, Dictionaries, Manifest } from '../../data/snapshot/format.ts';

const MAX_DEALS_PER_LINE = 4_096;
const PRICE_STEP_PENCE = 50;
/** Of the numbers in links, which have eleven digits. */
const LINK_STEP = 7_000_000_019;
const LINK_NUMBERS = 100_000_000_000;

/**
 * Publishes the current snapshot of a store in another, every deal `factor` times, each copy 50p a month dearer than the
 * one before: what a server has to hold of five million deals, without a build of five times the length. The files that
 * no server reads are those of the original.
 */
export async function multiplySnapshot(store: string, into: string, factor: number): Promise<void> {
  const { snapshot } = JSON.parse(await readFile(join(store, 'current.json'), 'utf8')) as { readonly snapshot: string };
  const folder = join(into, snapshot);
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  await cp(join(store, snapshot), folder, { recursive: true });
  await cp(join(store, 'images'), join(into, 'images'), { recursive: true });
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const { plans } = JSON.parse(await readFile(join(folder, 'dictionaries.json'), 'utf8')) as Dictionaries;
  const months = plans.map(({ contractMonths }) => contractMonths);

  const lines = await readDeals(join(store, snapshot, 'deals.ndjson'));
  const deals = multiply(lines, manifest.counts.deals, factor, months);
  const file = join(folder, 'deals.ndjson');
  const sha256 = await writeDeals(file, deals, manifest.counts.products);
  const { size } = await stat(file);
  const files = { ...manifest.files, 'deals.ndjson': { bytes: size, sha256 } };
  const changed: Manifest = {
    ...manifest,
    contentHash: hashContent(files, manifest.imagesBaseUrl),
    counts: { ...manifest.counts, deals: deals.product.length },
    files,
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...changed, manifestHash: hashManifest(changed) }));
  await writeFile(join(into, 'current.json'), JSON.stringify({ snapshot }));
}

async function readDeals(file: string): Promise<readonly DealsLine[]> {
  const lines: DealsLine[] = [];
  for await (const line of createInterface({ input: createReadStream(file) }))
    lines.push(JSON.parse(line) as DealsLine);
  return lines;
}

/** Columns of all deals, copies of one beside each other, and the rows in the order of their cost. */
interface MultipliedDeals {
  readonly product: Uint32Array;
  readonly plan: Uint32Array;
  readonly retailer: Uint32Array;
  readonly totalPence: Uint32Array;
  readonly upfrontPence: Uint32Array;
  readonly monthlyPence: Uint32Array;
  readonly gift: Uint32Array;
  readonly cashback: Uint32Array;
  readonly picture: Uint32Array;
  readonly linkTemplate: Uint32Array;
  readonly linkPart: readonly string[];
  readonly order: Uint32Array;
}

const COLUMNS = [
  'plan',
  'retailer',
  'totalPence',
  'upfrontPence',
  'monthlyPence',
  'gift',
  'cashback',
  'picture',
  'linkTemplate',
] as const;

function multiply(
  lines: readonly DealsLine[],
  dealCount: number,
  factor: number,
  months: readonly number[],
): MultipliedDeals {
  const column = (): Uint32Array => new Uint32Array(dealCount * factor);
  const deals = {
    product: column(),
    plan: column(),
    retailer: column(),
    totalPence: column(),
    upfrontPence: column(),
    monthlyPence: column(),
    gift: column(),
    cashback: column(),
    picture: column(),
    linkTemplate: column(),
  };
  const linkPart: string[] = [];
  let row = 0;
  for (const line of lines) {
    for (let i = 0; i < line.rank.length; i++) {
      for (let copy = 0; copy < factor; copy++) {
        deals.product[row] = line.product;
        for (const name of COLUMNS) deals[name][row] = line[name]?.[i] ?? 0;
        const dearer = copy * PRICE_STEP_PENCE;
        deals.monthlyPence[row] = (line.monthlyPence[i] as number) + dearer;
        deals.totalPence[row] = (line.totalPence[i] as number) + dearer * (months[line.plan[i] as number] as number);
        const number = (Number(line.linkPart[i]) + copy * LINK_STEP) % LINK_NUMBERS;
        linkPart.push(String(number).padStart(11, '0'));
        row++;
      }
    }
  }
  return { ...deals, linkPart, order: orderByCost(deals) };
}

/** Total, upfront and monthly cost, retailer (D14); the rest by row. */
function orderByCost(deals: Omit<MultipliedDeals, 'order' | 'linkPart'>): Uint32Array {
  const { totalPence, upfrontPence, monthlyPence, retailer } = deals;
  return Uint32Array.from({ length: totalPence.length }, (_, row) => row).sort(
    (a, b) =>
      (totalPence[a] as number) - (totalPence[b] as number) ||
      (upfrontPence[a] as number) - (upfrontPence[b] as number) ||
      (monthlyPence[a] as number) - (monthlyPence[b] as number) ||
      (retailer[a] as number) - (retailer[b] as number) ||
      a - b,
  );
}

/** Writes the lines, products in their order and each one's deals by rank; the hash of the file. */
async function writeDeals(file: string, deals: MultipliedDeals, productCount: number): Promise<string> {
  const rankOf = new Uint32Array(deals.order.length);
  const rowsOf: number[][] = Array.from({ length: productCount }, () => []);
  deals.order.forEach((row, rank) => {
    rankOf[row] = rank;
    (rowsOf[deals.product[row] as number] as number[]).push(row);
  });
  const hash = createHash('sha256');
  const output = createWriteStream(file);
  for (const [product, rows] of rowsOf.entries()) {
    for (let start = 0; start < rows.length; start += MAX_DEALS_PER_LINE) {
      const text = formatLine(deals, product, rows.slice(start, start + MAX_DEALS_PER_LINE), rankOf);
      hash.update(text);
      if (!output.write(text)) await once(output, 'drain');
    }
  }
  output.end();
  await once(output, 'close');
  return hash.digest('hex');
}

function formatLine(deals: MultipliedDeals, product: number, rows: readonly number[], rankOf: Uint32Array): string {
  const pick = (column: ArrayLike<number>): number[] => rows.map((row) => column[row] as number);
  const pickUnlessNone = (column: Uint32Array): number[] | undefined => {
    const numbers = pick(column);
    return numbers.some((number) => number > 0) ? numbers : undefined;
  };
  const line: Readonly<Record<keyof DealsLine, unknown>> = {
    product,
    rank: pick(rankOf),
    plan: pick(deals.plan),
    retailer: pick(deals.retailer),
    totalPence: pick(deals.totalPence),
    upfrontPence: pick(deals.upfrontPence),
    monthlyPence: pick(deals.monthlyPence),
    gift: pickUnlessNone(deals.gift),
    cashback: pickUnlessNone(deals.cashback),
    picture: pickUnlessNone(deals.picture),
    linkTemplate: pick(deals.linkTemplate),
    linkPart: rows.map((row) => deals.linkPart[row]),
  };
  return `${JSON.stringify(line)}\n`;
}
