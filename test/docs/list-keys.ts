import type { JsonSchema } from '../../data/schema/response.ts';

/** A key of a format, for people. */
export interface FormatKey {
  /** `content.heading` */
  readonly name: string;
  /** The variants of the object that have it in this way: lists of records, adapters. */
  readonly of: readonly string[];
  readonly isRequired: boolean;
  readonly byDefault: unknown;
  readonly example: unknown;
  readonly meaning: string;
}

/** How deep the keys of keys are listed. */
const MAX_DEPTH = 2;

/** The keys of the variants of an object, by their schemas; what several have alike is one key. */
export function listKeys(variants: Readonly<Record<string, JsonSchema>>, depth = MAX_DEPTH): readonly FormatKey[] {
  const keys = new Map<string, FormatKey>();
  for (const [variant, schema] of Object.entries(variants)) {
    for (const key of keysOf(schema, '', depth)) {
      const same = JSON.stringify(key);
      keys.set(same, { ...key, of: [...(keys.get(same)?.of ?? []), variant] });
    }
  }
  return [...keys.values()];
}

function keysOf(schema: JsonSchema, prefix: string, depth: number): readonly Omit<FormatKey, 'of'>[] {
  const properties = propertiesOf(schema);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(properties).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`;
    const own = {
      name,
      isRequired: required.includes(key),
      byDefault: inner['default'],
      example: (inner['examples'] as readonly unknown[] | undefined)?.[0],
      meaning: typeof inner['description'] === 'string' ? inner['description'] : '',
    };
    const isList = inner['type'] === 'array';
    const nested = isList ? ((inner['items'] ?? {}) as JsonSchema) : inner;
    return depth === 1 ? [own] : [own, ...keysOf(nested, `${name}${isList ? '[]' : ''}.`, depth - 1)];
  });
}

/** The schemas of the keys of an object. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}
