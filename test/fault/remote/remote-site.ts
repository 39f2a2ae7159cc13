import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { publishSnapshot } from '../../../build/publish/publish.ts';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import type { CatalogueImages } from '../../../build/records/images.ts';
import { openStore } from '../../../build/remote/open-store.ts';
import type { PictureLine } from '../../../data/snapshot/format.ts';
import { storePath } from '../../../data/store/layout.ts';
import { type DealsRun, requireSuccess, runDeals } from '../../harness.ts';
import type { BucketOptions, MemoryBucket, MemoryS3, TestStore } from '../../support/memory-s3.ts';
import { createCatalogue, createNoPictures } from '../../unit/build/encode/example-catalogue.ts';
import { createContent } from '../../unit/build/publish/snapshot-content.ts';
import { RunningDeals } from '../run-deals.ts';
import { readRemoteStore, type RemoteContent } from './remote-reader.ts';

/** A kind of remote store: a bucket of an S3, or a folder. */
export interface RemoteKind {
  readonly name: string;
  readonly store: TestStore;
  readonly isFolder?: boolean;
  /** Where a test can look into the bucket, and spoil requests. */
  readonly memory?: MemoryS3;
}

/** The kinds of remote store that are there on every machine. */
export const localKinds = (memory: MemoryS3) => ({
  memory: { name: 'an S3 in memory', store: memory, memory },
  folder: { name: 'a folder', store: memory, isFolder: true },
});

/** A builder, a remote store, and room for servers. */
export class RemoteSite {
  readonly root: string;
  readonly kind: RemoteKind;
  /** The store of the builder. */
  readonly builder: string;
  /** `s3://<bucket>/uk` or `file:///folder`. */
  readonly url: string;
  readonly #bucketName: string;
  #number = 0;

  private constructor(root: string, kind: RemoteKind, bucketName: string) {
    this.root = root;
    this.kind = kind;
    this.builder = join(root, 'builder');
    this.#bucketName = bucketName;
    // A remote store need not have a bucket for itself.
    this.url = kind.isFolder === true ? `file://${join(root, 'remote')}` : `s3://${bucketName}/uk`;
  }

  /** The credentials of the store come into the environment of this process. */
  static async create(kind: RemoteKind, options: BucketOptions = {}): Promise<RemoteSite> {
    Object.assign(process.env, environmentOf(kind.store));
    const bucketName = await kind.store.createBucket(options);
    return new RemoteSite(mkdtempSync(join(tmpdir(), 'deals-remote-')), kind, bucketName);
  }

  /** The bucket in memory. */
  get bucket(): MemoryBucket {
    if (this.kind.memory === undefined) throw new Error(`${this.kind.name} is not in memory`);
    return this.kind.memory.bucket(this.#bucketName);
  }

  /** Publishes another snapshot in a store of a builder, with a new picture. Returns its id. */
  publish(store = this.builder): string {
    return publishNumber(store, ++this.#number);
  }

  /** Publishes another snapshot and pushes it. Returns its id. */
  async pushNext(): Promise<string> {
    const id = this.publish();
    requireSuccess(await this.push());
    return id;
  }

  /** The words of a push. A later option wins: `--store …`. */
  pushWords(...words: readonly string[]): readonly string[] {
    return ['push', this.url, '--endpoint', this.kind.store.endpoint, '--store', this.builder, ...words];
  }

  pullWords(server: string, ...words: readonly string[]): readonly string[] {
    return ['pull', this.url, '--endpoint', this.kind.store.endpoint, '--store', this.server(server), ...words];
  }

  /** The store of a server. */
  server(name: string): string {
    return join(this.root, name);
  }

  push(...words: readonly string[]): Promise<DealsRun> {
    return runDeals(this.pushWords(...words));
  }

  /** Looks once, and switches. */
  pull(server: string, ...words: readonly string[]): Promise<DealsRun> {
    return runDeals(this.pullWords(server, ...words));
  }

  /** Runs the command in a process of its own, which a test may kill. */
  start(words: readonly string[], before: readonly string[] = []): RunningDeals {
    return new RunningDeals(words, { before, env: environmentOf(this.kind.store) });
  }

  /** What is in the remote store. */
  read(): Promise<RemoteContent> {
    return readRemoteStore(openStore(this.url, 'pull', { endpoint: this.kind.store.endpoint }, process.env));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function environmentOf({ accessKeyId, secretAccessKey }: TestStore): Record<string, string> {
  return { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
}

/** A server has the snapshot, whole, and has made it current. */
export function expectServed(site: RemoteSite, server: string, id: string): void {
  expect(readCurrentId(site.server(server))).toBe(id);
  expect(verifySnapshot(site.server(server), id)).toEqual([]);
}

/** The id in `current.json`, read without the program. */
export function readCurrentId(store: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(store, 'current.json'), 'utf8')) as { readonly snapshot: string }).snapshot;
  } catch {
    return undefined;
  }
}

type Logos = CatalogueImages['networkLogos'][number];

/** Snapshots of a day each. All show the same logo, and each a picture of its own. */
function publishNumber(store: string, number: number): string {
  const [logo, front] = ['logo', `front ${number}`].map((content): PictureLine => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const path = `/images/${sha256.slice(0, 16)}/picture.webp`;
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), content);
    return { path, bytes: content.length, sha256 };
  }) as [PictureLine, PictureLine];
  const catalogue = createCatalogue();
  const none = createNoPictures(catalogue);
  const [firstLogos, ...otherLogos] = none.networkLogos as [Logos, ...Logos[]];
  const content = createContent(catalogue, {
    ...none,
    products: [{ largeFrontImageWebp: front.path }, ...none.products.slice(1)],
    networkLogos: [{ ...firstLogos, small: logo.path }, ...otherLogos],
    pictures: [logo, front].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  });
  const now = new Date(Date.UTC(2026, 0, number, 2, 30));
  const { id } = publishSnapshot(store, content, { now, sources: [], gates: [] });
  const confirmedAt = now.toISOString();
  const lastBuild = { outcome: 'published', startedAt: confirmedAt, seconds: 1, snapshot: id, current: id };
  writeFileSync(
    storePath(store, 'last-build.json'),
    `${JSON.stringify({ ...lastBuild, message: 'published', confirmedAt })}\n`,
  );
  return id;
}
