import { z } from 'zod';
import { allowanceSchema } from './amount.ts';
import { decimalIdSchema } from './id.ts';
import { CONDITIONS, nameSchema, webUrlSchema } from './product.ts';

/** How a feed names the product of a deal; matching tries the parts in this order. */
export const productReferenceSchema = z.object({
  /** The id of a product of the catalogue. */
  id: decimalIdSchema.optional(),
  /** The feed's own ids, most exact first (for Awin the edition, then the version), looked up in `matches.feedIds`. */
  feedIds: z.array(z.string().min(1).max(200)).readonly(),
  gtin: z.string().max(50).optional(),
  name: z.string().max(500).optional(),
  /** The stated colour, for matching only: `name` may contain these words. It is not published. */
  colour: z.string().max(100).optional(),
  /** The stated storage, `128GB`; it must agree with the name. */
  storage: z.string().max(50).optional(),
  /** The stated condition; without one, a name with `Pristine` is not a new phone. */
  condition: z.enum(CONDITIONS).optional(),
  /** Another text of the row, such as a title, says that the phone is not new. */
  saysNotNew: z.boolean().optional(),
  /** The meaning of words such as `Pristine` without a stated condition; when absent, the deal is quarantined. */
  conditionWords: z.enum(['refurbished']).optional(),
});

const supplierTextSchema = z.string().min(1).max(300);

/** How a feed names a network or a retailer. All parts must name the same one (INPUTS "Matching"). */
const supplierReferenceSchema = z.object({
  /** Our id, for a deal of an earlier snapshot. */
  id: supplierTextSchema.optional(),
  /** In our own formats: our id, a slug, a name or an alias. */
  key: supplierTextSchema.optional(),
  /** In other formats: a slug, a name or an alias, never our id. */
  names: z.array(supplierTextSchema).readonly().default([]),
  /** Ids of the feed; one counts when a network or retailer lists it in `feedIds`. */
  feedIds: z.array(supplierTextSchema).readonly().default([]),
});

/** Of a feed, an amount may be negative. */
const feedPenceSchema = z.number().int();

/**
 * A deal from an adapter: typed, and not yet joined to the catalogue. Pence may be negative, since a later stage checks
 * money for all feeds. Networks, retailers and gifts are the texts of the feed.
 */
export const dealRecordSchema = z.object({
  /** The feed's own stable id of the deal; unique per retailer within a feed. */
  key: z.string().min(1).max(200),
  product: productReferenceSchema,
  retailer: supplierReferenceSchema,
  network: supplierReferenceSchema,
  dealType: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,49}$/, 'a lower-case word such as "contract"')
    .default('contract'),
  contractName: nameSchema,
  contractMonths: z.number().int().min(1).max(120),
  dataMegabytes: allowanceSchema,
  callMinutes: allowanceSchema,
  textMessages: allowanceSchema,
  upfrontPence: feedPenceSchema,
  monthlyPence: feedPenceSchema,
  /** The total that the feed states, if any. */
  statedTotalPence: feedPenceSchema.optional(),
  cashbackType: z.string().trim().min(1).max(200).optional(),
  cashbackPence: feedPenceSchema.optional(),
  gift: z.string().trim().min(1).max(300).optional(),
  link: webUrlSchema,
  productImage: webUrlSchema.optional(),
});

export type DealRecord = z.infer<typeof dealRecordSchema>;
export type ProductReference = DealRecord['product'];
export type SupplierReference = DealRecord['network'];

/** The rules by which a deal finds its product, most exact first. */
export const MATCH_RULE_MEANINGS = {
  productId: 'the product id that the feed states',
  feedId: 'an id of the feed that `matches.feedIds` of the product lists',
  gtin: 'a GTIN that `matches.gtins` of the product lists',
  statedName: 'a name that `matches.names` of the product lists',
  name: 'the name of the phone, compared word by word',
} as const;

export type MatchRule = keyof typeof MATCH_RULE_MEANINGS;

export function isNameRule(rule: MatchRule): boolean {
  return rule === 'name' || rule === 'statedName';
}

/** The line for `matches` in the CMS that adds a name of a feed to a product. */
export function writeMatchesLine(name: string): string {
  return `"matches": {"names": [${JSON.stringify(name)}]}`;
}

/** The same line, when the remedy is to add the name to one product. */
export function findMatchesLine(name: string, remedy: string | undefined): string | undefined {
  const line = writeMatchesLine(name);
  return remedy?.includes(`${line} to product `) === true ? line : undefined;
}

export const MATCH_RULES = Object.keys(MATCH_RULE_MEANINGS) as [MatchRule, ...MatchRule[]];
