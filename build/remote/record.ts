import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { pictureLineSchema, SNAPSHOT_ID, type PictureLine } from '../../data/snapshot/format.ts';
import { parseJson } from '../../data/store/layout.ts';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { RemoteError, RemoteUsageError, type ObjectStore } from './object-store.ts';

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

export function recordKey(revision: number): string {
  return `switch/${String(revision).padStart(12, '0')}.json`;
}

/** The revision of the record at `key`; 0 for any other key. */
export function findRevision(key: string): number {
  return Number(/^switch\/([0-9]{12})\.json$/.exec(key)?.[1] ?? 0);
}

/** The bytes of a record, signed (Ed25519, RFC 8032) where there is a private key. */
export function formatRecord(record: RevisionRecord, privateKey: KeyObject | undefined): Buffer {
  const signature = privateKey && sign(null, Buffer.from(JSON.stringify(record)), privateKey).toString('base64');
  return Buffer.from(`${JSON.stringify({ record, signature })}\n`);
}

/** The record that a reader accepts, or why it does not accept what is there. Neither when nothing is there. */
export interface FoundRecord {
  readonly record?: RevisionRecord | undefined;
  readonly refusal?: string | undefined;
}

/** @param trusted the keys of which one must have signed the record; none for no matter who */
export async function readRecord(
  store: ObjectStore,
  revision: number,
  trusted: readonly KeyObject[] = [],
): Promise<FoundRecord> {
  const key = recordKey(revision);
  const bytes = await store.get(key);
  if (bytes === undefined) return {};
  const refuse = (reason: string) => ({ refusal: `${store.url}/${key}: ${reason}` });
  const { data: stored } = storedSchema.safeParse(parseJson(bytes.toString()));
  if (stored === undefined) return refuse('it is no record');
  const { record: signed, signature } = stored;
  const isBy = (key: KeyObject) =>
    verify(null, Buffer.from(JSON.stringify(signed)), key, Buffer.from(signature ?? '', 'base64'));
  if (trusted.length > 0 && !trusted.some(isBy)) {
    const fault = signature === undefined ? 'it is not signed' : 'its signature is of no key of --trust';
    return refuse(`${fault}; see who can write to the store`);
  }
  const { data: record } = recordSchema.safeParse(signed);
  if (record === undefined) return refuse('it is of a format that this version of the program does not know');
  if (record.revision !== revision) return refuse(`it is a copy of revision ${record.revision}`);
  return { record };
}

/** The pictures in the list of a snapshot. A path of another form could lie anywhere. @throws {RemoteError} */
export function parsePictures(url: string, list: string): readonly PictureLine[] {
  const lines = list.split('\n').filter(Boolean);
  const { data: pictures } = z.array(pictureLineSchema).safeParse(lines.map(parseJson));
  if (pictures !== undefined) return pictures;
  throw new RemoteError(`${url}: expected a list of pictures, got something else`);
}

/** The Ed25519 key in a PEM file, private or public. @throws {RemoteUsageError} when it has none */
export function readKey(file: string, kind: 'private' | 'public'): KeyObject {
  try {
    const text = readRegularFile(file);
    // A private key has its public key in it, and does not belong on a server.
    if (kind === 'public' && text.includes('PRIVATE KEY')) throw new Error('it is a private key');
    const key = kind === 'private' ? createPrivateKey(text) : createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
    throw new Error(`it is a key of ${key.asymmetricKeyType ?? 'another kind'}`);
  } catch (error) {
    const command = {
      private: 'genpkey -algorithm ed25519 -out key.pem',
      public: 'pkey -in key.pem -pubout -out key.pub',
    };
    const expected = `expected a ${kind} Ed25519 key, as openssl ${command[kind]} writes it`;
    throw new RemoteUsageError(`${file}: ${expected}: ${(error as Error).message}`);
  }
}
