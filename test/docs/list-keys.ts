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

/** The keys of the variants of an object, by their schemas; what several have alike is one key. */
export function listKeys(variants: Readonly<Record<string, JsonSchema>>, depth: number): readonly FormatKey[] {
  const keys = new Map<string, FormatKey>();
  for (const [variant, schema] of Object.entries(variants)) {
    for (const key of keysOf(schema, '', depth)) {
      const same = JSON.stringify(key);
      keys.set(same, { ...key, of: [...(keys.get(same)?.of ?? []), variant] });
    }
  }
  return [...keys.values()];
}

/** The keys of an object, and in the place of an object within it its own keys. */
function keysOf(schema: JsonSchema, prefix: string, depth: number): readonly Omit<FormatKey, 'of'>[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries(propertiesOf(schema)).flatMap(([key, inner]) => {
    const items = inner['items'] as JsonSchema | undefined;
    const name = `${prefix}${key}`;
    const nested = depth === 1 ? [] : keysOf(items ?? inner, `${name}${items === undefined ? '' : '[]'}.`, depth - 1);
    const own = {
      name,
      isRequired: required.includes(key),
      byDefault: inner['default'],
      example: (inner['examples'] as readonly unknown[] | undefined)?.[0],
      meaning: (inner['description'] ?? '') as string,
    };
    return nested.length > 0 && items === undefined ? nested : [own, ...nested];
  });
}

/** The schemas of the keys of an object. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
}
