import { z } from 'zod';
import { decimalIdSchema, slugSchema } from '../record/id.ts';

/** A sample holds at most this many records: enough for a share to be right to within a few hundredths. */
export const SAMPLE_SIZE = 256;

const countSchema = z.number().int().min(0);
const penceSchema = z.number().int().min(0);
const hashSchema = z.number().int().min(0).max(0xffff_ffff);

/** Deals that belong together, as figures. */
const dealFigures = {
  deals: countSchema,
  /** How many products they are for. */
  products: countSchema,
  zeroUpfront: countSchema,
  zeroMonthly: countSchema,
  unlimitedData: countSchema,
  /** The lower of the two in the middle, where there are two; 0 without a deal. */
  medianTotalPence: penceSchema,
};

const dealFiguresSchema = z.strictObject(dealFigures);

/** The deals of one retailer, or of one network, in one source. */
const partSummarySchema = z.strictObject({ id: decimalIdSchema, slug: slugSchema, ...dealFigures });

/**
 * The deals of a source whose keys have the lowest hashes, in that order, side by side: a sample that two snapshots draw
 * alike, so that its deals can be compared one by one without the others.
 */
const dealSampleSchema = z.strictObject({
  /** Hash of the id of the retailer and the key of the deal. */
  key: z.array(hashSchema).max(SAMPLE_SIZE),
  /** Hash of what is offered: phone, network, length, allowances, and the host of the link. */
  offer: z.array(hashSchema),
  totalPence: z.array(penceSchema),
  monthlyPence: z.array(penceSchema),
});

const feedSummarySchema = z.strictObject({
  name: z.string(),
  ...dealFigures,
  retailers: z.array(partSummarySchema),
  networks: z.array(partSummarySchema),
  sample: dealSampleSchema,
});

/** The products of a source; `sample` holds the lowest hashes of their ids and conditions. */
const cmsSummarySchema = z.strictObject({
  name: z.string(),
  products: countSchema,
  sample: z.array(hashSchema).max(SAMPLE_SIZE),
});

/**
 * A catalogue as the gates compare it with the one before: counts, medians and samples of every source, in order of
 * name, without a single record. Sources without a deal or a product are not in it.
 */
export const catalogueSummarySchema = z.strictObject({
  /** The code of the currency. */
  currency: z.string(),
  cms: z.array(cmsSummarySchema),
  feeds: z.array(feedSummarySchema),
  /** Feeds that failed a gate, as they were when they last passed: what they must pass when their deals are withdrawn. */
  held: z.array(feedSummarySchema).optional(),
});

export type DealFigures = z.infer<typeof dealFiguresSchema>;
export type PartSummary = z.infer<typeof partSummarySchema>;
export type DealSample = z.infer<typeof dealSampleSchema>;
export type FeedSummary = z.infer<typeof feedSummarySchema>;
export type CmsSummary = z.infer<typeof cmsSummarySchema>;
export type CatalogueSummary = z.infer<typeof catalogueSummarySchema>;
