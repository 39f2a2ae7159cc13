import { z } from 'zod';
import { allowanceSchema } from './amount.ts';
import { decimalIdSchema } from './id.ts';
import { CONDITIONS, nameSchema, webUrlSchema } from './product.ts';

/** What a feed says about which product a deal is for; matching tries the parts in this order. */
export const productReferenceSchema = z.object({
  /** The id of a product of the catalogue. */
  id: decimalIdSchema.optional(),
  /** The feed's own ids, most exact first (for Awin the edition, then the version), looked up in `matches.feedIds`. */
  feedIds: z.array(z.string().min(1).max(200)).readonly(),
  gtin: z.string().max(50).optional(),
  name: z.string().max(500).optional(),
  /** What the feed declares to be the colour: these words of `name` may be left over. */
  colour: z.string().max(100).optional(),
  /** What the feed declares to be the storage, `128GB`: part of the name, and never another than the name says. */
  storage: z.string().max(50).optional(),
  /** What the feed states; absent where it states none, so that a name that says `Pristine` is no new phone. */
  condition: z.enum(CONDITIONS).optional(),
  /** Another text of the row says that the phone is not new: a title, as the name may. */
  saysNotNew: z.boolean().optional(),
  /** What words such as `Pristine` in a name mean where the feed states no condition; absent: the deal is quarantined. */
  conditionWords: z.enum(['refurbished']).optional(),
});

const supplierTextSchema = z.string().min(1).max(300);

/** What a feed says about a network or a retailer. All that is said must name the same one (INPUTS "Matching"). */
const supplierReferenceSchema = z.object({
  /** Our id, of a deal that a snapshot has served. */
  id: supplierTextSchema.optional(),
  /** Of a format of ours: our id, a slug, a name or an alias. */
  key: supplierTextSchema.optional(),
  /** Names as others write them: a slug, a name or an alias, never our id. */
  names: z.array(supplierTextSchema).readonly().default([]),
  /** Ids of the feed's own: one counts where a network or retailer declares it in `feedIds`. */
  feedIds: z.array(supplierTextSchema).readonly().default([]),
});

/** Of a feed, an amount may be negative. */
const feedPenceSchema = z.number().int();

/**
 * A deal as an adapter reads it: typed, and not yet joined to the catalogue. Money is pence and may still be negative:
 * the rules about money are one stage for all feeds. Networks, retailers and gifts are the texts of the feed.
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

/** The rules by which a deal may find its product, most exact first, with what each goes by. */
export const MATCH_RULE_MEANINGS = {
  productId: 'the product id that the feed states',
  feedId: 'an id of the feed that `matches.feedIds` of the product lists',
  gtin: 'a GTIN that `matches.gtins` of the product lists',
  statedName: 'a name that `matches.names` of the product lists',
  name: 'the name of the phone, compared word by word',
} as const;

export type MatchRule = keyof typeof MATCH_RULE_MEANINGS;

/** Whether the rule goes by what the feed calls the phone. */
export function isNameRule(rule: MatchRule): boolean {
  return rule === 'name' || rule === 'statedName';
}

/** The line of the CMS that makes a name of a feed one of the names of a product. */
export function writeMatchesLine(name: string): string {
  return `"matches": {"names": [${JSON.stringify(name)}]}`;
}

/** The same, where what to do about the name is to add it to one product: then it sells no phone as another. */
export function findMatchesLine(name: string, remedy: string | undefined): string | undefined {
  const line = writeMatchesLine(name);
  return remedy?.includes(`${line} to product `) === true ? line : undefined;
}

export const MATCH_RULES = Object.keys(MATCH_RULE_MEANINGS) as [MatchRule, ...MatchRule[]];
