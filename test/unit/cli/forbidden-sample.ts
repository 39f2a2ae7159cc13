import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { NoticeCode } from '../../../data/report/notice.ts';
import { formatCsv, lineOf } from '../../support/csv.ts';

const SAMPLE = join(import.meta.dirname, '../../../data/sample');
const HOUSE = 'feeds/house/deals.csv';
const PHONES = 'cms/phones-wren.json';

/** A record that a rule keeps from being served: how a person would ask for it, and where it is. */
export interface Forbidden {
  readonly code: NoticeCode;
  readonly asked: string;
  readonly file: string;
  readonly line: number;
}

type Cells = Readonly<Record<string, string>>;

/** The sample in `folder` with more records that are left out, of each kind of outcome; pictures are not rendered. */
export function writeForbiddenSample(folder: string): readonly Forbidden[] {
  cpSync(SAMPLE, folder, { recursive: true, filter: (path) => !path.includes('/images') });
  const path = join(folder, 'catalogue.json');
  const config = JSON.parse(readFileSync(path, 'utf8')) as { exclude: object[]; images: object };
  config.images = { render: false };
  config.exclude.push({ deal: 'X-excluded', reason: 'test' }, { product: '992', reason: 'test' });
  writeFileSync(path, JSON.stringify(config));
  return [...forbidDeals(folder), ...forbidProducts(folder)];
}

/** Each row is a sound one with one thing wrong. */
function forbidDeals(folder: string): Forbidden[] {
  const path = join(folder, HOUSE);
  const text = readFileSync(path, 'utf8').trimEnd();
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  const sound: Cells = { ...rows[0], totalCost: '' };
  const wrong: readonly (readonly [NoticeCode, Cells])[] = [
    ['missing-field', { contractName: '' }],
    ['unknown-product', { productId: '9998' }],
    ['unknown-network', { network: 'nobody' }],
    ['negative-money', { upfrontCost: '-1.00' }],
    ['not-valid-today', { validTo: '2020-01-01' }],
    ['excluded', {}],
    ['duplicate-deal', { totalCost: rows[0]?.['totalCost'] ?? '' }],
  ];
  const added = wrong.map(([code, cells]) => ({ ...sound, dealId: `X-${code}`, ...cells }));
  const lines = formatCsv(Object.keys(sound), added).trimEnd().split('\n').slice(1);
  // Too many cells: such a row has no id to ask for.
  writeFileSync(path, `${[text, ...lines, `${lines.at(-1)},`].join('\n')}\n`);
  const line = lineOf(rows.length + wrong.length);
  return [
    ...wrong.map(([code], i) => ({ code, asked: `X-${code}`, file: HOUSE, line: lineOf(rows.length + i) })),
    { code: 'column-count', asked: `${HOUSE}:${line}`, file: HOUSE, line },
  ];
}

function forbidProducts(folder: string): Forbidden[] {
  const path = join(folder, PHONES);
  const lists = JSON.parse(readFileSync(path, 'utf8')) as { readonly products: readonly object[] };
  const phone = (id: string, more: object = {}): object => {
    return { id, condition: 'new', name: `Forbidden Phone ${id}`, slug: `forbidden-phone-${id}`, ...more };
  };
  const added = [
    phone('990', { status: 'draft' }),
    phone('991'),
    phone('991', { slug: 'forbidden-twin' }),
    phone('992'),
  ];
  writeFileSync(path, JSON.stringify({ ...lists, products: [...lists.products, ...added, 'no object'] }));
  const line = lists.products.length + 1;
  return [
    { code: 'unpublished', asked: '990', file: PHONES, line },
    { code: 'unpublished', asked: 'forbidden phone  990', file: PHONES, line },
    { code: 'unpublished', asked: 'forbidden-phone-990', file: PHONES, line },
    { code: 'duplicate-id', asked: '991/new', file: PHONES, line: line + 1 },
    { code: 'duplicate-id', asked: 'forbidden-twin', file: PHONES, line: line + 2 },
    { code: 'excluded', asked: '992', file: PHONES, line: line + 3 },
    { code: 'malformed-record', asked: `${PHONES} products (item ${line + 4})`, file: PHONES, line: line + 4 },
  ];
}
