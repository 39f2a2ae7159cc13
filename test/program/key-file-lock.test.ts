import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { tryLock } from '../../data/store/lock.ts';
import { addKey, readKeyFile } from '../../server/keys/key-file.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'deals-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the key file', () => {
  it('loses no key to writers at the same time: one is told to try again, or its key is there', async () => {
    const file = join(folder, 'written.json');
    const writers = await Promise.allSettled(Array.from({ length: 10 }, () => addKey(file, { name: 'this' }, NOW)));
    const done = writers.filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBeGreaterThan(0);
    expect(await readKeyFile(file)).toHaveLength(done.length);
    await addKey(file, { name: 'this' }, NOW);
    expect(await readKeyFile(file)).toHaveLength(done.length + 1);
  });

  it('says that it is locked while another command has it', async () => {
    const file = join(folder, 'locked.json');
    const lock = tryLock(`${file}.lock`);
    onTestFinished(() => lock?.release());
    await expect(addKey(file, { name: 'website' }, NOW)).rejects.toThrow(
      `${file}: another command is changing it; try again when it has ended`,
    );
  });
});
