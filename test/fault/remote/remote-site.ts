import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { encodeSnapshot } from '../../../build/encode/snapshot.ts';
import { publishSnapshot } from '../../../build/publish/publish.ts';
import { Output } from '../../../cli/console/output.ts';
import { runCommand } from '../../../cli/program.ts';
import { IMAGE_KEYS } from '../../../data/field/image.ts';
import type { PictureLine } from '../../../data/snapshot/format.ts';
import { lastBuildPath } from '../../../data/store/layout.ts';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { startMemoryS3, type MemoryS3, type TestStore } from '../../support/memory-s3.ts';
import { startObjectStore } from '../../support/object-store/object-store.ts';
import { readRemoteStore, type RemoteContent, type RemoteObjects } from '../../support/remote-reader.ts';
import type { DealsRun } from '../../unit/cli/run-deals.ts';
import { createCatalogue, createNoPictures, product } from '../../unit/build/encode/example-catalogue.ts';
import { RunningDeals } from '../run-deals.ts';

/** Within every bucket: a remote store need not have one for itself. */
const PREFIX = 'uk/';

export interface SiteOptions {
  /** The bucket ignores `If-None-Match`. */
  readonly ignoresConditions?: boolean;
  /** The remote store is a folder, `remote` of the root, and no bucket. */
  readonly isFolder?: boolean;
}

/** A builder, a remote store that it reaches by a proxy, and room for servers. */
export class RemoteSite {
  readonly root: string;
  /** The store of the builder. */
  readonly builder: string;
  /** `s3://<bucket>/uk` or `file:///folder`. */
  readonly url: string;
  readonly bucket: string;
  readonly proxy: FaultProxy;
  readonly store: TestStore;
  /** What is in the remote store, past the proxy. */
  readonly objects: RemoteObjects;
  #number = 0;

  private constructor(root: string, store: TestStore, proxy: FaultProxy, bucket: string, folder: string | undefined) {
    this.root = root;
    this.store = store;
    this.proxy = proxy;
    this.bucket = bucket;
    this.url = folder === undefined ? `s3://${bucket}/uk` : `file://${folder}`;
    this.builder = join(root, 'builder');
    this.objects = folder === undefined ? objectsOf(store, bucket) : filesOf(folder);
  }

  /** The credentials of the store come into the environment of this process, for `run`. */
  static async create(store: TestStore, options: SiteOptions = {}): Promise<RemoteSite> {
    const { isFolder = false, ...bucketOptions } = options;
    const root = mkdtempSync(join(tmpdir(), 'deals-remote-'));
    const folder = isFolder ? join(root, 'remote') : undefined;
    const proxy = await startFaultProxy(store.endpoint);
    Object.assign(process.env, environmentOf(store));
    return new RemoteSite(root, store, proxy, await store.createBucket(bucketOptions), folder);
  }

  /** Publishes another snapshot in a store of a builder, with new pictures among its pictures. Returns its id. */
  publish(store = this.builder, newPictures = 1): string {
    return publishNumber(store, ++this.#number, newPictures);
  }

  pushWords(...words: readonly string[]): readonly string[] {
    return this.#words('push', this.builder, ...words);
  }

  pullWords(server: string, ...words: readonly string[]): readonly string[] {
    return this.#words('pull', this.server(server), ...words);
  }

  #words(command: string, store: string, ...words: readonly string[]): readonly string[] {
    return [command, this.url, '--endpoint', this.proxy.url, '--store', store, ...words];
  }

  /** The store of a server. */
  server(name: string): string {
    return join(this.root, name);
  }

  /** Pushes within this process. A later option wins: `--store …`. */
  push(...words: readonly string[]): Promise<DealsRun> {
    return runHere(this.pushWords(...words));
  }

  /** Looks once within this process, and switches. */
  pull(server: string, ...words: readonly string[]): Promise<DealsRun> {
    return runHere(this.pullWords(server, ...words));
  }

  /** Runs the command in a process of its own, which a test may kill. */
  start(words: readonly string[], before: readonly string[] = []): RunningDeals {
    return new RunningDeals(words, { before, env: environmentOf(this.store) });
  }

  /** What is in the remote store, as another program reads it. */
  read(): Promise<RemoteContent> {
    return readRemoteStore(this.objects);
  }

  async remove(): Promise<void> {
    await this.proxy.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

function environmentOf({ accessKeyId, secretAccessKey }: TestStore): Record<string, string> {
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** Runs a command within this process: `now` is its clock. */
export async function runHere(words: readonly string[], now: () => Date = () => new Date()): Promise<DealsRun> {
  const said = { stdout: '', stderr: '' };
  const streamTo = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) => (said[name] += String(text)),
    on: () => undefined,
  });
  const exitCode = await runCommand(words, new Output(streamTo('stdout'), streamTo('stderr'), {}), now);
  return { exitCode, ...said };
}

