import { z } from 'zod';
import { isJsonObject } from './json.ts';
import { findNearestName } from './nearest-name.ts';
import { quote } from './quote.ts';

export interface FieldError {
  /** `feeds[0].adapter`; empty for the whole value. */
  readonly path: string;
  /** `"deals" or "awin"`, `a whole number` */
  readonly expected: string;
  /** The value; undefined when it is missing. */
  readonly found: unknown;
  /** The remedy, where the reader knows a better one than the notice code has. */
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

/** A record with more unknown keys is not one of ours: it needs no more suggestions. */
const MAX_SUGGESTIONS = 100;

export interface UnknownKey {
  /** `specs.colour` */
  readonly path: string;
  readonly suggestion: string | undefined;
}

/**
 * Copies `value` without the keys that `schema` does not know, and returns those keys. Null counts as absent: exports
 * write null for an empty field.
 */
export function dropUnknownKeys(
  schema: z.core.$ZodType,
  value: unknown,
): { readonly value: unknown; readonly unknown: readonly UnknownKey[] } {
  const unknown: UnknownKey[] = [];
  return { value: copyKnown(schema, value, '', unknown), unknown };
}

function copyKnown(schema: z.core.$ZodType, value: unknown, path: string, unknown: UnknownKey[]): unknown {
  const members = membersOf(schema);
  if (members === undefined || !isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const childPath = path === '' ? key : `${path}.${key}`;
    const member = members.get(key);
    if (member === undefined) {
      const suggestion = unknown.length < MAX_SUGGESTIONS ? findNearestName(key, [...members.keys()]) : undefined;
      unknown.push({ path: childPath, suggestion });
    } else if (child !== null) {
      copy[key] = copyKnown(member, child, childPath, unknown);
    }
  }
  return copy;
}

/** The keys that a schema allows, with the schemas of their values; undefined where any key is allowed. */
export function membersOf(schema: z.core.$ZodType): ReadonlyMap<string, z.core.$ZodType> | undefined {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodObject) return new Map(Object.entries(inner.shape));
  if (!(inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum)) return undefined;
  const { keyType, valueType } = inner;
  return new Map(keyType.options.map((key) => [String(key), valueType]));
}

/** The schema inside of optional, default and the like. */
function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = (schema as z.ZodType).def as { readonly innerType?: z.core.$ZodType };
  return innerType === undefined ? schema : withoutWrappers(innerType);
}
