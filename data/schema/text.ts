import { z } from 'zod';
import { describeField, type Field } from '../field/field.ts';

/**
 * Schemas of the texts in a response. Patterns are anchored, linear by construction, and without flags: JSON Schema can
 * express nothing else, and zod drops it silently.
 */

export const WHOLE_NUMBER = '(?:0|[1-9][0-9]*)';
export const GIGABYTES = `${WHOLE_NUMBER}(?:\\.[0-9]{0,2}[1-9])?`;

export const idSchema = z.string().regex(/^(?:0|[1-9][0-9]*)$/);
export const slugSchema = z.string().regex(/^[0-9._~-]*[a-z][a-z0-9._~-]*$/);
export const textSchema = z.string().min(1);
/** Of a picture or a link. */
export const urlSchema = z.string().regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/);
export const optionalUrlSchema = z.string().regex(/^(?:$|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/])/);
export const conditionSchema = z.enum(['New', 'Refurbished']);
export const dateSchema = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);

/** The schema of a key of a response: what its value means, an example, and the unit of a number. */
export function keyOf<Schema extends z.ZodType>(
  schema: Schema,
  meaning: string,
  example: Field['example'],
  unit?: string,
): Schema {
  return schema.meta({ description: describeField({ meaning, unit }), examples: [example] });
}

/** The schemas of the keys that a table of fields has, with what it says of them. */
export function describeKeys<Key extends string, Shape extends Readonly<Record<Key, z.ZodType>>>(
  fields: readonly (Field & { readonly key: Key })[],
  shape: Shape,
): Shape {
  const described = fields.map(({ key, meaning, example, unit }) => [key, keyOf(shape[key], meaning, example, unit)]);
  return Object.fromEntries(described);
}
