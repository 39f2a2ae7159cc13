import type { z } from 'zod';
import type { Notice, NoticeCode } from '../../data/report/notice.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { quote, showFound, truncateText } from './quote.ts';
import type { SourceLocation } from './record.ts';

/** The names of a file in messages. */
interface NamedFile {
  readonly source: string;
  /** Undefined for an error of the whole source. */
  readonly path?: string;
}

/** A source that cannot be read: the others go on without it. The message says where, what was expected and what was found. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: NoticeCode;
  readonly source: string;
  readonly file: string | undefined;
  readonly line: number | undefined;

  /** @param sentence the message without its location: `expected a header, got an empty file` */
  constructor(code: NoticeCode, file: NamedFile, line: number | undefined, sentence: string, cause?: unknown) {
    const { source, path } = file;
    super(`${path ?? source}${line === undefined ? '' : `:${line}`}: ${sentence}`, { cause });
    this.code = code;
    this.source = source;
    this.file = path;
    this.line = line;
  }

  /** The notice of the source; `found` is the whole sentence. */
  toNotice(): Notice {
    const { code, source, file, line, message } = this;
    return { code, source, file, line, found: message };
  }
}

export function sourceMalformed(
  file: NamedFile,
  line: number | undefined,
  sentence: string,
  cause?: unknown,
): SourceError {
  return new SourceError('source-malformed', file, line, sentence, cause);
}

/** A file ends within its last record, which may look complete; later records are missing. */
export function truncatedRecord(file: NamedFile, line: number, expected: string): SourceError {
  const sentence = `expected ${expected}, got the end of the file within the record; fetch the file again`;
  return sourceMalformed(file, line, sentence);
}

/** A configuration that cannot be used. `faults` has one sentence for each error, with file and key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[], options?: { readonly cause?: unknown }) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}

export function locationIn({ source, path }: Required<NamedFile>, line: number): SourceLocation {
  return { source, file: path, line };
}

/** Where a record is, with its labels as far as they are known. */
export interface RecordLocation extends SourceLocation {
  /** `101/new`, a deal key, a slug. */
  readonly record?: string | undefined;
  /** The slug and the name of a CMS record, for searches. */
  readonly names?: readonly string[] | undefined;
}

/** A notice about a record. A long `found` is cut. */
export function noticeAt(location: RecordLocation, { code, ...facts }: NoticeDetails): Notice {
  const { source, file, line, list, record, names = [] } = location;
  return {
    code,
    source,
    file,
    line,
    list,
    record: record?.slice(0, 200),
    ...facts,
    found: facts.found === undefined ? undefined : truncateText(facts.found),
    names: names.length > 0 ? names.map((name) => name.slice(0, 300)) : undefined,
  };
}

export function shownValue(found: unknown): Pick<Notice, 'found' | 'isFoundJson'> {
  return { found: showFound(found), isFoundJson: typeof found === 'string' ? undefined : true };
}

/**
 * One notice for all errors of a record: the first error in its fields, the others in its remedy.
 *
 * @param remedy for the first error, where the reader knows a better one than the notice code has
 */
export function fieldErrorNotice(
  location: RecordLocation,
  { path: field, expected, found }: FieldError,
  others: readonly FieldError[],
  remedy?: string,
): Notice {
  const also = `${remedy ?? 'correct the field'}, and also ${others.map(describeFieldError).join('; ')}`;
  return noticeAt(location, {
    code: found === undefined ? 'missing-field' : 'malformed-field',
    field,
    expected,
    ...(found !== undefined && shownValue(found)),
    remedy: others.length > 0 ? also : remedy,
  });
}

export interface FieldError {
  /** `feeds[0].adapter`; empty for the whole value. */
  readonly path: string;
  /** `"deals" or "awin"`, `a whole number` */
  readonly expected: string;
  /** The value; undefined when it is missing. */
  readonly found: unknown;
}

const TYPE_TEXT: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** Converts an issue of zod, parsed with `reportInput`. */
export function toFieldError(issue: z.core.$ZodIssue): FieldError {
  return { path: joinPath(issue.path), expected: describeExpected(issue), found: findInput(issue) };
}

/** The issue of a discriminated union is about the discriminator, but its input is the whole object. */
function findInput(issue: z.core.$ZodIssue): unknown {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input;
  return (issue.input as Readonly<Record<string, unknown>>)[issue.discriminator];
}

/** `gates.minRows: expected a whole number, got "20"` */
export function describeFieldError({ path, expected, found }: FieldError): string {
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${found === undefined ? 'nothing' : quote(found)}`;
}

/** `['feeds', 0, 'adapter']` as `feeds[0].adapter`. */
export function joinPath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`))
    .join('');
}

function describeExpected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_TEXT[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return joinAlternatives(issue.values.map((value) => quote(value)));
    case 'too_small':
      return issue.minimum === 1 && issue.origin === 'string'
        ? 'a text that is not empty'
        : describeBound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue.origin, 'at most', issue.maximum);
    case 'invalid_format':
      return issue.format === 'date' ? 'a date such as 2026-11-20' : issue.message;
    case 'invalid_union':
      if ('options' in issue && issue.options !== undefined) {
        return joinAlternatives(issue.options.map((option) => quote(option)));
      }
      return joinAlternatives([...new Set(issue.errors.flatMap((issues) => issues.slice(0, 1).map(describeExpected)))]);
    case 'unrecognized_keys':
      return 'no such key';
    case 'custom':
    case 'not_multiple_of':
    case 'invalid_element':
      return issue.message;
    case 'invalid_key':
      return joinAlternatives(issue.issues.slice(0, 1).map(describeExpected));
  }
}

function describeBound(origin: string, bound: string, size: number | bigint): string {
  switch (origin) {
    case 'string':
      return `a text of ${bound} ${size} characters`;
    case 'array':
      return `a list of ${bound} ${size}`;
    default:
      return `a number of ${bound} ${size}`;
  }
}

/** `a, b or c` */
function joinAlternatives(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}
