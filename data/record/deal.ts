import { z } from 'zod';
import { allowanceSchema } from './allowance.ts';
import { CONDITIONS } from './condition.ts';
import { decimalIdSchema } from './id.ts';
import { nameSchema, webUrlSchema } from './product.ts';

/** What a feed says about which product a deal is for; matching tries the parts in this order. */
export const productReferenceSchema = z.object({
  /** The id of a product of the catalogue. */
  id: decimalIdSchema.optional(),
  /** The feed's own ids, most exact first (for Awin the edition, then the version), looked up in `matches.feedIds`. */
  feedIds: z.array(z.string().min(1).max(200)).readonly(),
  gtin: z.string().max(50).optional(),
  name: z.string().max(500).optional(),
  /** The storage that the feed states in a field of its own, such as `128GB`; a name that says another contradicts it. */
  storage: z.string().max(20).optional(),
  /** What the feed declares to be the colour: these words of `name` may be left over. */
  colour: z.string().max(100).optional(),
  condition: z.enum(CONDITIONS),
});

const penceSchema = z.number().int();

/**
 * A deal as an adapter reads it: typed, and not yet joined to the catalogue. Money is pence and may still be negative:
 * the rules about money are one stage for all feeds. Networks, retailers and gifts are the texts of the feed.
 */
export const dealRecordSchema = z.object({
  /** The feed's own stable id of the deal; unique per retailer within a feed. */
  key: z.string().min(1).max(200),
  product: productReferenceSchema,
  /** Ids, slugs, names or aliases: the first that names a record wins. */
  retailer: z.array(z.string().min(1).max(300)).min(1).readonly(),
  network: z.array(z.string().min(1).max(300)).min(1).readonly(),
  dealType: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,49}$/, 'a lower-case word such as "contract"')
    .default('contract'),
  contractName: nameSchema,
  contractMonths: z.number().int().min(1).max(120),
  dataMegabytes: allowanceSchema,
  callMinutes: allowanceSchema,
  textMessages: allowanceSchema,
  upfrontPence: penceSchema,
  monthlyPence: penceSchema,
  /** The total that the feed states, if any. */
  statedTotalPence: penceSchema.optional(),
  cashbackType: z.string().trim().min(1).max(200).optional(),
  cashbackPence: penceSchema.optional(),
  gift: z.string().trim().min(1).max(300).optional(),
  link: webUrlSchema,
  productImage: webUrlSchema.optional(),
});

export type DealRecord = z.infer<typeof dealRecordSchema>;
export type ProductReference = DealRecord['product'];
