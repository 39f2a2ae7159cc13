import { z } from 'zod';
import { countSchema } from '../record/amount.ts';

const rowCounts = {
  /** The records in scope. */
  rows: countSchema,
  quarantined: countSchema,
  duplicate: countSchema,
};

const feedSummarySchema = z.strictObject({
  name: z.string(),
  ...rowCounts,
  /** The records that name the retailer, by its slug. */
  retailers: z.array(z.strictObject({ slug: z.string(), ...rowCounts })),
});

/** How many records of a CMS source there are, and how many products have the group. */
const cmsSummarySchema = z.strictObject({
  name: z.string(),
  products: countSchema,
  networks: countSchema,
  retailers: countSchema,
  gifts: countSchema,
  giftCategories: countSchema,
  texts: countSchema,
  specs: countSchema,
  pictures: countSchema,
});

/** How many records of a source have a value in a field. */
const fieldCountSchema = z.strictObject({
  /** A field of our own feed, a column or attribute of another format, or the key of a CMS list: `products.specs`. */
  field: z.string(),
  /** What the file calls the field, where that is another name. */
  name: z.string().optional(),
  filled: countSchema,
  records: countSchema,
});

/** What the gates of the next build compare, and the files of a snapshot do not have. */
export const catalogueSummarySchema = z.strictObject({
  /** The code of the currency. */
  currency: z.string(),
  cms: z.array(cmsSummarySchema),
  feeds: z.array(feedSummarySchema),
  /** The fields of each source that was read, or is carried forward. */
  fields: z.array(z.strictObject({ source: z.string(), fields: z.array(fieldCountSchema) })),
});

export type RowCounts = Pick<FeedSummary, 'rows' | 'quarantined' | 'duplicate'>;
export type FeedSummary = z.infer<typeof feedSummarySchema>;
export type FieldCount = z.infer<typeof fieldCountSchema>;
export type CmsSummary = z.infer<typeof cmsSummarySchema>;
export type CatalogueSummary = z.infer<typeof catalogueSummarySchema>;