/** The objects of a remote store in a bucket, read past the proxy. */
function objectsOf(store: TestStore, bucket: string): RemoteObjects {
  const client = new AwsClient({ ...store, service: 's3', region: 'us-east-1', retries: 0 });
  const base = `${store.endpoint}/${bucket}`;
  return {
    keys: async () => {
      const found: string[] = [];
      let token = '';
      do {
        const response = await client.fetch(
          `${base}/?list-type=2&encoding-type=url&prefix=${encodeURIComponent(PREFIX)}${token}`,
        );
        const text = await response.text();
        if (response.status !== 200) throw new Error(`${base}: LIST was answered ${response.status} ${text}`);
        found.push(
          ...Array.from(text.matchAll(/<Key>([^<]+)/g), ([, key = '']) => decodeURIComponent(key).slice(PREFIX.length)),
        );
        const [, next] = /<NextContinuationToken>([^<]+)/.exec(text) ?? [];
        token = next === undefined ? '' : `&continuation-token=${encodeURIComponent(next.replaceAll('&amp;', '&'))}`;
      } while (token !== '');
      return found;
    },
    get: async (key) => {
      const response = await client.fetch(`${base}/${PREFIX}${key}`);
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw new Error(`${key}: GET was answered ${response.status} ${body.toString()}`);
      return body;
    },
  };
}

/** The same of a remote store in a folder. What a killed push was writing has a name that begins with a dot. */
function filesOf(folder: string): RemoteObjects {
  return {
    keys: async () => {
      if (!existsSync(folder)) return [];
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'));
      return files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    },
    get: async (key) => (existsSync(join(folder, key)) ? readFileSync(join(folder, key)) : undefined),
  };
}

/** Snapshots of a day each. All show two pictures of the same network; up to 36 pictures of a product are new each time. */
function publishNumber(store: string, number: number, newPictures: number): string {
  mkdirSync(store, { recursive: true });
  const catalogue = createCatalogue();
  const [first, ...others] = catalogue.records.products;
  if (first === undefined) throw new Error('expected a product');
  const named = { ...first, record: product({ name: `Nova ${number}` }) };
  const picture = (name: string, content: string): PictureLine => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const path = `/images/${sha256.slice(0, 16)}/${name}.webp`;
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), content);
    return { path, bytes: content.length, sha256 };
  };
  const logos = { small: picture('aurora-small', 'small'), medium: picture('aurora-medium', 'medium') };
  const shown = IMAGE_KEYS.slice(0, newPictures).map(
    (key, at) => [key, picture(`view-${at}`, `${key} ${number}`)] as const,
  );
  const none = createNoPictures(catalogue);
  const [firstLogos, ...otherLogos] = none.networkLogos;
  if (firstLogos === undefined) throw new Error('expected a network');
  const content = encodeSnapshot({
    catalogue: { ...catalogue, records: { ...catalogue.records, products: [named, ...others] } },
    pictures: {
      ...none,
      products: [Object.fromEntries(shown.map(([key, { path }]) => [key, path])), ...none.products.slice(1)],
      networkLogos: [{ ...firstLogos, small: logos.small.path, medium: logos.medium.path }, ...otherLogos],
      pictures: [logos.small, logos.medium, ...shown.map(([, line]) => line)].toSorted((a, b) =>
        a.path < b.path ? -1 : 1,
      ),
    },
    priceHistories: [named, ...others].map(() => '20666 0'),
    currency: { code: 'GBP', label: '£' },
    report: {
      sources: [],
      notices: [],
      unmatchedNames: [],
      summary: { currency: 'GBP', cms: [], feeds: [], fields: [] },
    },
    notices: [],
  });
  const now = new Date(Date.UTC(2026, 0, number, 2, 30));
  const { id } = publishSnapshot(store, content, { now, sources: [], gates: [] });
  const confirmedAt = now.toISOString();
  const lastBuild = { outcome: 'published', startedAt: confirmedAt, seconds: 1, snapshot: id, current: id };
  writeFileSync(lastBuildPath(store), `${JSON.stringify({ ...lastBuild, message: 'published', confirmedAt })}\n`);
  return id;
}

/** The stores that a test runs over: an S3 in memory and, where there is one, a real one. */
export interface TestStores {
  readonly memory: MemoryS3;
  readonly all: readonly (readonly [name: string, store: TestStore])[];
  stop(): Promise<unknown>;
}

export async function openTestStores(): Promise<TestStores> {
  // Small pages: what is not listed would be taken for absent, or deleted.
  const memory = await startMemoryS3({ pageSize: 7 });
  const ceph = await startObjectStore();
  const all = [['an S3 in memory', memory] as const, ...(ceph === undefined ? [] : [['Ceph', ceph] as const])];
  return { memory, all, stop: () => Promise.all(all.map(([, store]) => store.stop())) };
}

/** Whether a test can look into a store. */
export function isMemory(store: TestStore): store is MemoryS3 {
  return 'objects' in store;
}

/** The id in `current.json`, read without the program. */
export function readCurrentId(store: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')) as { readonly snapshot: string }).snapshot;
  } catch {
    return undefined;
  }
}
