import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FileStore } from '../../../build/remote/file-store.ts';
import type { ObjectStore } from '../../../build/remote/object-store.ts';
import { Puller } from '../../../build/remote/pull.ts';
import { pushSnapshot, type PushOptions } from '../../../build/remote/push.ts';
import { S3Store } from '../../../build/remote/s3-store.ts';
import { createSigningKey, readTrustedKeys, type SigningKey } from '../../../build/remote/signature.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { createTemporaryFolder } from '../../unit/build/publish/temporary-store.ts';

const NOW = new Date('2026-11-23T03:00:00Z');

export function createKey(name = 'signing'): SigningKey {
  return createSigningKey(join(createTemporaryFolder(), `${name}.pem`));
}

/** A remote store of each kind that can be written to. */
export const STORE_KINDS: Readonly<Record<string, () => Promise<ObjectStore>>> = {
  'file://': async () => new FileStore(createTemporaryFolder()),
  's3://': async () => (await openMemoryStore()).remote,
};

/** An S3 in memory, and a bucket in it. */
export async function openMemoryStore(
  options: { readonly ignoresConditions?: boolean; readonly now?: () => Date } = {},
) {
  const { ignoresConditions = false, now = () => new Date() } = options;
  const s3 = await startMemoryS3({ now });
  onTestFinished(() => s3.stop());
  const bucket = await s3.createBucket({ ignoresConditions });
  const remote = new S3Store({
    bucket,
    prefix: 'uk/',
    endpoint: s3.endpoint,
    region: 'eu-west-2',
    findCredentials: () => Promise.resolve(s3),
    now: () => Date.now(),
  });
  return { remote, s3, objects: s3.objects(bucket) };
}

/** Pushes without a lead, as the only builder, unless `options` say otherwise. */
export function push(store: string, remote: ObjectStore, signingKey: SigningKey, options: Partial<PushOptions> = {}) {
  return pushSnapshot({
    store,
    remote,
    signingKey,
    trusted: new Map(),
    leadSeconds: 0,
    acceptsNotFastForward: false,
    acceptsLostStore: false,
    isOnlyWriter: false,
    repairs: false,
    now: () => NOW,
    ...options,
  });
}

export function createPuller(store: string, remote: ObjectStore, ...keys: readonly SigningKey[]): Puller {
  const trusted = readTrustedKeys(keys.map(({ publicText }) => publicText));
  return new Puller({ store, remote, trusted, now: () => NOW });
}
