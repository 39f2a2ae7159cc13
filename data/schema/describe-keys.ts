import type { z } from 'zod';
import { describeField, type Field } from '../field/field.ts';

/**
 * The schemas of an object's keys with what the table of its fields says of each: meaning, unit, example. The compiler
 * finds a row without a schema.
 * @throws {Error} of a schema without a row, at the start of the program
 */
export function describeKeys<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  fields: readonly (Field & { readonly key: keyof Shape })[],
): Shape {
  const described = Object.entries(shape).map(([key, schema]): [string, z.ZodType] => {
    const field = fields.find((candidate) => candidate.key === key);
    if (field === undefined) throw new Error(`the key ${key} of an answer has no row in a table of fields`);
    return [key, schema.meta({ description: describeField(field), examples: [field.example] })];
  });
  return Object.fromEntries(described) as Shape;
}
