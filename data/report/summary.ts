import { z } from 'zod';
import { countSchema, penceSchema } from '../record/amount.ts';
import { decimalIdSchema, slugSchema } from '../record/id.ts';

const dealFigures = {
  deals: countSchema,
  products: countSchema,
  zeroUpfront: countSchema,
  zeroMonthly: countSchema,
  unlimitedData: countSchema,
  /** Different links. Absent in older summaries. */
  links: countSchema.optional(),
  /** The lower median; 0 without a deal. */
  medianTotalPence: penceSchema,
};

const dealFiguresSchema = z.strictObject(dealFigures);

/** The deals of one retailer, or of one network, in one source. */
const partSummarySchema = z.strictObject({ id: decimalIdSchema, slug: slugSchema, ...dealFigures });

/** Older builds drew samples of 256 records here. Nothing reads them. */
const formerSampleSchema = z.unknown().optional();

/** The numbers of different dictionary entries of a feed. */
const entryCountsSchema = z.strictObject({
  plans: countSchema,
  gifts: countSchema,
  cashbacks: countSchema,
  pictures: countSchema,
  linkTemplates: countSchema,
});

const feedSummarySchema = z.strictObject({
  name: z.string(),
  ...dealFigures,
  /** Absent in older summaries. */
  entries: entryCountsSchema.optional(),
  retailers: z.array(partSummarySchema),
  networks: z.array(partSummarySchema),
  sample: formerSampleSchema,
});

/** Counts of a CMS source. */
const cmsPartsSchema = z.strictObject({
  networks: countSchema,
  retailers: countSchema,
  gifts: countSchema,
  giftCategories: countSchema,
  /** Products that have any. */
  texts: countSchema,
  specs: countSchema,
  pictures: countSchema,
});

const cmsSummarySchema = z.strictObject({
  name: z.string(),
  products: countSchema,
  /** Absent in older summaries. */
  parts: cmsPartsSchema.optional(),
  sample: formerSampleSchema,
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

/**
 * A catalogue as the gates compare it with the one before: counts and medians of every source, in order of name.
 * Sources without a deal or a product are not in `cms` and `feeds`.
 */
export const catalogueSummarySchema = z.strictObject({
  /** The code of the currency. */
  currency: z.string(),
  cms: z.array(cmsSummarySchema),
  feeds: z.array(feedSummarySchema),
  /** The fields of each source that was read, or is carried forward. Absent in older summaries. */
  fields: z.array(z.strictObject({ source: z.string(), fields: z.array(fieldCountSchema) })).optional(),
  /** Estimated memory of a server that loads this catalogue while it serves a similar one. Absent in older summaries. */
  serverBytes: countSchema.optional(),
  /** The last good summaries of held feeds: the gates compare with them after a withdrawal. */
  held: z.array(feedSummarySchema).optional(),
});

export type EntryCounts = z.infer<typeof entryCountsSchema>;
export type DealFigures = z.infer<typeof dealFiguresSchema>;
export type PartSummary = z.infer<typeof partSummarySchema>;
export type FeedSummary = z.infer<typeof feedSummarySchema>;
export type FieldCount = z.infer<typeof fieldCountSchema>;
export type CmsParts = z.infer<typeof cmsPartsSchema>;
export type CmsSummary = z.infer<typeof cmsSummarySchema>;
export type CatalogueSummary = z.infer<typeof catalogueSummarySchema>;
