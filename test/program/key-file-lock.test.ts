import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { tryLock } from '../../data/store/lock.ts';
import { addKey, readKeyFile } from '../../server/keys/key-file.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'deals-lock-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the key file', () => {
  it('loses no key to writers at the same time, in one process or in several', async () => {
    const file = join(folder, 'written.json');
    const module = join(import.meta.dirname, '../../server/keys/key-file.ts');
    const script = `import { addKey } from ${JSON.stringify(module)};
      for (let i = 0; i < 5; i++) await addKey(${JSON.stringify(file)}, { name: 'other' }, new Date());`;
    const others = [1, 2].map(() =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]),
    );
    await Promise.all([...others, ...Array.from({ length: 10 }, () => addKey(file, { name: 'this' }, NOW))]);
    expect(await readKeyFile(file)).toHaveLength(20);
  });

  it('says that it is locked when another command does not let go of it', { timeout: 20_000 }, async () => {
    const file = join(folder, 'locked.json');
    const attempt = tryLock(`${file}.lock`);
    onTestFinished(() => {
      if (attempt.kind === 'taken') attempt.lock.release();
    });
    await expect(addKey(file, { name: 'website' }, NOW)).rejects.toThrow(
      `${file}: the command with process id ${process.pid} is changing it; try again when it has ended`,
    );
  });
});
