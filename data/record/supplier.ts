import { z } from 'zod';
import { decimalIdSchema, slugSchema } from './id.ts';
import { feedIdsSchema, nameSchema, webUrlSchema } from './product.ts';

/** The ready-made badges of a network: three sizes for deals, one for `cheapestDeal` (spec §2.5, §2.10). */
const networkLogosSchema = z.object({
  small: webUrlSchema.optional(),
  medium: webUrlSchema.optional(),
  large: webUrlSchema.optional(),
  deal: webUrlSchema.optional(),
});

const retailerLogosSchema = z.object({ large: webUrlSchema.optional(), deal: webUrlSchema.optional() });

const supplier = {
  id: decimalIdSchema,
  name: nameSchema,
  slug: slugSchema,
  aliases: z.array(nameSchema).max(1_000).default([]),
  /** The ids by which feeds know it, by the name of the feed: `{"awin": ["21"]}`. */
  feedIds: feedIdsSchema.optional(),
  /** The path of an original, rendered at build time in place of `logos`. */
  logo: z.string().min(1).max(1_000).optional(),
};

/** A network: the contract supplier of the specification. */
export const networkRecordSchema = z.object({ ...supplier, logos: networkLogosSchema.optional() });

/** A retailer: the supplier of the specification. */
export const retailerRecordSchema = z.object({ ...supplier, logos: retailerLogosSchema.optional() });

export const manufacturerRecordSchema = z.object({ slug: slugSchema, name: nameSchema.optional() });

export type NetworkRecord = z.infer<typeof networkRecordSchema>;
export type RetailerRecord = z.infer<typeof retailerRecordSchema>;
export type ManufacturerRecord = z.infer<typeof manufacturerRecordSchema>;
