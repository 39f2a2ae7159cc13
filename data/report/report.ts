import { z } from 'zod';
import { countSchema } from '../record/amount.ts';
import { noticeCodeSchema, noticeSchema, OUTCOMES } from './notice.ts';
import { catalogueSummarySchema } from './summary.ts';

/**
 * A source after a build: read = kept + duplicate + outOfScope + quarantined. Of a source that is carried forward, the
 * records read are the deals of the snapshot before.
 */
const sourceReportSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['cms', 'feed']),
  adapter: z.string(),
  /**
   * `carried-forward`: the source is held, and its deals are those of the snapshot before. `failed`: it could not be
   * read to its end, or failed a gate, and nothing of it is served. `absent`: it has no file, and nothing of it is served.
   */
  state: z.enum(['fresh', 'carried-forward', 'failed', 'absent']),
  /** When deals that are carried forward were last found in the source. */
  freshAt: z.iso.datetime().optional(),
  /**
   * Why a feed is held: it could not be read, has no file, or failed these gates (INPUTS "A source is held, not the
   * build").
   */
  heldBecause: z.string().optional(),
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

/** How often a code was given for a source, with the first of them (all quarantined ones are in `quarantine.ndjson`). */
const noticeSummarySchema = z.strictObject({
  code: noticeCodeSchema,
  outcome: z.enum(OUTCOMES),
  source: z.string(),
  count: countSchema,
  /** The last snapshot with another count, and that count: 0 of what is new. Absent when no snapshot before had another. */
  before: z.strictObject({ snapshot: z.string(), count: countSchema }).optional(),
  samples: z.array(noticeSchema),
});

/** What the snapshot being served has and the build has no longer. */
const goneNoticeSchema = z.strictObject({
  code: noticeCodeSchema,
  source: z.string(),
  count: countSchema,
});

export const gateResultSchema = z.strictObject({
  /** `lost-deals`, or `quarantined:awin` where it is about one source. */
  gate: z.string(),
  /** `refused`: the build is refused. `held`: the feed is held, and the rest is published. */
  state: z.enum(['passed', 'refused', 'held', 'accepted', 'silent']),
  detail: z.string(),
  /** What was measured, and the most that passes. */
  measured: z.number().optional(),
  limit: z.number().optional(),
});

/** What a feed calls a phone that matched no product, with the nearest: adding the name to `matches` wins its deals. */
const unmatchedNameSchema = z.strictObject({
  feed: z.string(),
  name: z.string(),
  /** What `name` is, where it is no name. */
  field: z.enum(['productId', 'gtin', 'feedIds']).optional(),
  code: z.enum(['unknown-product', 'ambiguous-product']),
  dealCount: countSchema,
  /** The nearest products, or those that it may be: `101/new`. */
  nearest: z.array(z.string()),
  /** The product of the CMS that is meant and not served, and the code that leaves it out. */
  leftOut: z.strictObject({ product: z.string(), code: noticeCodeSchema }).optional(),
  /** The served variant of the phone that is meant, which the CMS has in the other condition only: `101/new`. Absent in older builds. */
  otherVariant: z.string().optional(),
  /** What to do about it; names the line of `matches` only where an editor can paste it without selling another phone. */
  remedy: z.string().optional(),
});

/** A product without a deal: what was read for it, and when it last had one. */
const productWithoutDealsSchema = z.strictObject({
  /** `101/new`. */
  product: z.string(),
  /** How many records of the feeds are for it, by the code that leaves them out. */
  leftOut: z.array(z.strictObject({ code: noticeCodeSchema, count: countSchema })),
  /** The last snapshot in which it had a deal, and when a build last found that so; absent where none is known. */
  lastDeal: z.strictObject({ snapshot: z.string(), at: z.iso.datetime() }).optional(),
});

const reportSchema = z.strictObject({
  sources: z.array(sourceReportSchema),
  /** What is new first: that with the latest snapshot in `before`. */
  notices: z.array(noticeSummarySchema),
  /** Those with the most deals, first. */
  unmatchedNames: z.array(unmatchedNameSchema),
  /** In order of product; absent in snapshots of before this was recorded. */
  withoutDeals: z.array(productWithoutDealsSchema).optional(),
  gates: z.array(gateResultSchema),
  goneNotices: z.array(goneNoticeSchema),
});

/**
 * `report.json` of a snapshot: without the gates, which compare it with the one before and are in its manifest, and with
 * the summary that the next build is compared with.
 */
export const snapshotReportSchema = reportSchema
  .omit({ gates: true, goneNotices: true })
  .extend({ summary: catalogueSummarySchema });

/** A source in a manifest, which also remembers what the next build must know of it. */
export const manifestSourceSchema = sourceReportSchema.extend({
  /** When a build last found in the source what it had at the time; absent when none has. */
  freshAt: z.iso.datetime().optional(),
  /** When a build first found these very files. */
  unchangedSince: z.iso.datetime().optional(),
  /** Of a source that is not fresh: its accounts when it was, for gates that compare them. */
  whenFresh: z.strictObject({ read: countSchema, duplicate: countSchema, outOfScope: countSchema }).optional(),
  /** Of a source that is not fresh: the gates that it failed when it was last read. */
  refusedBy: z.array(z.string()).optional(),
});

/** `last-build.json`: the outcome of the last build, published or not. */
export const lastBuildSchema = z.strictObject({
  outcome: z.enum(['published', 'unchanged', 'refused', 'failed', 'dry-run']),
  startedAt: z.string(),
  seconds: z.number(),
  /** The snapshot that was published, and the one that is current now. */
  snapshot: z.string().optional(),
  current: z.string().optional(),
  message: z.string(),
  /** When a build last found that what is current is what the sources say. */
  confirmedAt: z.iso.datetime().optional(),
  /** Of a refused build: the command that publishes it all the same, with absolute paths. Absent where that cannot be right. */
  acceptCommand: z.string().optional(),
  /** A sentence for each source that is not fresh: why, and until when its deals are served. */
  attention: z.array(z.string()).optional(),
  report: reportSchema.optional(),
});

export type SourceReport = z.infer<typeof sourceReportSchema>;
export type NoticeSummary = z.infer<typeof noticeSummarySchema>;
export type ProductWithoutDeals = z.infer<typeof productWithoutDealsSchema>;
export type GateResult = z.infer<typeof gateResultSchema>;
export type GoneNotice = z.infer<typeof goneNoticeSchema>;
export type ManifestSource = z.infer<typeof manifestSourceSchema>;
export type SnapshotReport = z.infer<typeof snapshotReportSchema>;
export type Report = z.infer<typeof reportSchema>;
export type LastBuild = z.infer<typeof lastBuildSchema>;
