import { resolve } from 'node:path';
import {
  FEED_FIELDS,
  fieldsOfKind,
  findRequired,
  PRODUCT_COLUMNS,
  usualHeaders,
  type FeedField,
} from '../feed/fields.ts';
import { foldName } from '../source/nearest-name.ts';
import { HashedFile } from '../source/open-file.ts';
import { findDelimiter, readTable, type TableHeader } from '../source/table.ts';
import { peekFirst, readTextLines } from '../source/text-lines.ts';
import type { NewSource } from './new-files.ts';

/** A source for a table that is there. */
interface PlannedTable {
  readonly source: NewSource;
  /** The required fields that no column is known to fill. */
  readonly missing: readonly string[];
}

const MAX_BYTES = 4_000_000_000;

/** A report may have a title and a date above its table. */
const MAX_HEADER_LINE = 10;

/** Of a feed that is not ours, `productId` is not the id of a product of the catalogue. */
const FIELDS = FEED_FIELDS.filter((field) => field !== 'productId');

const MONEY_FIELDS = fieldsOfKind('amount');

const MODEL_HEADERS = ['model', 'modelname', 'handsetmodel'];
const BRAND_HEADERS = ['brand', 'make', 'manufacturer'];

const RETAILER = 'retailer';

/**
 * A source of the adapter `csv` for the table at `path`: the columns that have a usual header of a field, and comments for
 * what a person has to say.
 *
 * @param files a glob, relative to the configuration
 * @throws {SourceError} when the file is not a table, or cannot be read
 */
export async function planTable(path: string, files: string, name = 'sheet'): Promise<PlannedTable> {
  const { names, ...layout } = await readHeader(path);
  const columnOf = assignColumns(names);
  const required = findRequired({ missingAllowance: 'quarantine' });
  const missing: string[] = required.filter((field) => !columnOf.has(field));
  if (!PRODUCT_COLUMNS.some((field) => columnOf.has(field))) missing.push('productName');
  const product = columnOf.get('productName');
  // A model is named without its maker.
  const hasModel = product !== undefined && MODEL_HEADERS.includes(foldName(product));
  const brand = hasModel ? names.find((each) => BRAND_HEADERS.includes(foldName(each))) : undefined;
  const columns = {
    ...Object.fromEntries([...columnOf].map(([field, column]) => [field, describeColumn(field, column)])),
    ...(brand !== undefined && { productName: `{${brand}} {${product}}` }),
  };
  const settings = JSON.stringify({ name, adapter: 'csv', files: [files], ...layout, columns }, undefined, 2);
  const wanted = missing.filter((field) => field !== RETAILER).map((field) => `"${field}": "",`);
  const comments = ['Say which column it is, and take the slashes away:', ...wanted].map((text) => `    // ${text}\n`);
  // A feed of one retailer has no column for it.
  const constants =
    '  // The retailer, by id, slug or name; take the slashes away:\n  // "constants": { "retailer": "" },\n';
  const head = `${missing.includes(RETAILER) ? constants : ''}  "columns": {\n${wanted.length > 0 ? comments.join('') : ''}`;
  const text = settings.replace(/^ {2}"columns": \{\n?/m, () => head);
  return { source: { list: 'feeds', adapter: 'csv', name, text }, missing };
}

/** The names of the columns that the settings can name, and how the table is laid out, where that is not usual. */
async function readHeader(path: string) {
  const file = new HashedFile({ source: 'file', path, absolutePath: resolve(path) }, MAX_BYTES);
  const { first, all } = await peekFirst(readTextLines(file));
  const lines = (first?.toString('utf8') ?? '').split('\n', MAX_HEADER_LINE);
  const known = lines.map((line) => countKnown(line.split(findDelimiter(line))));
  const headerLine = Math.max(0, known.indexOf(Math.max(...known))) + 1;
  const delimiter = findDelimiter(lines[headerLine - 1] ?? '');
  let header: readonly string[] = [];
  const takeHeader = ({ names }: TableHeader) => {
    header = names;
    return () => undefined;
  };
  const table = readTable(file, all, takeHeader, { delimiter, headerLine });
  await table.next();
  await table.return(undefined);
  return {
    // A blank column has no name, and braces join columns.
    names: [...new Set(header)].filter((name) => name !== '' && !/[{}]/.test(name)),
    ...(delimiter !== ',' && { delimiter }),
    ...(headerLine !== 1 && { headerLine }),
  };
}

/** The usual headers of a field, its own name first, folded. */
function usualHeadersOf(field: FeedField): readonly string[] {
  return [field, ...usualHeaders(field)].map(foldName);
}

function countKnown(cells: readonly string[]): number {
  const known = new Set(FIELDS.flatMap(usualHeadersOf));
  return cells.filter((cell) => known.has(foldName(cell))).length;
}

/** The column of each field. One that is usual for two fields goes to the one that has no other. */
function assignColumns(names: readonly string[]): ReadonlyMap<FeedField, string> {
  const columnOf = new Map<FeedField, string>();
  const free = new Set(names);
  const claimants = (name: string): readonly FeedField[] =>
    FIELDS.filter((field) => !columnOf.has(field) && usualHeadersOf(field).includes(foldName(name)));
  // The second time, a field that has found its column claims no other.
  for (const field of [...FIELDS, ...FIELDS]) {
    if (columnOf.has(field)) continue;
    const unclaimed = [...free].filter((name) => claimants(name).length === 1);
    const [column] = usualHeadersOf(field).flatMap((header) => unclaimed.filter((name) => foldName(name) === header));
    if (column === undefined) continue;
    columnOf.set(field, column);
    free.delete(column);
  }
  // Half a cashback is none.
  if (!columnOf.has('cashbackType')) columnOf.delete('cashbackValue');
  if (!columnOf.has('cashbackValue')) columnOf.delete('cashbackType');
  return columnOf;
}

/** The name of a column, or a rule where most feeds need one. */
function describeColumn(field: FeedField, column: string): unknown {
  if (MONEY_FIELDS.includes(field)) return { column, strip: ['£', ','] };
  return field === 'dataGb' && /mb\W*$/i.test(column) ? { column, unit: 'MB' } : column;
}
