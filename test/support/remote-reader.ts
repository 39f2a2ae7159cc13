import { createHash, createPublicKey, verify } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';

// A second reader of remote stores, written by data/spec/remote.md alone: it shares no code with the program.

/** The objects of a remote store; keys are relative to its URL. */
export interface RemoteObjects {
  keys(): Promise<readonly string[]>;
  /** Undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
}

/** What the text of a record says, as far as the reader needs it. */
interface PublishedRecord {
  readonly revision: number;
  readonly snapshot: string;
  readonly manifest: string;
  readonly lastBuild?: string;
  readonly contentHash: string;
  /** Milliseconds since the epoch. */
  readonly activateMs: number;
}

export interface RemoteContent {
  /** The records that a trusted key has signed, newest first. */
  readonly records: readonly PublishedRecord[];
  /** The revision of `head.json`; undefined without a readable one. */
  readonly head: number | undefined;
  /** What is not as the page says; empty for a sound store. */
  readonly faults: readonly string[];
}

interface Signed {
  readonly text: string;
  readonly signatures: readonly { readonly key: string; readonly value: string }[];
}

interface File {
  readonly bytes: number;
  readonly sha256: string;
}

const FILE_COUNT = 12;

const RECORD_KEY = /^switch\/\d{12}\.json$/;

/** What a push may leave, and nothing else. */
const KEYS = [
  /^deals-store\.json$/,
  /^head\.json$/,
  RECORD_KEY,
  /^blob\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.br$/,
  /^images\/[0-9a-f]{16,64}\/[a-z0-9-]+\.(?:webp|png|jpg)$/,
  /^probe\/[0-9a-f]+$/,
];

/**
 * Reads all that servers could come to: every record that a trusted key has signed, its manifest, files and pictures.
 *
 * @param trusted public keys, `ed25519:…`
 */
export async function readRemoteStore(objects: RemoteObjects, trusted: readonly string[]): Promise<RemoteContent> {
  const reader = new Reader(objects, trusted);
  const records = await reader.readRecords();
  await Promise.all(records.map((record) => reader.readSnapshot(record)));
  const head = await reader.readHead(records);
  return { records, head, faults: reader.faults };
}

class Reader {
  readonly faults: string[] = [];
  readonly #objects: RemoteObjects;
  readonly #trusted: ReadonlyMap<string, string>;
  /** What was read, by key and expected hash: snapshots share most files. Undefined where it is gone or damaged. */
  readonly #known = new Map<string, Promise<Buffer | undefined>>();

  constructor(objects: RemoteObjects, trusted: readonly string[]) {
    this.#objects = objects;
    this.#trusted = new Map(trusted.map((text) => [sha256(text).slice(0, 16), text]));
  }

  async readRecords(): Promise<PublishedRecord[]> {
    const keys = await this.#objects.keys();
    for (const key of keys) if (!KEYS.some((form) => form.test(key))) this.faults.push(`${key}: a foreign object`);
    const mark = await this.#objects.get('deals-store.json');
    // A push that was killed at its first request has written nothing.
    if (keys.length > 0 && mark?.toString().trim() !== '{"format":1}') this.faults.push('deals-store.json: no mark');
    const newestFirst = keys
      .filter((name) => RECORD_KEY.test(name))
      .toSorted()
      .toReversed();
    const records = await Promise.all(newestFirst.map((key) => this.#readRecord(key)));
    return records.filter((record) => record !== undefined);
  }

  async #readRecord(key: string): Promise<PublishedRecord | undefined> {
    const { text, signatures } = JSON.parse(String(await this.#objects.get(key))) as Signed;
    const isSigned = signatures.some((signature) => {
      const publicText = this.#trusted.get(signature.key);
      if (publicText === undefined) return false;
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicText.slice('ed25519:'.length) };
      const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
      return verify(null, Buffer.from(text), publicKey, Buffer.from(signature.value, 'base64'));
    });
    if (!isSigned) return undefined;
    const fields = JSON.parse(text) as PublishedRecord & { readonly format: number; readonly activateAt: string };
    if (fields.format !== 1) this.faults.push(`${key}: of format ${fields.format}`);
    if (key !== `switch/${String(fields.revision).padStart(12, '0')}.json`) {
      this.faults.push(`${key}: is revision ${fields.revision}`);
    }
    return { ...fields, activateMs: Date.parse(fields.activateAt) };
  }

  async readSnapshot(record: PublishedRecord): Promise<void> {
    const { snapshot, manifest, lastBuild, contentHash } = record;
    if (lastBuild !== undefined) await this.#readBlob(lastBuild);
    const text = await this.#readBlob(manifest);
    if (text === undefined) return;
    const parsed = JSON.parse(text.toString()) as {
      readonly id: string;
      readonly contentHash: string;
      readonly files: Readonly<Record<string, File>>;
    };
    const names = Object.keys(parsed.files);
    const isOther = parsed.id !== snapshot || parsed.contentHash !== contentHash || names.length !== FILE_COUNT;
    if (isOther) this.faults.push(`revision ${record.revision}: its manifest is another`);
    const readFile = async (name: string): Promise<void> => {
      const file = parsed.files[name] as File;
      const content = await this.#readBlob(file.sha256);
      if (content === undefined) return;
      if (content.length !== file.bytes) this.faults.push(`${snapshot}/${name}: has ${content.length} bytes`);
      if (name === 'pictures.ndjson') await this.#readPictures(content);
    };
    await Promise.all(names.map(readFile));
  }

  async #readPictures(list: Buffer): Promise<void> {
    const lines = list
      .toString()
      .split('\n')
      .filter((line) => line !== '');
    const readPicture = async (line: string): Promise<void> => {
      const { path, bytes, sha256: expected } = JSON.parse(line) as File & { readonly path: string };
      const content = await this.#read(path.slice(1), expected, (body) => body);
      if (content !== undefined && content.length !== bytes) this.faults.push(`${path}: has ${content.length} bytes`);
    };
    await Promise.all(lines.map(readPicture));
  }

  #readBlob(hash: string): Promise<Buffer | undefined> {
    return this.#read(`blob/${hash.slice(0, 2)}/${hash}.br`, hash, (body) => brotliDecompressSync(body));
  }

  #read(key: string, hash: string, decode: (body: Buffer) => Buffer): Promise<Buffer | undefined> {
    const known = this.#known.get(`${key} ${hash}`) ?? this.#readOnce(key, hash, decode);
    this.#known.set(`${key} ${hash}`, known);
    return known;
  }

  async #readOnce(key: string, hash: string, decode: (body: Buffer) => Buffer): Promise<Buffer | undefined> {
    const body = await this.#objects.get(key);
    let content: Buffer | undefined;
    try {
      content = body === undefined ? undefined : decode(body);
    } catch {
      // Damaged: as good as another content.
    }
    if (content === undefined || sha256(content) !== hash) {
      this.faults.push(`${key}: ${body === undefined ? 'is not there' : 'is damaged'}`);
      return undefined;
    }
    return content;
  }

  /** The head may be lost or behind, and names a record. */
  async readHead(records: readonly PublishedRecord[]): Promise<number | undefined> {
    const text = await this.#objects.get('head.json');
    if (text === undefined) return undefined;
    const { revision } = JSON.parse(text.toString()) as { readonly revision: number };
    if (records.every((record) => record.revision !== revision)) this.faults.push(`head.json: names ${revision}`);
    return revision;
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
