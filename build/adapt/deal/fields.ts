import { findNearestWord } from '../../../data/query/edit-distance.ts';
import { SourceError } from '../../source/errors.ts';
import { findNearestName } from '../../source/nearest-name.ts';
import type { OpenedFile } from '../../source/open-file.ts';
import { quote } from '../../source/quote.ts';
import type { FeedContext } from './adapter.ts';

/** The columns of our own feed, which are the keys of its NDJSON form too. */
export const DEALS_COLUMNS = [
  'dealId',
  'productId',
  'productName',
  'gtin',
  'condition',
  'retailer',
  'network',
  'dealType',
  'contractName',
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
  'upfrontCost',
  'monthlyCost',
  'totalCost',
  'cashbackType',
  'cashbackValue',
  'gift',
  'dealLink',
  'productImage',
  'validFrom',
  'validTo',
  'inStock',
] as const;

export type DealsColumn = (typeof DEALS_COLUMNS)[number];

/** The fields of foreign feeds: ours, and those that our own feed has in the name of the phone. */
export const FEED_FIELDS = [...DEALS_COLUMNS, 'storage', 'colour'] as const;

export type FeedField = (typeof FEED_FIELDS)[number];

const MONEY_FIELDS = [
  'upfrontCost',
  'monthlyCost',
  'totalCost',
  'cashbackValue',
] as const satisfies readonly DealsColumn[];

/** The fields whose text is a number, or `unlimited`. */
export const NUMBER_FIELDS = [
  ...MONEY_FIELDS,
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
] as const satisfies readonly DealsColumn[];

/** Every deal needs these. */
export const REQUIRED_COLUMNS = [
  'dealId',
  'retailer',
  'network',
  'contractName',
  'contractMonths',
  'upfrontCost',
  'monthlyCost',
  'dealLink',
] as const satisfies readonly DealsColumn[];

export const ALLOWANCE_COLUMNS = ['dataGb', 'callMinutes', 'textMessages'] as const satisfies readonly DealsColumn[];

/** A deal names its product in at least one of these ways. */
export const PRODUCT_COLUMNS = ['productId', 'productName', 'gtin'] as const satisfies readonly DealsColumn[];

const COLUMN_NAMES: ReadonlySet<string> = new Set(DEALS_COLUMNS);

export function isDealsColumn(name: string): name is DealsColumn {
  return COLUMN_NAMES.has(name);
}

/**
 * Notes an unknown column, with the one that was probably meant.
 *
 * @param names all columns: an existing one is suggested only for a misspelling of it
 */
export function noteUnknownColumn(
  file: OpenedFile,
  context: FeedContext,
  name: string,
  names: readonly string[],
  line: number,
): void {
  const nearest =
    findNearestWord(name, DEALS_COLUMNS) ??
    findNearestName(
      name,
      DEALS_COLUMNS.filter((column) => !names.includes(column)),
    );
  context.note({
    code: 'unknown-column',
    source: file.source,
    file: file.path,
    line,
    field: name.slice(0, 80),
    expected: nearest === undefined ? `one of ${DEALS_COLUMNS.join(', ')}` : `perhaps ${nearest}`,
    ...(nearest !== undefined && { remedy: `if it should be read, call it ${quote(nearest)}` }),
  });
}

/**
 * The position of every column of the header.
 *
 * @throws {SourceError} `missing-column` with all that are missing, `source-malformed` for a repeated column.
 */
export function findDealsColumns(
  file: OpenedFile,
  context: FeedContext,
  names: readonly string[],
  line: number,
): ReadonlyMap<DealsColumn, number> {
  const positions = new Map<DealsColumn, number>();
  for (const [position, name] of names.entries()) {
    if (!isDealsColumn(name)) {
      // A spreadsheet may save empty columns.
      if (name !== '') noteUnknownColumn(file, context, name, names, line);
    } else if (positions.has(name)) {
      throw headerError(file, line, 'source-malformed', `the column ${name} once, got it twice`);
    } else {
      positions.set(name, position);
    }
  }
  const missing: string[] = REQUIRED_COLUMNS.filter((name) => !positions.has(name));
  if (context.missingAllowance !== 'unlimited') {
    missing.push(...ALLOWANCE_COLUMNS.filter((name) => !positions.has(name)));
  }
  if (!PRODUCT_COLUMNS.some((name) => positions.has(name))) missing.push(PRODUCT_COLUMNS.join(' or '));
  if (missing.length > 0) {
    const wanted = missing.map((column) => describeMissing(column, names)).join(', ');
    throw headerError(file, line, 'missing-column', `the columns ${wanted}, got ${quote(names.join(','))}`);
  }
  return positions;
}

/** `monthlyCost (perhaps "monthly")` */
function describeMissing(column: string, names: readonly string[]): string {
  // With another delimiter one name is the whole header.
  const unread = names.filter((name) => !isDealsColumn(name) && !/[,;|\t]/.test(name));
  const nearest = findNearestName(column, unread);
  return nearest === undefined ? column : `${column} (perhaps ${quote(nearest)})`;
}

function headerError(file: OpenedFile, line: number, code: SourceError['code'], expected: string): SourceError {
  const message = `${file.path}:${line}: expected ${expected}`;
  return new SourceError({ code, source: file.source, file: file.path, line, message });
}
