import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireStoreLock, StoreBusyError, tryLock } from '../../../../data/store/lock.ts';
import { createTemporaryFolder } from '../../build/publish/temporary-store.ts';

describe('acquireStoreLock', () => {
  it('refuses a second build, in this process too', () => {
    const store = createTemporaryFolder();
    const lock = acquireStoreLock(store);
    expect(() => acquireStoreLock(store)).toThrow('/build.lock names, is running; nothing was done');
    lock.release();
  });

  it('does not take the lock of another when it is released twice', () => {
    const store = createTemporaryFolder();
    const first = acquireStoreLock(store);
    first.release();
    const second = acquireStoreLock(store);
    first.release();
    expect(() => acquireStoreLock(store)).toThrow(StoreBusyError);
    second.release();
  });

  it.each([
    ['whose holder has the id of a living process', `${process.pid} ${hostname()}\n`],
    ['that says nothing', ''],
    ['that says anything', 'something'],
  ])('takes over a file %s, which the kernel does not lock', (_, text) => {
    const store = createTemporaryFolder();
    writeFileSync(join(store, 'build.lock'), text);
    expect(() => acquireStoreLock(store).release()).not.toThrow();
  });

  it('does not follow a link: the file that it leads to is not written', () => {
    const folder = createTemporaryFolder();
    const path = join(folder, 'build.lock');
    symlinkSync(join(folder, 'victim'), path);
    expect(() => tryLock(path)).toThrow(/ELOOP/);
    expect(existsSync(join(folder, 'victim'))).toBe(false);
  });

  it('creates the store', () => {
    expect(() => acquireStoreLock(join(createTemporaryFolder(), 'new', 'store')).release()).not.toThrow();
  });
});
