import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { pictureLineSchema, SNAPSHOT_ID, type PictureLine } from '../../data/snapshot/format.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { readSmall, RemoteError, type ObjectStore } from './object-store.ts';

/** What a push publishes, under a number of its own: the highest counts (data/spec/many-machines.md). */
const recordSchema = z.object({
  revision: z.number().int().min(1),
  snapshot: z.string().regex(SNAPSHOT_ID),
  /** The snapshot of the revision before; absent in the first. */
  previous: z.string().regex(SNAPSHOT_ID).optional(),
  /** SHA-256 of `manifest.json` of the snapshot, which has those of all other files. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The machine of the push, its process, and the time: no two pushes write the same record. */
  publisher: z.string().max(300),
  /** `last-build.json` of the builder: how the last build went, and when one last confirmed the snapshot. */
  lastBuild: z.unknown(),
});

export type RevisionRecord = z.infer<typeof recordSchema>;

/** A record as it is stored. The signature is over the JSON of the record, without spaces. */
const storedSchema = z.object({ record: z.unknown(), signature: z.string().optional() });

/** A record has the report of a build, of some 50 KB. */
const MAX_RECORD_BYTES = 8_000_000;
export function recordKey(revision: number): string {
  return `switch/${String(revision).padStart(12, '0')}.json`;
}

/** The revision of the record at `key`; undefined for any other key. */
export function findRevision(key: string): number | undefined {
  const digits = /^switch\/([0-9]{12})\.json$/.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The bytes of a record, signed (Ed25519, RFC 8032) where there is a private key. */
export function formatRecord(record: RevisionRecord, privateKey: KeyObject | undefined): Buffer {
  const signature = privateKey && sign(null, Buffer.from(JSON.stringify(record)), privateKey).toString('base64');
  return Buffer.from(`${JSON.stringify({ record, signature })}\n`);
}

/** A record, or why it is none that this reader takes. */
export type ReadRecord =
  | { readonly kind: 'record'; readonly record: RevisionRecord }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The record of a revision; undefined when there is none.
 * @param trusted the keys of which one must have signed it; none for no matter who
 */
export async function readRecord(
  store: ObjectStore,
  revision: number,
  trusted: readonly KeyObject[] = [],
): Promise<ReadRecord | undefined> {
  const bytes = await readSmall(store, recordKey(revision), MAX_RECORD_BYTES);
  if (bytes === undefined) return undefined;
  const refuse = (reason: string) => ({ kind: 'refused', reason: `${recordKey(revision)}: ${reason}` }) as const;
  const stored = parseRemote(storedSchema, bytes);
  if (stored === undefined) return refuse('it is no record');
  if (trusted.length > 0) {
    if (stored.signature === undefined) return refuse('it is not signed; see who can write to the store');
    const [text, signature] = [Buffer.from(JSON.stringify(stored.record)), Buffer.from(stored.signature, 'base64')];
    const isTrusted = trusted.some((key) => verify(null, text, key, signature));
    if (!isTrusted) return refuse('its signature is of no key of --trust; see who can write to the store');
  }
  const { data: record } = recordSchema.safeParse(stored.record);
  if (record === undefined) return refuse('it is of a format that this version of the program does not know');
  if (record.revision !== revision) return refuse(`it is a copy of revision ${record.revision}`);
  return { kind: 'record', record };
}

/** The pictures in the list of a snapshot. A path of another form could lie anywhere. @throws {RemoteError} */
export function parsePictures(url: string, list: Buffer | string): readonly PictureLine[] {
  const lines = list.toString().split('\n');
  return lines.filter(Boolean).map((line) => {
    const picture = parseRemote(pictureLineSchema, line);
    if (picture !== undefined) return picture;
    throw new RemoteError(200, `${url}: expected a list of pictures, got something else`);
  });
}

/** JSON that another machine wrote; undefined for anything that does not follow the schema. */
export function parseRemote<Value>(schema: z.ZodType<Value>, text: Buffer | string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text.toString())).data;
  } catch {
    return undefined;
  }
}

/** A file of a key that cannot be used, and why. */
class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** The Ed25519 key in a PEM file, private or public. @throws {SigningKeyError} when it has none */
export function readKey(file: string, kind: 'private' | 'public'): KeyObject {
  const command =
    kind === 'private'
      ? 'openssl genpkey -algorithm ed25519 -out key.pem'
      : 'openssl pkey -in key.pem -pubout -out key.pub';
  try {
    const text = readRegularFile(file);
    // A private key has its public key in it, and does not belong on a server.
    if (kind === 'public' && text.includes('PRIVATE KEY')) throw new Error('it is a private key');
    const key = kind === 'private' ? createPrivateKey(text) : createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
    throw new Error(`it is a key of ${key.asymmetricKeyType ?? 'another kind'}`);
  } catch (error) {
    const expected = `expected a ${kind} Ed25519 key, as ${command} writes it`;
    throw new SigningKeyError(`${file}: ${expected}: ${(error as Error).message}`);
  }
}
