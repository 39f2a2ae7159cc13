import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLock, tryLock } from '../../../../data/store/file-lock.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'deals-lock-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a lock file', () => {
  it('that is a link is not followed: what it leads to is not written', () => {
    const path = join(folder, 'build.lock');
    symlinkSync(join(folder, 'victim'), path);
    expect(() => tryLock(path)).toThrow(/ELOOP/);
    expect(existsSync(join(folder, 'victim'))).toBe(false);
  });

  it('is deleted by its holder, who alone has it until then', () => {
    const path = join(folder, 'build.lock');
    const attempt = tryLock(path);
    expect(readLock(path)).toMatchObject({ kind: 'held', holder: { pid: process.pid } });
    if (attempt.kind === 'taken') attempt.lock.release();
    expect(existsSync(path)).toBe(false);
    expect(readLock(path)).toEqual({ kind: 'free' });
  });
});
