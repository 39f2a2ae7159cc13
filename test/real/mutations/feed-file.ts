import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { readTable } from '../../support/table.ts';

/** How a feed is written: what its files look like, and where each fact stands. */
export type Shape = 'deals' | 'lines' | 'awin' | 'sheet' | 'shop';

/** A feed of a world. */
export interface FeedFile {
  readonly name: string;
  readonly shape: Shape;
  readonly path: string;
  readonly isPacked: boolean;
  readonly table: Table;
}

/** A feed as rows of texts. Mutations change it in place. */
export interface Table {
  header: string[];
  rows: string[][];
}

/** How a table becomes text again. */
export interface Style {
  delimiter: string;
  eol: string;
  quote: 'where needed' | 'all' | 'none';
}

/** A place of a fact: a column, a key within its JSON, or the group of a pattern within its text. */
interface Cell {
  readonly column: string;
  readonly key?: readonly string[];
  readonly pattern?: string;
}

type CellLine = readonly [shape: Shape, field: string, ...cells: Cell[]];

const CELLS: ReadonlyMap<string, readonly Cell[]> = new Map(
  readTable<CellLine>(import.meta.url, 'feeds/cells.ndjson').map(([shape, field, ...cells]) => [
    `${shape} ${field}`,
    cells,
  ]),
);

/**
 * Where a field stands. A field that a shape does not rename is a column of that name. `monthlyCost.column` is only the
 * first place, `monthlyCost.rest` all others.
 */
function cellsOf(shape: Shape, field: string): readonly Cell[] {
  const [name = '', only] = field.split('.');
  const cells = CELLS.get(`${shape} ${name}`) ?? [{ column: field }];
  if (only === 'column') return cells.slice(0, 1);
  return only === 'rest' ? cells.slice(1) : cells;
}

/** The first column of a field. */
export const columnOf = (shape: Shape, field: string): string => cellsOf(shape, field)[0]?.column ?? field;

function columnIndex(table: Table, column: string): number {
  const index = table.header.indexOf(column);
  if (index < 0) throw new RangeError(`column ${column}: expected in the header, got ${table.header.join(' ')}`);
  return index;
}

type JsonObject = Record<string, unknown>;

/** The object in a JSON text that has the last key of a path; undefined for a text that is no JSON object. */
function openJson(text: string, path: readonly string[]): { whole: JsonObject; inner: JsonObject } | undefined {
  if (!text.endsWith('}')) return undefined;
  const whole = JSON.parse(text) as JsonObject;
  const inner = path.slice(0, -1).reduce((object, key) => (object[key] ?? {}) as JsonObject, whole);
  return { whole, inner };
}

/** What stands in a place of a row; `undefined` where the row has no such place. */
function readCell(table: Table, row: readonly string[], cell: Cell): string | undefined {
  const text = row[columnIndex(table, cell.column)] ?? '';
  if (cell.key !== undefined) {
    const fact = openJson(text, cell.key)?.inner[cell.key.at(-1) ?? ''];
    return typeof fact === 'string' ? fact : undefined;
  }
  return cell.pattern === undefined ? text : new RegExp(cell.pattern).exec(text)?.groups?.['fact'];
}

function writeCell(table: Table, row: string[], cell: Cell, fact: string): void {
  const index = columnIndex(table, cell.column);
  const text = row[index] ?? '';
  if (cell.key !== undefined) {
    const json = openJson(text, cell.key);
    if (json === undefined) return;
    json.inner[cell.key.at(-1) ?? ''] = fact;
    row[index] = JSON.stringify(json.whole);
  } else if (cell.pattern === undefined) row[index] = fact;
  else
    row[index] = text.replace(
      new RegExp(cell.pattern),
      (_, before: string, __, after: string) => before + fact + after,
    );
}

/** The facts of a field in a row, one for each place. */
export function readField(shape: Shape, table: Table, row: readonly string[], field: string): (string | undefined)[] {
  return cellsOf(shape, field).map((cell) => readCell(table, row, cell));
}

/** Writes every place of a field: by its own text of before, or one fact for all. */
export function writeField(
  shape: Shape,
  table: Table,
  row: string[],
  field: string,
  fact: (before: string, place: number) => string | undefined,
): void {
  cellsOf(shape, field).forEach((cell, place) => {
    const before = readCell(table, row, cell);
    const after = before === undefined ? undefined : fact(before, place);
    if (after !== undefined) writeCell(table, row, cell, after);
  });
}

const ITEM_COLUMNS_WITHOUT_PREFIX = new Set(['title', 'link', 'description']);
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function writeRss(table: Table, eol: string): string {
  const items = table.rows.map((row) => {
    const lines = row.flatMap((text, index) => {
      const column = table.header[index] ?? '';
      const tag = ITEM_COLUMNS_WITHOUT_PREFIX.has(column) ? column : `g:${column}`;
      return text === '' ? [] : [`  <${tag}>${escapeXml(text)}</${tag}>`];
    });
    return ['<item>', ...lines, '</item>'].join(eol);
  });
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">',
  ];
  return [...head, '<channel>', '<title>Phone contracts</title>', ...items, '</channel>', '</rss>', ''].join(eol);
}

function writeLines(table: Table, eol: string): string {
  const lines = table.rows.map((row) =>
    JSON.stringify(
      Object.fromEntries(table.header.flatMap((column, at) => (row[at] ? [[column, row[at]] as const] : []))),
    ),
  );
  return lines.map((line) => line + eol).join('');
}

function writeCsv(table: Table, style: Style): string {
  const needsQuotes = (text: string) => text.includes(style.delimiter) || /["\r\n]/u.test(text);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const cell = (text: string) => {
    if (style.quote === 'none') return text;
    return style.quote === 'all' || needsQuotes(text) ? quoted(text) : text;
  };
  return [table.header, ...table.rows].map((row) => row.map(cell).join(style.delimiter) + style.eol).join('');
}

export function writeTable(shape: Shape, table: Table, style: Style): string {
  if (shape === 'lines') return writeLines(table, style.eol);
  return shape === 'shop' ? writeRss(table, style.eol) : writeCsv(table, style);
}

export const styleOf = (shape: Shape): Style => ({
  delimiter: shape === 'sheet' ? ';' : ',',
  eol: '\n',
  quote: 'where needed',
});

/** The bytes of a feed that nothing has damaged. */
export function soundBytes({ shape, table, isPacked }: FeedFile): Buffer {
  const bytes = Buffer.from(writeTable(shape, table, styleOf(shape)));
  return isPacked ? packFeed(bytes) : bytes;
}

/** Reads a CSV file of ours, plain or `.gz`, without rows whose id was there before: of these the first counts. */
export function openFeed(folder: string, name: string, shape: Shape, path: string): FeedFile {
  const isPacked = path.endsWith('.gz');
  const bytes = readFileSync(join(folder, path));
  const [header = [], ...all]: string[][] = parse(isPacked ? gunzipSync(bytes) : bytes, { relax_column_count: true });
  const ids = new Set<string>();
  const rows = all.filter((row) => {
    const [id = ''] = readField(shape, { header, rows: all }, row, 'dealId');
    return !ids.has(id) && ids.add(id);
  });
  return { name, shape, path, isPacked, table: { header, rows } };
}

export const packFeed = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 1 });
