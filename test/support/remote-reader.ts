import { createHash } from 'node:crypto';

// A second reader of remote stores, written by data/spec/many-machines.md alone: it shares no code with the program.

/** The files of a remote store; keys are relative to its URL. */
export interface RemoteObjects {
  keys(): Promise<readonly string[]>;
  /** Undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
}

interface PublishedRecord {
  readonly revision: number;
  readonly snapshot: string;
  readonly previous?: string;
  readonly manifest: string;
}

export interface RemoteContent {
  /** Newest first. */
  readonly records: readonly PublishedRecord[];
  /** The revision in `current.json`; undefined without one. */
  readonly current: number | undefined;
  /** What is not as the page says; empty for a sound store. */
  readonly faults: readonly string[];
}

interface File {
  readonly bytes: number;
  readonly sha256: string;
}

const RECORD_KEY = /^switch\/\d{12}\.json$/;

/** What a push may leave, and nothing else. */
const KEYS = [
  /^current\.json$/,
  RECORD_KEY,
  /^\d{8}T\d{4}Z-[0-9a-f]{8}\/[a-z-]+\.(?:ndjson|json)$/,
  /^images\/[0-9a-f]{16,64}\/[a-z0-9-]+\.(?:webp|png|jpg)$/,
  /^probe\/[0-9-]+$/,
];

/** Reads all that servers could come to: every record, its manifest, files and pictures. */
export async function readRemoteStore(objects: RemoteObjects): Promise<RemoteContent> {
  const keys = await objects.keys();
  const faults = keys.filter((key) => !KEYS.some((form) => form.test(key))).map((key) => `${key}: a foreign file`);
  const expectFile = async (key: string, sha256: string, bytes?: number): Promise<Buffer> => {
    const body = (await objects.get(key)) ?? Buffer.alloc(0);
    const isSound = hash(body) === sha256 && (bytes ?? body.length) === body.length;
    if (!isSound) faults.push(`${key}: is not what was published`);
    return body;
  };
  const newestFirst = keys
    .filter((key) => RECORD_KEY.test(key))
    .toSorted()
    .toReversed();
  const records: PublishedRecord[] = [];
  for (const key of newestFirst) {
    const { record } = JSON.parse(String(await objects.get(key))) as { readonly record: PublishedRecord };
    records.push(record);
    if (key !== `switch/${String(record.revision).padStart(12, '0')}.json`) faults.push(`${key}: has another number`);
    const folder = record.snapshot;
    const text = await expectFile(`${folder}/manifest.json`, record.manifest);
    if (text.length === 0) continue;
    const { files } = JSON.parse(text.toString()) as { readonly files: Readonly<Record<string, File>> };
    for (const [name, { sha256, bytes }] of Object.entries(files)) {
      const content = await expectFile(`${folder}/${name}`, sha256, bytes);
      if (name !== 'pictures.ndjson') continue;
      for (const line of content.toString().split('\n').filter(Boolean)) {
        const picture = JSON.parse(line) as File & { readonly path: string };
        await expectFile(picture.path.slice(1), picture.sha256, picture.bytes);
      }
    }
  }
  const text = await objects.get('current.json');
  const current =
    text === undefined
      ? undefined
      : (JSON.parse(text.toString()) as { readonly revision: number; readonly snapshot: string });
  const named = records.find(({ revision }) => revision === current?.revision);
  if (current !== undefined && named?.snapshot !== current.snapshot) faults.push('current.json: names no record');
  return { records, current: current?.revision, faults };
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
