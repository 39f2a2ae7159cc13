import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTable } from '../../../support/table.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addKey, KeyFileError, readKeyFile, removeKeys } from '../../../../server/keys/key-file.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const HASH = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const ENTRY = { id: '0a1b2c3d', name: 'website', sha256: HASH, createdAt: '2026-11-01T00:00:00Z' };

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deals-keys-'));
  file = join(folder, 'keys.json');
});

afterEach(() => rm(folder, { recursive: true }));

// What the commands make of it, and say of a file that they cannot read, are rows of `unit/cli/commands.test.ts`.
describe('a key file (D16)', () => {
  it('is readable by its owner alone, and leaves nothing but its lock file behind', async () => {
    await addKey(join(folder, 'new/folder/keys.json'), { name: 'website' }, NOW);
    expect((await stat(join(folder, 'new/folder/keys.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'new/folder'))).toEqual(['keys.json', 'keys.json.lock']);
  });

  it('behind a symbolic link is changed where it is', async () => {
    const link = join(folder, 'link.json');
    await addKey(file, { name: 'first' }, NOW);
    await symlink(file, link);
    await addKey(link, { name: 'second' }, NOW);
    expect((await readKeyFile(file)).map(({ name }) => name)).toEqual(['first', 'second']);
  });

  it('keeps its mode and its owner, so that a server that reads it by its group sees a key revoked', async () => {
    const { entry } = await addKey(file, { name: 'website' }, NOW);
    await chmod(file, 0o640);
    if (process.getuid?.() === 0) await chown(file, 65_534, 12_345);
    const { uid, gid } = await stat(file);
    await removeKeys(file, ({ id }) => id === entry.id);
    const after = await stat(file);
    expect([after.mode & 0o777, after.uid, after.gid]).toEqual([0o640, uid, gid]);
  });

  it('is refused at once when it is a pipe', async () => {
    execFileSync('mkfifo', [file]);
    await expect(readKeyFile(file)).rejects.toMatchObject({
      code: 'unreadable-file',
      message: `${file}: cannot be read: EINVAL`,
    });
  });
});

describe('a key file that is not one is refused', () => {
  // The text of a file, or what is put over a sound key.
  const refused = readTable<[what: string, content: string | object, fault: string]>(
    import.meta.url,
    'fixture/refused.ndjson',
  );

  it.each(refused)('%s', async (_, content, fault) => {
    const text = typeof content === 'string' ? content : JSON.stringify({ keys: [{ ...ENTRY, ...content }] });
    await writeFile(file, text);
    const error = await readKeyFile(file).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(KeyFileError);
    expect((error as KeyFileError).code).toBe('malformed-file');
    expect((error as KeyFileError).message).toBe(`${file}: ${fault}`);
    expect((error as KeyFileError).message).not.toContain('deals_');
  });

  it('and is left as it is by every change', async () => {
    await writeFile(file, '{"keys": [');
    await expect(addKey(file, { name: 'website' }, NOW)).rejects.toThrow(KeyFileError);
    await expect(removeKeys(file, () => true)).rejects.toThrow(KeyFileError);
    expect(await readFile(file, 'utf8')).toBe('{"keys": [');
    expect(await readdir(folder)).toEqual(['keys.json', 'keys.json.lock']);
  });
});
