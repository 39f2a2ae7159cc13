import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { readTrustedKeys } from '../../../build/remote/signature.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { createTemporaryFolder, publishNumber } from '../../unit/build/publish/temporary-store.ts';
import { createKey, createPuller, openMemoryStore, push } from './remote-stores.ts';

describe('the steps of many-machines.md', () => {
  it('replace a signing key without a pause: both are trusted, then the new one alone', async () => {
    const { remote, objects } = await openMemoryStore();
    const [builder, server, old, fresh] = [
      createTemporaryFolder(),
      createTemporaryFolder(),
      createKey(),
      createKey('fresh'),
    ];
    const both = readTrustedKeys([old.publicText, fresh.publicText]);
    const { id: first } = publishNumber(builder, 1);
    await push(builder, remote, old);
    await createPuller(server, remote, old, fresh).look();
    expect(readCurrent(server)).toBe(first);
    // What only the first record names is a day old, and the builder trusts the old key: it stays.
    for (const object of objects.values()) object.modified = new Date(object.modified.getTime() - 25 * 3_600_000);
    const { id: second } = publishNumber(builder, 2);
    expect(await push(builder, remote, fresh, { trusted: both })).toMatchObject({ revision: 2, deletedObjects: 0 });
    expect(await createPuller(server, remote, old, fresh).look()).toMatchObject({ hasSwitched: true });
    expect(readCurrent(server)).toBe(second);
    const { id: third } = publishNumber(builder, 3);
    // Alone, the new key leaves the records of the old one to be tidied up.
    const pushed = await push(builder, remote, fresh);
    expect(pushed.revision).toBe(3);
    expect(pushed.deletedObjects).toBeGreaterThan(0);
    const look = await createPuller(server, remote, fresh).look();
    expect([look.refusal, readCurrent(server)]).toEqual([undefined, third]);
  });

  it('make a builder of an empty machine: it pulls, builds on that, and its push is accepted', async () => {
    const { remote } = await openMemoryStore();
    const [lost, key] = [createTemporaryFolder(), createKey()];
    publishNumber(lost, 1);
    await push(lost, remote, key);
    rmSync(lost, { recursive: true });
    const builder = createTemporaryFolder();
    await createPuller(builder, remote, key).look();
    const { id } = publishNumber(builder, 2);
    expect(await push(builder, remote, key)).toMatchObject({ outcome: 'pushed', revision: 2, snapshot: id });
  });

  it('lead servers to another bucket when theirs is lost', async () => {
    const [{ remote: lost, objects }, { remote }] = [await openMemoryStore(), await openMemoryStore()];
    const [builder, server, key] = [createTemporaryFolder(), createTemporaryFolder(), createKey()];
    const { id: first } = publishNumber(builder, 1);
    await push(builder, lost, key);
    await createPuller(server, lost, key).look();
    objects.clear();
    await push(builder, remote, key);
    await createPuller(server, remote, key).look();
    expect(readCurrent(server)).toBe(first);
    const { id: second } = publishNumber(builder, 2);
    await push(builder, remote, key);
    await createPuller(server, remote, key).look();
    expect(readCurrent(server)).toBe(second);
    expect(verifySnapshot(server, second)).toEqual([]);
  });
});
