import { z } from 'zod';
import { countSchema } from '../record/amount.ts';
import { noticeCodeSchema, noticeSchema, OUTCOMES } from './notice.ts';

/**
 * Deals of a feed that are held: all of it, a retailer, a network, or a network at a retailer (INPUTS "What fails is
 * held, and nothing else").
 */
const heldPartSchema = z.strictObject({
  /** Slugs; without both it is the rest of the feed. */
  retailer: z.string().optional(),
  network: z.string().optional(),
  /** `held`: the deals of before are served. `withdrawn`: they have expired, and nothing of the part is served. */
  state: z.enum(['held', 'withdrawn']),
  /** The gates that it fails; none when the feed was not read. */
  gates: z.array(z.string()),
  /** Why, as the middle of a sentence. */
  because: z.string(),
  /** How many deals of before it has. */
  deals: countSchema,
  /** When these deals were last found in the feed, and the snapshot of that time. */
  freshAt: z.iso.datetime(),
  snapshot: z.string(),
});

/**
 * A source after a build: read = kept + duplicate + outOfScope + quarantined. For a source that is carried forward, `read`
 * counts the deals of the snapshot before.
 */
const sourceReportSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['cms', 'feed']),
  adapter: z.string(),
  /**
   * `carried-forward`: the source was not read, and its deals are those of the snapshot before. `failed`: it could not be
   * read to its end, and nothing of it is served. `absent`: it has no file, and nothing of it is served.
   */
  state: z.enum(['fresh', 'carried-forward', 'failed', 'absent']),
  /** When deals that are carried forward were last found in the source. */
  freshAt: z.iso.datetime().optional(),
  /** The parts of a feed that are not served from its file. */
  held: z.array(heldPartSchema).optional(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      bytes: countSchema,
      sha256: z.string(),
      /** Of a file of a feed: whether a line end follows its last text. */
      endsWithLineEnd: z.boolean().optional(),
    }),
  ),
  read: countSchema,
  kept: countSchema,
  duplicate: countSchema,
  outOfScope: countSchema,
  quarantined: countSchema,
});

/** The last snapshot with another count, and that count. Absent when the count never changed. */
const earlierCountSchema = z.strictObject({ snapshot: z.string(), count: countSchema }).optional();

/** The count of a code in a source, with the first notices. */
const noticeSummarySchema = z.strictObject({
  code: noticeCodeSchema,
  outcome: z.enum(OUTCOMES),
  source: z.string(),
  count: countSchema,
  before: earlierCountSchema,
  samples: z.array(noticeSchema),
});

/** A gate that fails. */
export const gateResultSchema = z.strictObject({
  /** `currency`, or `lost:awin` where it is about one source. */
  gate: z.string(),
  /** `refused`: the build is refused. `held`: parts of the feed are held, and the rest is published. */
  /** `taken`: a loss that stands after its deals of before have expired. */
  state: z.enum(['refused', 'held', 'accepted', 'taken']),
  detail: z.string(),
  /** The measured value, and its limit. */
  measured: z.number().optional(),
  limit: z.number().optional(),
});

/** A name in a feed that matched no product, with the nearest products. */
const unmatchedNameSchema = z.strictObject({
  feed: z.string(),
  name: z.string(),
  /** Set when `name` is an id: `matches` has no place for it. */
  field: z.enum(['productId', 'gtin', 'feedIds']).optional(),
  code: z.enum(['unknown-product', 'ambiguous-product']),
  dealCount: countSchema,
  /** The nearest, or the ambiguous products: `101/new`. */
  nearest: z.array(z.string()),
  /** Has the line for `matches` only when it cannot sell one phone as another. */
  remedy: z.string().optional(),
});

export type UnmatchedName = Readonly<z.infer<typeof unmatchedNameSchema>>;

const productWithoutDealsSchema = z.strictObject({
  /** `101/new`. */
  product: z.string(),
  /** The records of feeds for it, counted by the code that excludes them. */
  leftOut: z.array(z.strictObject({ code: noticeCodeSchema, count: countSchema })),
  /** The last snapshot in which it had a deal, and when a build last confirmed that. */
  lastDeal: z.strictObject({ snapshot: z.string(), at: z.iso.datetime() }).optional(),
});

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
const catalogueSummarySchema = z.strictObject({
  /** The code of the currency. */
  currency: z.string(),
  cms: z.array(cmsSummarySchema),
  feeds: z.array(feedSummarySchema),
  /** The fields of each source that was read, or is carried forward. */
  fields: z.array(z.strictObject({ source: z.string(), fields: z.array(fieldCountSchema) })),
});

const reportSchema = z.strictObject({
  sources: z.array(sourceReportSchema),
  /** The most severe first, and of one outcome the most frequent. */
  notices: z.array(noticeSummarySchema),
  /** Those with the most deals, first. */
  unmatchedNames: z.array(unmatchedNameSchema),
  /** In order of product. */
  withoutDeals: z.array(productWithoutDealsSchema),
  gates: z.array(gateResultSchema),
});

/**
 * `report.json` of a snapshot: with the summary for the next build, and without the gates, which are in the manifest.
 */
export const snapshotReportSchema = reportSchema.omit({ gates: true }).extend({
  summary: catalogueSummarySchema,
});

/** A source in a manifest, with facts for the next build. */
export const manifestSourceSchema = sourceReportSchema.extend({
  /** When a build last read the source. */
  freshAt: z.iso.datetime().optional(),
  /** When a build first found these very files. */
  unchangedSince: z.iso.datetime().optional(),
});

/** `last-build.json`: the outcome of the last build, published or not. */
export const lastBuildSchema = z.strictObject({
  outcome: z.enum(['published', 'unchanged', 'refused', 'failed']),
  startedAt: z.string(),
  seconds: z.number(),
  /** The snapshot that was published, and the one that is current now. */
  snapshot: z.string().optional(),
  current: z.string().optional(),
  message: z.string(),
  /** When a build last confirmed that the current snapshot agrees with the sources. */
  confirmedAt: z.iso.datetime().optional(),
  /** The builds that take what is held or refused, where that can be right; with absolute paths. */
  accept: z.array(z.strictObject({ purpose: z.string(), command: z.string() })).optional(),
  /** Sentences for the operator, causes first: what is not served from its file, until when, and what moved. */
  attention: z.array(z.string()).optional(),
  report: reportSchema.optional(),
});

export type HeldPart = z.infer<typeof heldPartSchema>;
export type SourceReport = z.infer<typeof sourceReportSchema>;
export type NoticeSummary = z.infer<typeof noticeSummarySchema>;
export type ProductWithoutDeals = z.infer<typeof productWithoutDealsSchema>;
export type GateResult = z.infer<typeof gateResultSchema>;
export type ManifestSource = z.infer<typeof manifestSourceSchema>;
export type SnapshotReport = z.infer<typeof snapshotReportSchema>;
export type Report = z.infer<typeof reportSchema>;
export type LastBuild = z.infer<typeof lastBuildSchema>;
export type RowCounts = Pick<FeedSummary, 'rows' | 'quarantined' | 'duplicate'>;
export type FeedSummary = z.infer<typeof feedSummarySchema>;
export type FieldCount = z.infer<typeof fieldCountSchema>;
export type CmsSummary = z.infer<typeof cmsSummarySchema>;
export type CatalogueSummary = z.infer<typeof catalogueSummarySchema>;
