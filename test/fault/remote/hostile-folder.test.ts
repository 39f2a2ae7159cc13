import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { requireSuccess, type DealsRun } from '../../unit/cli/run-deals.ts';
import { AS_ORDINARY_USER } from '../../ordinary-user.ts';
import { root } from '../needs.ts';
import { PROGRAM_ROOT } from '../program.ts';
import { readCurrentId, RemoteSite } from './remote-site.ts';

/** A command that hangs is killed after this time, and has then no exit code. */
const PATIENCE_MS = 20_000;

const DAY_SECONDS = 86_400;

const memory = await startMemoryS3();
let site: RemoteSite;
/** The remote store. */
let folder: string;
let old: string;
let next: string;

beforeEach(async () => {
  site = await RemoteSite.create(memory, { isFolder: true });
  folder = join(site.root, 'remote');
  old = site.publish();
  requireSuccess(await site.push());
  requireSuccess(await site.pull('server'));
  next = site.publish();
  requireSuccess(await site.push());
});
afterEach(() => site.remove());
afterAll(() => memory.stop());

/** Runs a command in a process of its own, since it may hang. */
async function run(words: readonly string[], before: readonly string[] = []): Promise<DealsRun> {
  const running = site.start(words, before);
  const timer = setTimeout(() => running.kill('SIGKILL'), PATIENCE_MS);
  const ended = await running.ended;
  clearTimeout(timer);
  return ended;
}

/** As if all of the remote store had been written so many days ago. */
function age(days: number): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => !each.isSymbolicLink())) {
    const path = join(entry.parentPath, entry.name);
    const time = statSync(path).mtimeMs / 1_000 - days * DAY_SECONDS;
    lutimesSync(path, time, time);
  }
}

/** The file of an object that only the new snapshot has. */
function newBlob(): string {
  const blobs = readdirSync(join(folder, 'blob'), { recursive: true, encoding: 'utf8' });
  const { files } = JSON.parse(readFileSync(join(site.builder, next, 'manifest.json'), 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly sha256: string }>>;
  };
  const { sha256 = '' } = files['products.ndjson'] ?? {};
  return join(folder, 'blob', blobs.find((path) => path.includes(sha256) && path.endsWith('.br')) ?? '');
}

