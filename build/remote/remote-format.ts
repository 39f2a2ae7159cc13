import { z } from 'zod';
import { SNAPSHOT_ID } from '../../data/snapshot/format.ts';

// The names and files of a remote store; data/spec/remote.md describes each.

/** Version of the files below. A reader refuses every other. */
export const REMOTE_FORMAT = 1;

/** Marks a remote store. */
export const STORE_FILE = 'deals-store.json';

/** Names the newest revision. Only a hint: it may be lost, or behind. */
export const HEAD_FILE = 'head.json';

export const RECORD_PREFIX = 'switch/';
export const BLOB_PREFIX = 'blob/';
export const IMAGE_PREFIX = 'images/';
/** What a push writes to find out what the store does with conditions. */
export const PROBE_PREFIX = 'probe/';

const RECORD_KEY = /^switch\/([0-9]{12})\.json$/;

export function recordPath(revision: number): string {
  return `${RECORD_PREFIX}${String(revision).padStart(12, '0')}.json`;
}

/** The revision of the record at `key`; undefined for any other key. */
export function parseRecordPath(key: string): number | undefined {
  const digits = RECORD_KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Where the content with this SHA-256 lies, compressed with Brotli. */
export function blobPath(sha256: string): string {
  return `${BLOB_PREFIX}${sha256.slice(0, 2)}/${sha256}.br`;
}

/** Where a picture lies, by its path in URLs. */
export function imagePath(path: string): string {
  return path.slice(1);
}

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** Its record has the last name of twelve digits. */
export const MAX_REVISION = 999_999_999_999;

const revisionSchema = z.number().int().min(1).max(MAX_REVISION);

/** Readers ignore what they do not know: later versions may add to these files. */
export const storeFileSchema = z.object({ format: z.literal(REMOTE_FORMAT) });
export const headSchema = z.object({ revision: revisionSchema });

/** The `text` of a record: which snapshot is to be served, and from when on. */
export const revisionRecordSchema = z.object({
  format: z.literal(REMOTE_FORMAT),
  /** Its number; no two records have the same, and the highest counts. */
  revision: revisionSchema,
  snapshot: z.string().regex(SNAPSHOT_ID),
  /** The snapshot of the revision before; absent in the first. */
  previous: z.string().regex(SNAPSHOT_ID).optional(),
  /** SHA-256 of `manifest.json` of the snapshot. */
  manifest: sha256Schema,
  /** SHA-256 of `last-build.json` of the builder; absent without one. */
  lastBuild: sha256Schema.optional(),
  /** As in the manifest: servers recognise cursors of this content before they have loaded it. */
  contentHash: sha256Schema,
  /** When a build last confirmed that the snapshot agrees with the sources. */
  confirmedAt: z.iso.datetime(),
  publishedAt: z.iso.datetime(),
  /** When servers switch to the snapshot: `publishedAt` and `leadSeconds`. */
  activateAt: z.iso.datetime(),
  leadSeconds: z.number().int().min(0).max(86_400),
  /** Machine and process of the push, and random digits: no two pushes write the same record. */
  publisher: z.string().max(300),
});

export type RevisionRecord = z.infer<typeof revisionRecordSchema>;

/** A record as it is stored: the signatures are over the bytes of `text` in UTF-8. */
export const signedRecordSchema = z.object({
  text: z.string().max(10_000),
  signatures: z
    .array(z.object({ key: z.string().regex(/^[0-9a-f]{16}$/), value: z.string().max(200) }))
    .min(1)
    .max(8),
});

/** A record is far below this. */
export const MAX_RECORD_BYTES = 64 * 1024;

/** Reads JSON that another machine wrote. Returns undefined for anything that does not follow the schema. */
export function parseRemote<Value>(schema: z.ZodType<Value>, text: string | Buffer): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text.toString())).data;
  } catch {
    return undefined;
  }
}
