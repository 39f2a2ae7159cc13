import { z } from 'zod';
import { countSchema } from '../record/amount.ts';
import { SNAPSHOT_ID } from './format.ts';

/** How many changes of a kind are listed; all of them are counted. */
export const MAX_LISTED_CHANGES = 100;

/** The identity of a deal in all builds; its product and its line may change. */
const dealIdentitySchema = z.strictObject({ source: z.string(), retailer: z.string(), key: z.string() });

const pricesSchema = z.strictObject({ upfrontPence: countSchema, monthlyPence: countSchema, totalPence: countSchema });

const pricedDealSchema = z.strictObject({ ...dealIdentitySchema.shape, ...pricesSchema.shape });

const renameSchema = z.strictObject({ from: z.string(), to: z.string() });

/** `101/new`, and its name in the newer snapshot that has it. */
const variant = { product: z.string(), name: z.string() };

/** Changes of one kind: how many there are, the first of them, and how many are not listed. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ count: countSchema, omitted: countSchema, items: z.array(item).max(MAX_LISTED_CHANGES) });
}

const totalsSchema = z.strictObject({ products: countSchema, deals: countSchema });

/** Every kind of change between two snapshots. Lists are in order of product and rank where nothing else is said. */
export const changeKindsSchema = z.strictObject({
  productsNew: listOf(z.strictObject(variant)),
  productsGone: listOf(z.strictObject(variant)),
  /** `fields` are the keys of `products.ndjson` that differ. */
  productsChanged: listOf(
    z.strictObject({
      ...variant,
      fields: z.array(z.string()).min(1),
      /** What the product was called, and is called now, where that differs. Absent in snapshots of older builds. */
      renamed: z.strictObject({ name: renameSchema.optional(), slug: renameSchema.optional() }).optional(),
    }),
  ),
  dealsNew: listOf(z.strictObject({ product: z.string(), deal: pricedDealSchema })),
  dealsGone: listOf(z.strictObject({ product: z.string(), deal: pricedDealSchema })),
  /** Deals that are now deals of another product. */
  dealsMoved: listOf(
    z.strictObject({
      deal: dealIdentitySchema,
      from: z.strictObject({ product: z.string(), ...pricesSchema.shape }),
      to: z.strictObject({ product: z.string(), ...pricesSchema.shape }),
    }),
  ),
  /** The largest moves of the total cost first. */
  dealsRepriced: listOf(
    z.strictObject({ product: z.string(), deal: dealIdentitySchema, from: pricesSchema, to: pricesSchema }),
  ),
  /** Deals with another `plan`, `gift` or `cashback`. */
  dealsChanged: listOf(
    z.strictObject({
      product: z.string(),
      deal: dealIdentitySchema,
      fields: z.array(z.enum(['plan', 'gift', 'cashback'])).min(1),
    }),
  ),
  /** Products with another cheapest deal, or another price of it. */
  cheapestChanged: listOf(
    z.strictObject({ ...variant, from: pricedDealSchema.optional(), to: pricedDealSchema.optional() }),
  ),
  /** Products with changed deals, those with the most changes first. */
  byProduct: listOf(
    z.strictObject({
      ...variant,
      dealsBefore: countSchema,
      dealsAfter: countSchema,
      new: countSchema,
      gone: countSchema,
      /** Came from another product, or went to one. */
      moved: countSchema,
      repriced: countSchema,
      changed: countSchema,
    }),
  ),
});

/**
 * `changes.json`: what differs from the snapshot that was current before. Counts are true and lists are capped, and say
 * how much they omit.
 */
export const changesSchema = z.strictObject({
  /** Absent when there was nothing to compare with: then everything is new, and `reason` says why. */
  from: z.string().regex(SNAPSHOT_ID).optional(),
  reason: z.string().optional(),
  before: totalsSchema,
  after: totalsSchema,
  ...changeKindsSchema.shape,
});

export type Changes = z.infer<typeof changesSchema>;
export type ChangeKinds = z.infer<typeof changeKindsSchema>;
export type ChangeKind = keyof ChangeKinds;
export type DealIdentity = z.infer<typeof dealIdentitySchema>;
export type Prices = z.infer<typeof pricesSchema>;
export type PricedDeal = z.infer<typeof pricedDealSchema>;
