import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rollBack } from '../../../build/publish/rollback.ts';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { readObject, RemoteError, type ObjectStore } from '../../../build/remote/object-store.ts';
import { NotFastForwardError } from '../../../build/remote/push.ts';
import { NoConditionsError } from '../../../build/remote/records.ts';
import { BLOB_PREFIX, HEAD_FILE, recordPath } from '../../../build/remote/remote-format.ts';
import { signRecord, verifyRecord, readTrustedKeys, type SigningKey } from '../../../build/remote/signature.ts';
import { SNAPSHOT_FILES } from '../../../data/snapshot/format.ts';
import { snapshotPath } from '../../../data/store/layout.ts';
import { readPullState } from '../../../data/store/pull-state.ts';
import { isRolledBack, readCurrent } from '../../../data/store/snapshots.ts';
import { createTemporaryFolder, publishNumber } from '../../unit/build/publish/temporary-store.ts';
import { createKey, createPuller, openMemoryStore, push, STORE_KINDS } from './remote-stores.ts';

afterEach(() => vi.useRealTimers());

/** A builder with one snapshot that is published, and a server that has it. */
async function createPair(remote: ObjectStore, key: SigningKey = createKey()) {
  const [builder, server] = [createTemporaryFolder(), createTemporaryFolder()];
  const { id } = publishNumber(builder, 1);
  await push(builder, remote, key);
  const puller = createPuller(server, remote, key);
  await puller.look();
  return { builder, server, key, puller, first: id };
}

async function readRecordText(remote: ObjectStore, revision: number) {
  return (await readObject(remote, recordPath(revision), 100_000)) ?? Buffer.alloc(0);
}

/** Makes every look one that searches for records. */
async function lookTenTimes(puller: ReturnType<typeof createPuller>) {
  for (let i = 0; i < 9; i++) await puller.look();
  return puller.look();
}

/** The store for a reader who may not list it: S3 and CloudFront then answer 403 for what is not there. */
function withoutList(remote: ObjectStore): ObjectStore {
  return new Proxy(remote, {
    get: (target, name) =>
      name !== 'get'
        ? Reflect.get(target, name)
        : async (key: string, etag?: string) => {
            const object = await target.get(key, etag);
            if (object.kind === 'absent') throw new RemoteError('denied', `${target.url}/${key}: 403`);
            return object;
          },
  });
}

describe('a reader who may not list the store', () => {
  it('pulls what the head names, and takes a record that is denied beyond it as not there', async () => {
    const { remote } = await openMemoryStore();
    const { builder, key } = await createPair(remote);
    const { id: second } = publishNumber(builder, 2);
    await push(builder, remote, key);
    const server = createTemporaryFolder();
    expect(await createPuller(server, withoutList(remote), key).look()).toMatchObject({ hasSwitched: true });
    expect(readCurrent(server)).toBe(second);
    expect(readPullState(server)?.lastFailure).toBeUndefined();
  });

  it('is told when the record that the head names is denied', async () => {
    const { remote, objects } = await openMemoryStore();
    const { key } = await createPair(remote);
    objects.delete(`uk/${recordPath(1)}`);
    const look = await createPuller(createTemporaryFolder(), withoutList(remote), key).look();
    expect(look.failure).toMatchObject({ step: 'record', message: expect.stringContaining('403') as string });
  });
});