/** What a stranger who can write to the folder puts in the place of a file. */
const REPLACEMENTS: Readonly<Record<string, (path: string) => void>> = {
  'a named pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to endless zeros': (path) => symlinkSync('/dev/zero', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a link to nothing': (path) => symlinkSync('/nowhere/at/all', path),
  'a link to a file of passwords': (path) => symlinkSync('/etc/passwd', path),
  'a folder': (path) => mkdirSync(path),
};

const FILES: Readonly<Record<string, () => string>> = {
  head: () => join(folder, 'head.json'),
  record: () => join(folder, 'switch/000000000002.json'),
  blob: newBlob,
};

const CASES = Object.entries(FILES).flatMap(([what, pathOf]) =>
  Object.entries(REPLACEMENTS).map(([replacement, replace]) => [what, replacement, pathOf, replace] as const),
);

describe('in a shared folder', () => {
  it.each(CASES)('a %s that is %s stops no pull for long', async (what, _, pathOf, replace) => {
    const path = pathOf();
    renameSync(path, `${path}.kept`);
    replace(path);
    const { exitCode, stderr } = await run(site.pullWords('server'));
    const current = readCurrentId(site.server('server'));
    // Without a readable head the first look finds the record.
    const isFound = what === 'head' && current === next;
    const failures = [what === 'record' ? EXIT.refused : EXIT.failed, EXIT.failed];
    expect(isFound ? [EXIT.ok, EXIT.failed] : failures, stderr).toContain(exitCode);
    expect(current).toBe(isFound ? next : old);
    expect(verifySnapshot(site.server('server'), current ?? '')).toEqual([]);
    // It is no fault of the disk of the server.
    expect(readFileSync(join(site.server('server'), 'pull.json'), 'utf8')).not.toContain('"step": "disk"');
    rmSync(path, { recursive: true });
    renameSync(`${path}.kept`, path);
    requireSuccess(await site.pull('server'));
    expect(readCurrentId(site.server('server'))).toBe(next);
  });

  it.each([
    ['the head', 'head.json'],
    ['the mark', 'deals-store.json'],
    ['a record', 'switch/000000000003.json'],
    ['a blob', 'blob/pipe'],
  ])('a named pipe as %s does not hold a push', async (_, name) => {
    rmSync(join(folder, name), { force: true });
    execFileSync('mkfifo', [join(folder, name)]);
    site.publish();
    const { exitCode, stderr } = await run(site.pushWords());
    expect(exitCode, stderr).not.toBe(null);
  });

  it('a link to a folder elsewhere does not lead a push to delete what is there', async () => {
    const victim = join(site.root, 'victim');
    mkdirSync(join(victim, 'ab'), { recursive: true });
    const names = ['precious.txt', `ab/${'ab'.repeat(32)}.br`];
    for (const name of names) {
      writeFileSync(join(victim, name), 'precious');
      lutimesSync(join(victim, name), 1, 1);
    }
    symlinkSync(victim, join(folder, 'blob', 'ab1'));
    symlinkSync(victim, join(folder, 'images', 'ab1'));
    rmSync(join(folder, 'probe'), { recursive: true });
    symlinkSync(victim, join(folder, 'probe'));
    rmSync(join(folder, 'blob', 'ab'), { recursive: true, force: true });
    symlinkSync(join(victim, 'ab'), join(folder, 'blob', 'ab'));
    for (let night = 0; night < 8; night++) {
      age(2);
      site.publish();
      const { exitCode, stderr } = await run(site.pushWords());
      expect(exitCode, stderr).not.toBe(null);
    }
    expect(names.filter((name) => existsSync(join(victim, name)))).toEqual(names);
  });

  it('links that lead round in circles do not hold a push', async () => {
    for (const name of ['here', 'there', 'everywhere']) symlinkSync('..', join(folder, 'blob', name));
    site.publish();
    requireSuccess(await run(site.pushWords()));
    requireSuccess(await run(site.pullWords('server')));
    expect(readCurrentId(site.server('server'))).toBe(readCurrentId(site.builder));
  });

  it('what a killed push was writing is deleted a day later', async () => {
    const left = ['blob/ab/.new-0123456789abcdef', 'images/0123456789abcdef/.new-0123456789abcdef'];
    for (const name of left) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'half');
    }
    site.publish();
    requireSuccess(await site.push());
    expect(left.every((name) => existsSync(join(folder, name)))).toBe(true);
    age(2);
    site.publish();
    requireSuccess(await site.push());
    expect(left.filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });

  it('that is read only a server pulls, and a push says that it may not write', async () => {
    site.publish();
    execFileSync('chmod', ['-R', 'a-w', folder]);
    if (root.isThere) execFileSync('chown', ['-R', `--reference=${PROGRAM_ROOT}`, site.root]);
    requireSuccess(await run(site.pullWords('server'), AS_ORDINARY_USER));
    expect(readCurrentId(site.server('server'))).toBe(next);
    const { exitCode, stderr } = await run(site.pushWords(), AS_ORDINARY_USER);
    execFileSync('chmod', ['-R', 'u+w', folder]);
    expect([exitCode, stderr]).toEqual([EXIT.failed, expect.stringContaining('EACCES: permission denied')]);
    expect(await site.read()).toMatchObject({ head: 2, faults: [] });
  });

  it('that is gone for a while, as a mount is, a server goes on when it is back', async () => {
    renameSync(folder, `${folder}.away`);
    // An empty folder is what a lost mount leaves.
    mkdirSync(folder);
    const away = { exitCode: EXIT.failed, stderr: expect.stringContaining('the disk is mounted') };
    expect(await site.pull('server')).toMatchObject(away);
    expect(readCurrentId(site.server('server'))).toBe(old);
    rmSync(folder, { recursive: true });
    expect(await site.pull('server')).toMatchObject(away);
    expect(readCurrentId(site.server('server'))).toBe(old);
    renameSync(`${folder}.away`, folder);
    requireSuccess(await site.pull('server'));
    expect(readCurrentId(site.server('server'))).toBe(next);
  });
});
