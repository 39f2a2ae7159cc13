import { z } from 'zod';
import { findNearestName, listInnerNames } from './nearest-name.ts';

/** The keys that a schema knows at one place of `value`; undefined where any key goes. */
export function knownKeysAt(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): readonly string[] | undefined {
  let inner: z.core.$ZodType | undefined = pickOption(schema, value);
  let innerValue = value;
  for (const key of path) {
    innerValue = isObject(innerValue) || Array.isArray(innerValue) ? Reflect.get(innerValue, key) : undefined;
    const child: z.core.$ZodType | undefined = inner && childOf(inner, key);
    inner = child && pickOption(child, innerValue);
  }
  return inner && knownKeys(inner);
}

/** Of a union of objects that differ in one key the one that `value` names, of any other the one that is an object. */
function pickOption(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  const inner = unwrap(schema);
  if (!(inner instanceof z.ZodUnion) || !isObject(value)) return inner;
  const objects = inner.options.filter((option) => option instanceof z.ZodObject);
  const key = inner instanceof z.ZodDiscriminatedUnion ? inner.def.discriminator : undefined;
  const named = objects.find(
    ({ shape }) => key !== undefined && z.safeParse(shape[key] as z.ZodType, value[key]).success,
  );
  return named ?? objects[0] ?? inner;
}

/** A record with more unknown keys is no record of ours: what its others were meant to be is not worth the search. */
export const MAX_SUGGESTIONS = 100;

/** A key that a record has and its schema does not know. */
export interface UnknownKey {
  /** `specs.colour` */
  readonly path: string;
  readonly suggestion: string | undefined;
}

/**
 * A copy of `value` without the keys that `schema` does not know, and those keys. A key whose value is null is as
 * good as absent: exports write null for a field that nobody has filled.
 */
export function dropUnknownKeys(
  schema: z.core.$ZodType,
  value: unknown,
): { readonly value: unknown; readonly unknown: readonly UnknownKey[] } {
  const unknown: UnknownKey[] = [];
  return { value: copyKnown(schema, value, '', unknown), unknown };
}

function copyKnown(schema: z.core.$ZodType, value: unknown, path: string, unknown: UnknownKey[]): unknown {
  const known = knownKeys(schema);
  if (known === undefined || !isObject(value)) return value;
  const names = path === '' ? [...known, ...listInnerNames(known)] : known;
  const suggest = (key: string): string | undefined => findNearestName(key, names);
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const childPath = path === '' ? key : `${path}.${key}`;
    if (!known.includes(key)) {
      unknown.push({ path: childPath, suggestion: unknown.length < MAX_SUGGESTIONS ? suggest(key) : undefined });
    } else if (child !== null) {
      copy[key] = copyKnown(childOf(schema, key) ?? z.unknown(), child, childPath, unknown);
    }
  }
  return copy;
}

function knownKeys(schema: z.core.$ZodType): readonly string[] | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum) return inner.keyType.options.map(String);
  return undefined;
}

function childOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return (inner.shape as Record<PropertyKey, z.core.$ZodType>)[key];
  if (inner instanceof z.ZodRecord) return inner.valueType;
  if (inner instanceof z.ZodArray) return inner.element;
  return undefined;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  ) {
    return unwrap(schema.unwrap());
  }
  return schema;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