describe.each(Object.entries(STORE_KINDS))('over %s', (_, open) => {
  it('a server gets the snapshot byte for byte', async () => {
    const remote = await open();
    const { builder, server, first } = await createPair(remote);
    expect(readCurrent(server)).toBe(first);
    for (const file of [...SNAPSHOT_FILES, 'manifest.json'] as const) {
      const [sent, got] = [builder, server].map((store) => readFileSync(join(store, first, file), 'utf8'));
      expect(got).toBe(sent);
    }
    expect(verifySnapshot(server, first)).toEqual([]);
  });

  it('of two builders with the same next revision one publishes', async () => {
    const remote = await open();
    const { builder, key, server, puller } = await createPair(remote);
    publishNumber(builder, 2);
    const results = await Promise.allSettled([push(builder, remote, key), push(builder, remote, key)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await puller.look();
    expect(readPullState(server)?.current?.revision).toBe(2);
  });

  it('a server says that the remote store is gone, and keeps what it has until there is one again', async () => {
    const remote = await open();
    const { builder, server, key, puller, first } = await createPair(remote);
    for (const name of [HEAD_FILE, 'deals-store.json', recordPath(1)]) await remote.delete(name);
    const before = readPullState(server)?.lastContactAt;
    expect((await puller.look()).failure).toMatchObject({
      step: 'head',
      message: expect.stringContaining('the disk is mounted'),
    });
    expect(readPullState(server)?.lastContactAt).toBe(before);
    expect(readCurrent(server)).toBe(first);
    const { id } = publishNumber(builder, 2);
    await push(builder, remote, key, { acceptsLostStore: true });
    await puller.look();
    expect(readCurrent(server)).toBe(id);
  });
});

describe('a snapshot that is pushed', () => {
  it('a push of what is published writes nothing', async () => {
    const { remote } = await openMemoryStore();
    const { builder, key } = await createPair(remote);
    expect(await push(builder, remote, key)).toMatchObject({ outcome: 'unchanged', revision: 1, uploadedObjects: 0 });
  });

  it('a rollback is a higher revision and uploads no file again', async () => {
    const { remote } = await openMemoryStore();
    const { builder, server, key, puller, first } = await createPair(remote);
    const { id: second } = publishNumber(builder, 2);
    await push(builder, remote, key);
    await puller.look();
    expect(readCurrent(server)).toBe(second);
    rollBack(builder);
    expect(await push(builder, remote, key)).toMatchObject({ revision: 3, snapshot: first, uploadedObjects: 0 });
    await puller.look();
    expect(readCurrent(server)).toBe(first);
    expect(isRolledBack(server, second)).toBe(true);
  });

  it('a snapshot that was built on another one is refused, until an operator accepts it', async () => {
    const { remote } = await openMemoryStore();
    const { key, first } = await createPair(remote);
    const other = createTemporaryFolder();
    publishNumber(other, 5);
    await expect(push(other, remote, key)).rejects.toThrow(NotFastForwardError);
    await expect(push(other, remote, key)).rejects.toThrow(first);
    expect(await push(other, remote, key, { acceptsNotFastForward: true })).toMatchObject({ revision: 2 });
  });

  it('servers switch when the lead has passed, and no later when their clock is an hour behind', async () => {
    const { remote } = await openMemoryStore();
    const { builder, server, key, puller, first } = await createPair(remote);
    const { id } = publishNumber(builder, 2);
    await push(builder, remote, key, { leadSeconds: 60, now: () => new Date('2026-11-23T04:00:00Z') });
    vi.useFakeTimers({ toFake: ['performance'] });
    expect(await puller.look()).toMatchObject({ hasSwitched: false, announced: { snapshot: id } });
    vi.advanceTimersByTime(59_000);
    await puller.look();
    expect(readCurrent(server)).toBe(first);
    vi.advanceTimersByTime(1_000);
    expect(await puller.look()).toMatchObject({ hasSwitched: true });
    expect(readCurrent(server)).toBe(id);
  });
});

describe('a record is refused', () => {
  const refuse = async (
    write: (remote: ObjectStore, key: SigningKey, builder: string) => Promise<void>,
  ): Promise<{ readonly refusal: string | undefined; readonly revision: number | undefined }> => {
    const { remote } = await openMemoryStore();
    const { builder, server, key, puller, first } = await createPair(remote);
    await write(remote, key, builder);
    const { refusal } = await lookTenTimes(puller);
    expect(readCurrent(server)).toBe(first);
    expect(readPullState(server)).toMatchObject({ refusals: 1, lastFailure: { step: 'record' } });
    return { refusal, revision: readPullState(server)?.announced?.revision };
  };
  const put = (remote: ObjectStore, key: string, text: string | Buffer) =>
    remote.put(key, Buffer.from(text), { contentType: 'application/json' }).then(() => undefined);

  it('when a stranger has signed it', async () => {
    const { refusal } = await refuse(async (remote, key) => {
      const known = verifyRecord(await readRecordText(remote, 1), 1, readTrustedKeys([key.publicText]));
      if (known.kind !== 'trusted') throw new Error(known.reason);
      await put(remote, recordPath(2), signRecord({ ...known.record, revision: 2 }, createKey()));
    });
    expect(refusal).toContain('no trusted key has signed it');
  });

  it('when it is a copy of an older one under a higher number', async () => {
    const { refusal } = await refuse(async (remote) => put(remote, recordPath(2), await readRecordText(remote, 1)));
    expect(refusal).toContain('it is a copy of revision 1');
  });

  it('when its text was changed after it was signed', async () => {
    const { refusal } = await refuse(async (remote) => {
      const text = (await readRecordText(remote, 1))
        .toString()
        .replace(String.raw`\"revision\":1`, String.raw`\"revision\":2`);
      await put(remote, recordPath(2), text);
    });
    expect(refusal).toContain('no trusted key has signed it');
  });

  it('when it is not signed at all', async () => {
    const { refusal } = await refuse((remote) => put(remote, recordPath(2), '{"text":"{}","signatures":[]}'));
    expect(refusal).toContain('it is no signed record');
  });

  it('when the head goes back to an older one', async () => {
    const { remote } = await openMemoryStore();
    const { builder, server, key, puller } = await createPair(remote);
    const { id } = publishNumber(builder, 2);
    await push(builder, remote, key);
    await puller.look();
    await put(remote, HEAD_FILE, '{"revision":1}');
    expect((await puller.look()).refusal).toContain('older than 2');
    expect(readCurrent(server)).toBe(id);
  });
});

describe('a server', () => {
  it('says so where nothing is published', async () => {
    const { remote } = await openMemoryStore();
    const { failure } = await createPuller(createTemporaryFolder(), remote, createKey()).look();
    expect(failure).toMatchObject({
      step: 'head',
      message: expect.stringContaining('see whether the URL is that of deals push'),
    });
  });

  it('goes on with a new key after a very high revision was signed with a stolen one', async () => {
    const { remote } = await openMemoryStore();
    const { builder, server, key: stolen, puller } = await createPair(remote);
    const known = verifyRecord(await readRecordText(remote, 1), 1, readTrustedKeys([stolen.publicText]));
    if (known.kind !== 'trusted') throw new Error(known.reason);
    const high = 999_999_999_998;
    await remote.put(recordPath(high), signRecord({ ...known.record, revision: high }, stolen), {
      contentType: 'text/plain',
    });
    await remote.put(HEAD_FILE, Buffer.from(`{"revision":${high}}`), { contentType: 'text/plain' });
    await puller.look();
    expect(readPullState(server)?.announced?.revision).toBe(high);
    const fresh = createKey('fresh');
    const { id } = publishNumber(builder, 2);
    expect(await push(builder, remote, fresh, { acceptsNotFastForward: true })).toMatchObject({ outcome: 'pushed' });
    await createPuller(server, remote, fresh).look();
    expect(readCurrent(server)).toBe(id);
  });

  it('finds a record that the head does not name at its tenth look', async () => {
    const { remote, objects } = await openMemoryStore();
    const { builder, server, key, puller } = await createPair(remote);
    const head = objects.get(`uk/${HEAD_FILE}`)?.body.toString() ?? '';
    const { id } = publishNumber(builder, 2);
    await push(builder, remote, key);
    await remote.put(HEAD_FILE, Buffer.from(head), { contentType: 'application/json' });
    await lookTenTimes(puller);
    expect(readCurrent(server)).toBe(id);
  });

  it('asks once a look while nothing is new, and is told 304', async () => {
    const { remote, s3 } = await openMemoryStore();
    const { puller } = await createPair(remote);
    await puller.look();
    s3.clearRequests();
    await puller.look();
    expect(s3.requests.map(({ verb, key, status }) => [verb, key, status])).toEqual([['GET', `uk/${HEAD_FILE}`, 304]]);
  });

  it.each([
    ['damaged', (body: Buffer) => Buffer.from(body.map((byte, i) => (i === 20 ? byte ^ 1 : byte)))],
    ['cut short', (body: Buffer) => body.subarray(0, body.length - 3)],
    ['of another file', () => Buffer.from('something else')],
  ])('keeps the old snapshot when a blob is %s, until the builder repairs it', async (_, damage) => {
    const { remote, objects } = await openMemoryStore();
    const { builder, server, key, puller, first } = await createPair(remote);
    const { id } = publishNumber(builder, 2);
    const before = new Set(objects.keys());
    await push(builder, remote, key);
    const added = [...objects].find(([name]) => name.startsWith(`uk/${BLOB_PREFIX}`) && !before.has(name))?.[1];
    if (added === undefined) throw new Error('expected a new blob');
    added.body = damage(added.body);
    expect((await puller.look()).failure?.message).toContain('deals push --repair');
    // The next try comes later; until then the fault stays, and counts once.
    expect((await puller.look()).failure?.message).toContain('deals push --repair');
    expect(readPullState(server)).toMatchObject({ failures: { blob: 1 }, lastFailure: { step: 'blob' } });
    expect(readCurrent(server)).toBe(first);
    await push(builder, remote, key, { repairs: true });
    await createPuller(server, remote, key).look();
    expect(readCurrent(server)).toBe(id);
    expect(verifySnapshot(server, id)).toEqual([]);
  });

  it('fetches only what a killed pull has not brought, and what is damaged there', async () => {
    const { remote, s3 } = await openMemoryStore();
    const { builder, server, key, first } = await createPair(remote);
    const unfinished = join(server, `.new-${first}`);
    rmSync(join(server, 'current.json'));
    rmSync(join(server, 'pull.json'));
    renameSync(join(server, first), unfinished);
    writeFileSync(join(unfinished, 'products.ndjson'), 'half');
    rmSync(join(unfinished, 'deals.ndjson'));
    s3.clearRequests();
    await createPuller(server, remote, key).look();
    expect(s3.count('GET', /blob/)).toBe(2 + 1);
    expect(readFileSync(snapshotPath(server, first, 'deals.ndjson'))).toEqual(
      readFileSync(snapshotPath(builder, first, 'deals.ndjson')),
    );
    expect(readdirSync(server).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('does not undo a rollback of its own operator before the next revision', async () => {
    const { remote } = await openMemoryStore();
    const { builder, server, key, puller, first } = await createPair(remote);
    publishNumber(builder, 2);
    await push(builder, remote, key);
    await puller.look();
    rollBack(server);
    await lookTenTimes(puller);
    expect(readCurrent(server)).toBe(first);
    const { id } = publishNumber(builder, 3);
    await push(builder, remote, key);
    await puller.look();
    expect(readCurrent(server)).toBe(id);
  });

  it('does not begin without what it has accepted', async () => {
    const { remote } = await openMemoryStore();
    const { server, puller } = await createPair(remote);
    writeFileSync(join(server, 'pull.json'), '{"highest":');
    await expect(puller.look()).rejects.toThrow('delete it to begin from the newest record');
  });
});

describe('a push', () => {
  it('with a key that has signed none of the records is refused, and changes nothing', async () => {
    const { remote, objects } = await openMemoryStore();
    const { builder } = await createPair(remote);
    const before = [...objects.keys()];
    publishNumber(builder, 2);
    await expect(push(builder, remote, createKey('other'))).rejects.toThrow('no key that you trust has signed one');
    expect([...objects.keys()]).toEqual(before);
  });

  it('remembers each place that it has published to, so that one that is gone is noticed after a push to another', async () => {
    const [{ remote: first, objects }, { remote: second }] = [await openMemoryStore(), await openMemoryStore()];
    const { builder, key } = await createPair(first);
    expect(await push(builder, second, key)).toMatchObject({ isNew: true, revision: 2 });
    objects.clear();
    await expect(push(builder, first, key)).rejects.toThrow('where revision 1 was published');
  });

  it('refuses a store that accepts conditions and ignores them, unless there is one builder', async () => {
    const { remote, objects } = await openMemoryStore({ ignoresConditions: true });
    const [builder, key] = [createTemporaryFolder(), createKey()];
    publishNumber(builder, 1);
    await expect(push(builder, remote, key)).rejects.toThrow(NoConditionsError);
    expect([...objects.keys()]).toEqual(['uk/deals-store.json']);
    expect(await push(builder, remote, key, { isOnlyWriter: true })).toMatchObject({ revision: 1 });
  });

  it('refuses a remote store of another format', async () => {
    const { remote } = await openMemoryStore();
    const [builder, key] = [createTemporaryFolder(), createKey()];
    publishNumber(builder, 1);
    await remote.put('deals-store.json', Buffer.from('{"format":2}'), { contentType: 'application/json' });
    await expect(push(builder, remote, key)).rejects.toThrow('got another format');
  });

  it('publishes nothing when a file of its own store is damaged', async () => {
    const { remote, objects } = await openMemoryStore();
    const [builder, key] = [createTemporaryFolder(), createKey()];
    const { id } = publishNumber(builder, 1);
    writeFileSync(snapshotPath(builder, id, 'deals.ndjson'), 'damaged');
    await expect(push(builder, remote, key)).rejects.toThrow('the file was damaged after it was published');
    expect([...objects.keys()].filter((name) => /switch|head/.test(name))).toEqual([]);
  });

  it('deletes what no kept record names a day after it was written, and nothing else', async () => {
    const { remote, objects } = await openMemoryStore();
    const [builder, key] = [createTemporaryFolder(), createKey()];
    const ids: string[] = [];
    const pushNext = async (hours: number) => {
      for (const object of objects.values()) object.modified = new Date(object.modified.getTime() - hours * 3_600_000);
      ids.push(publishNumber(builder, ids.length + 1).id);
      return push(builder, remote, key);
    };
    for (let night = 0; night < 7; night++) expect((await pushNext(24)).deletedObjects).toBe(0);
    // The eighth: the first record, its manifest, and the files that only it has (changes.json, quarantine.ndjson).
    expect((await pushNext(24)).deletedObjects).toBe(4);
    expect(objects.has(`uk/${recordPath(1)}`)).toBe(false);
    expect(objects.has(`uk/${recordPath(2)}`)).toBe(true);
    const server = createTemporaryFolder();
    await createPuller(server, remote, key).look();
    expect(verifySnapshot(server, ids.at(-1) ?? '')).toEqual([]);
  });

  it('goes on counting where the bucket was lost, so that servers accept the next record', async () => {
    const { remote, objects } = await openMemoryStore();
    const { builder, server, key, puller } = await createPair(remote);
    objects.clear();
    const { id } = publishNumber(builder, 2);
    // A disk that is not mounted, or a bucket of another name, looks the same.
    await expect(push(builder, remote, key)).rejects.toThrow(
      'nothing is there any more, where revision 1 was published',
    );
    expect(objects.size).toBe(0);
    expect(await push(builder, remote, key, { acceptsLostStore: true })).toMatchObject({ revision: 2 });
    await puller.look();
    expect(readCurrent(server)).toBe(id);
  });

  it('leaves alone what is not an object of a remote store, also when its key would lead elsewhere in a URL', async () => {
    const { remote, objects } = await openMemoryStore();
    const { builder, key } = await createPair(remote);
    const foreign = ['uk/blob/../../other/file', 'uk/blob/a b', 'uk/images/x/../../head.json'];
    const [, head] = [...objects].find(([name]) => name === `uk/${HEAD_FILE}`) ?? [];
    if (head === undefined) throw new Error('expected a head');
    for (const name of foreign) objects.set(name, { ...head, modified: new Date(0) });
    objects.set('other/file', head);
    publishNumber(builder, 2);
    expect(await push(builder, remote, key)).toMatchObject({ outcome: 'pushed', deletedObjects: 0 });
    expect([...foreign, 'other/file', `uk/${HEAD_FILE}`].every((name) => objects.has(name))).toBe(true);
  });

  it('corrects its clock by that of the store when that refuses it', async () => {
    const { remote } = await openMemoryStore({ now: () => new Date(Date.now() + 3_600_000) });
    const [builder, key] = [createTemporaryFolder(), createKey()];
    publishNumber(builder, 1);
    expect(await push(builder, remote, key)).toMatchObject({ outcome: 'pushed' });
  });
});
