import type { z } from 'zod';
import { quote } from './quote.ts';

/** One thing that a schema holds against a value. */
export interface SchemaFault {
  /** `feeds[0].adapter`; empty for the value itself. */
  readonly path: string;
  /** `"deals" or "awin"`, `a whole number` */
  readonly expected: string;
  /** What was there instead; undefined when there was nothing. */
  readonly found: unknown;
  /** What to do about it, where the reader knows better than the code of the notice. */
  readonly remedy?: string | undefined;
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

/** Says what an issue of zod, parsed with `reportInput`, expected and found. */
export function describeSchemaIssue(issue: z.core.$ZodIssue): SchemaFault {
  return { path: joinPath(issue.path), expected: describeExpected(issue), found: findInput(issue) };
}

/** Of a union of objects that differ in one key the issue is about this key, and its input is the whole object. */
function findInput(issue: z.core.$ZodIssue): unknown {
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return issue.input;
  return (issue.input as Readonly<Record<string, unknown>>)[issue.discriminator];
}

/** `gates.minRows: expected a whole number, got "20"` */
export function describeSchemaFault({ path, expected, found }: SchemaFault): string {
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
