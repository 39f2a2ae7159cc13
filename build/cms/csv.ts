import { posix } from 'node:path';
import type { z } from 'zod';
import { normalizeName } from '../source/clean-text.ts';
import { locationIn, noticeAt, sourceMalformed } from '../source/errors.ts';
import { valueAt } from '../source/json.ts';
import { findNearestName, unreadName } from '../source/nearest-name.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { SourceLocation } from '../source/record.ts';
import { findColumns, HEADER_LINE_SCHEMA, readTable, type TableHeader } from '../source/table.ts';
import { readTextLines } from '../source/text-lines.ts';
import { CmsEntry, CmsImage, findImageByUrl, type CmsAdapter } from './adapter.ts';
import type { RecordCollector } from './catalogue.ts';
import { CMS_FIELDS, ENTITY_SCHEMAS, ENTITY_TYPES, type EntityType } from './fields.ts';
import { EntryMapper, setField } from './map-entries.ts';
import { compileMapping, MAPPING_SCHEMA, type Convention, type EntityMapping, type FieldRule } from './mapping.ts';

/** The columns of a sheet are called as our fields; the name of its file says what is in it. */
const CONVENTION: Convention = {
  typeOf: (noun) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`),
  fields: Object.fromEntries(
    ENTITY_TYPES.flatMap((list) => [...CMS_FIELDS[list].keys()].map((name) => [name, [name]])),
  ),
  texts: 'cells',
};

const settings = {
  mapping: MAPPING_SCHEMA.optional().describe('the lists that are read, and columns that are not called as our fields'),
  headerLine: HEADER_LINE_SCHEMA.describe('the line with the names of the columns'),
};

type SheetSettings = Readonly<z.infer<z.ZodObject<typeof settings>>>;

/** Spreadsheets, saved as CSV: each file is the table of one list, a row is a record. */
export const sheet = { settings, create: createSheetAdapter };

function createSheetAdapter({ mapping: given, headerLine }: SheetSettings): CmsAdapter {
  const every = Object.fromEntries(ENTITY_TYPES.map((list) => [list, { fields: {} }]));
  const mapping = compileMapping(given ?? every, CONVENTION);
  return async ({ source, files, open }, collector) => {
    const paths = files.map(({ path }) => path);
    const types = paths.map(typeOf);
    // Without a mapping, the name of a file says what it lists.
    const lists = given === undefined ? mapping.lists.filter(({ type }) => types.includes(type)) : mapping.lists;
    const [only, ...others] = lists;
    if (only === undefined) {
      const names = mapping.lists.map(({ type }) => `${type}.csv`);
      const sentence = `expected one of ${names.join(', ')}; rename the file, or say in \`mapping\` what it lists`;
      throw sourceMalformed({ source, path: paths[0] ?? '' }, undefined, sentence);
    }
    const isOneList = given !== undefined && others.length === 0 && given[only.list]?.type === undefined;
    const mapper = new EntryMapper({ ...mapping, lists }, collector, findImage);
    for (const file of files) {
      const name = typeOf(file.path);
      const list = isOneList ? only : lists.find(({ type }) => foldType(type) === name);
      if (list !== undefined) await readSheet(open(file), headerLine, list, mapper, collector);
      // The file is counted.
      else mapper.add(new CmsEntry(name, () => undefined), { source, file: file.path, line: 1 });
    }
    mapper.finish(source, paths.length === 1 ? paths[0] : undefined);
  };
}

/** `gift-categories` of `cms/Gift categories.csv.gz` */
function typeOf(path: string): string {
  return foldType(posix.basename(path).split('.', 1).join(''));
}

function foldType(type: string): string {
  return type.toLowerCase().replaceAll(/[\s_-]+/g, '-');
}

/** A picture is a URL, or a path relative to the sheet. */
function findImage(text: string): CmsImage {
  return findImageByUrl(text) ?? new CmsImage(text.replaceAll('\\', '/'));
}

async function readSheet(
  file: OpenedFile,
  headerLine: number,
  list: EntityMapping,
  mapper: EntryMapper,
  collector: RecordCollector,
): Promise<void> {
  const { type } = list;
  const readHeader = (names: TableHeader) => {
    const columns = [...findSheetColumns(names, list, collector)];
    return (cells: readonly string[], origin: SourceLocation) => {
      const record: Record<string, unknown> = {};
      for (const [column, i] of columns) setField(record, column, cells[i]);
      mapper.add(new CmsEntry(type, (key) => valueAt(record, key)), origin);
    };
  };
  const layout = { delimiter: 'any', headerLine, isSpreadsheet: true } as const;
  for await (const batch of readTable(file, readTextLines(file), readHeader, layout)) {
    for (const row of batch) if (row !== undefined) mapper.exclude(type, row.notice);
  }
}

/**
 * The position of each column that the rules of a list name, without case and extra spaces.
 *
 * @throws {SourceError} `missing-column` with all that are missing, `source-malformed` for a repeated column.
 */
function findSheetColumns(
  header: TableHeader,
  { list, fields }: EntityMapping,
  collector: RecordCollector,
): ReadonlyMap<string, number> {
  const { file, line } = header;
  const wanted = new Map(fields.flatMap(({ rule }) => columnsOf(rule).map((name) => [normalizeName(name), name])));
  // The ids in each feed have a column of their own: `matches.feedIds.awin`.
  const feedIds = fields.find(({ kind }) => kind === 'feedIds')?.name ?? '';
  const columnOf = (name: string): string | undefined => {
    const folded = normalizeName(name);
    const isFeedIds = feedIds !== '' && folded.startsWith(`${normalizeName(feedIds)}.`);
    return isFeedIds ? feedIds + folded.slice(feedIds.length) : wanted.get(folded);
  };
  const needed = fields
    .filter(({ name, rule }) => isRequired(list, name) || !columnsOf(rule).includes(name))
    .map(({ rule }) => columnsOf(rule))
    .filter((own) => own.length > 0);
  return findColumns(header, columnOf, needed, {
    remedy: 'name them so, or say in `mapping` what they are called',
    onUnread: (name, positions) => {
      const free = fields.map((field) => field.name).filter((field) => !positions.has(field));
      const nearest = findNearestName(name, free);
      collector.note(noticeAt(locationIn(file, line), { code: 'unknown-column', ...unreadName(name, nearest) }));
    },
  });
}

/** A path leads to the column of its name, with its points. */
function columnsOf({ paths }: FieldRule): readonly string[] {
  return paths.map(({ steps }) => steps.join('.'));
}

function isRequired(list: EntityType, name: string): boolean {
  const schema = (ENTITY_SCHEMAS[list].shape as Readonly<Record<string, z.ZodType | undefined>>)[name];
  return schema?.safeParse(undefined).success === false;
}
