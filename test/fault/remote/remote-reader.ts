import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../../build/remote/object-store.ts';

// A second reader of remote stores, written by data/spec/many-machines.md alone.

interface PublishedRecord {
  readonly revision: number;
  readonly snapshot: string;
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

/** What a push may leave, and nothing else; a folder also has what a killed one was writing. */
const KEYS = [
  /^current\.json$/,
  RECORD_KEY,
  /^\d{8}T\d{4}Z-[0-9a-f]{8}\/[a-z-]+\.(?:ndjson|json)$/,
  /^images\/[0-9a-f]{16,64}\/[a-z0-9-]+\.(?:webp|png|jpg)$/,
  /(?:^|\/)\.new-[0-9a-f]{16}$/,
];

/** Reads all that servers could come to: every record, its manifest, files and pictures. */
export async function readRemoteStore(store: ObjectStore): Promise<RemoteContent> {
  const keys = (await store.list()).map(({ key }) => key);
  const faults = keys.filter((key) => !KEYS.some((form) => form.test(key))).map((key) => `${key}: a foreign file`);
  const read = async (key: string): Promise<string> => String((await store.get(key)) ?? '');
  const readFile = async (key: string, { sha256, bytes }: Partial<File>): Promise<string> => {
    const text = await read(key);
    const isSound =
      createHash('sha256').update(text).digest('hex') === sha256 &&
      Buffer.byteLength(text) === (bytes ?? Buffer.byteLength(text));
    if (!isSound) faults.push(`${key}: is not what was published`);
    return text;
  };
  const records: PublishedRecord[] = [];
  for (const key of keys
    .filter((one) => RECORD_KEY.test(one))
    .toSorted()
    .toReversed()) {
    const { record } = JSON.parse(await read(key)) as { readonly record: PublishedRecord };
    records.push(record);
    if (key !== `switch/${String(record.revision).padStart(12, '0')}.json`) faults.push(`${key}: has another number`);
    const manifest = await readFile(`${record.snapshot}/manifest.json`, { sha256: record.manifest });
    if (manifest === '') continue;
    const { files } = JSON.parse(manifest) as { readonly files: Readonly<Record<string, File>> };
    for (const [name, file] of Object.entries(files)) {
      const content = await readFile(`${record.snapshot}/${name}`, file);
      if (name !== 'pictures.ndjson') continue;
      for (const line of content.split('\n').filter(Boolean)) {
        const picture = JSON.parse(line) as File & { readonly path: string };
        await readFile(picture.path.slice(1), picture);
      }
    }
  }
  const current = JSON.parse((await read('current.json')) || '{}') as Partial<PublishedRecord>;
  const named = records.find(({ revision }) => revision === current.revision);
  if (named?.snapshot !== current.snapshot) faults.push('current.json: names no record');
  return { records, current: current.revision, faults };
}
