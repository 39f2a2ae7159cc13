import { z } from 'zod';
import { NOTICE_CODES, noticeSchema, OUTCOMES, type NoticeCode } from './notice.ts';

const countSchema = z.number().int().min(0);

/** A source after a build: read = kept + duplicate + outOfScope + quarantined. */
export const sourceReportSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['cms', 'feed']),
  adapter: z.string(),
  /** `failed`: the source could not be read to its end, and nothing of it is served. `absent`: it has no file. */
  state: z.enum(['fresh', 'failed', 'absent']),
  files: z.array(z.strictObject({ path: z.string(), bytes: countSchema, sha256: z.string() })),
  read: countSchema,
  kept: countSchema,
  duplicate: countSchema,
  outOfScope: countSchema,
  quarantined: countSchema,
});

/** How often a code was given for a source, with the first of them (all quarantined ones are in `quarantine.ndjson`). */
const noticeSummarySchema = z.strictObject({
  code: z.enum(NOTICE_CODES as [NoticeCode, ...NoticeCode[]]),
  outcome: z.enum(OUTCOMES),
  source: z.string(),
  count: countSchema,
  samples: z.array(noticeSchema),
});

export const gateResultSchema = z.strictObject({
  /** `lost-deals`, or `quarantined:awin` where it is about one source. */
  gate: z.string(),
  state: z.enum(['passed', 'refused', 'accepted', 'silent']),
  detail: z.string(),
});

/** What a feed calls a phone that matched no product, with the nearest: adding the name to `matches` wins its deals. */
const unmatchedNameSchema = z.strictObject({
  feed: z.string(),
  name: z.string(),
  code: z.enum(['unknown-product', 'ambiguous-product']),
  dealCount: countSchema,
  /** The nearest products, or those that it may be: `101/new`. */
  nearest: z.array(z.string()),
});

const reportSchema = z.strictObject({
  sources: z.array(sourceReportSchema),
  notices: z.array(noticeSummarySchema),
  /** Those with the most deals, first. */
  unmatchedNames: z.array(unmatchedNameSchema),
  gates: z.array(gateResultSchema),
});

/** `report.json` of a snapshot: without the gates, which compare it with the one before and are in its manifest. */
export const snapshotReportSchema = reportSchema.omit({ gates: true });

/** `last-build.json`: the outcome of the last build, published or not. */
export const lastBuildSchema = z.strictObject({
  outcome: z.enum(['published', 'unchanged', 'refused', 'failed', 'dry-run']),
  startedAt: z.string(),
  seconds: z.number(),
  /** The snapshot that was published, and the one that is current now. */
  snapshot: z.string().optional(),
  current: z.string().optional(),
  message: z.string(),
  report: reportSchema.optional(),
});

export type SourceReport = z.infer<typeof sourceReportSchema>;
export type NoticeSummary = z.infer<typeof noticeSummarySchema>;
export type GateResult = z.infer<typeof gateResultSchema>;
export type Report = z.infer<typeof reportSchema>;
export type LastBuild = z.infer<typeof lastBuildSchema>;
