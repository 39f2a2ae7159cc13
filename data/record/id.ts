import { z } from 'zod';

/** Decimal digits without a leading zero; text, since ids may be larger than 2^53 (spec §2.1). */
const DECIMAL_ID = /^(?:0|[1-9][0-9]{0,19})$/;

/** Lower-case and URL-safe, with at least one letter, so that no slug can be taken for an id. Linear by construction. */
const SLUG = /^[0-9._~-]*[a-z][a-z0-9._~-]*$/;

const SLUG_MAX_LENGTH = 200;

export const decimalIdSchema = z.string().regex(DECIMAL_ID, 'decimal digits without a leading zero, such as "101"');
/** The published id of a product. Not unique: the new and the refurbished variant share it (spec §2.2). */
export const productIdSchema = decimalIdSchema.brand<'ProductId'>();

/** An id of a source, also as a whole number: `101` for `"101"`. A number beyond 2^53 has lost digits and is refused. */
export function orWholeNumber<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z
    .preprocess((value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : value), schema)
    .meta({ type: ['string', 'integer'] });
}

export const slugSchema = z
  .string()
  .max(SLUG_MAX_LENGTH)
  .regex(SLUG, 'a lower-case URL-safe text with at least one letter, such as "google-pixel-9"');

/** Numeric order of decimal ids of any size (`"9"` before `"10"`). */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareCodeUnits(a, b);
}

/** Order by UTF-16 code unit: the same on every machine and in every locale. */
export function compareCodeUnits(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
