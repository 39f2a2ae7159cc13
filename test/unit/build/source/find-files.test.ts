import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findSourceFiles } from '../../../../build/source/find-files.ts';
import type { Notice } from '../../../../data/report/notice.ts';

let folder = '';

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), 'deals-find-'));
  folder = join(root, 'config');
  for (const path of [
    'config/feeds/b.csv',
    'config/feeds/a.csv',
    'config/feeds/B.csv',
    'config/feeds/sub/c.csv',
    'shared/s.csv',
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), path);
  }
  await mkdir(join(folder, 'links'));
  await symlink(join(folder, 'feeds/a.csv'), join(folder, 'links/inside.csv'));
  await symlink(join(root, 'shared/s.csv'), join(folder, 'links/outside.csv'));
});

async function find(...files: string[]): Promise<string[]> {
  return (await findSourceFiles(folder, { name: 'feed', files })).map(({ path }) => path);
}

describe('the files of a source', () => {
  it.each([
    [['feeds/*.csv'], ['feeds/B.csv', 'feeds/a.csv', 'feeds/b.csv']],
    [
      ['feeds/b.csv', './feeds/*.csv'],
      ['feeds/B.csv', 'feeds/a.csv', 'feeds/b.csv'],
    ],
    [
      ['feeds/**/*.csv', '!feeds/B.csv'],
      ['feeds/a.csv', 'feeds/b.csv', 'feeds/sub/c.csv'],
    ],
    [['../shared/*.csv'], ['../shared/s.csv']],
    [['nothing/*.csv'], []],
    [['feeds/a.csv'], ['feeds/a.csv']],
  ])('of %j are each there once, by code unit', async (files, expected) => {
    expect(await find(...files)).toEqual(expected);
  });

  it('may be links', async () => {
    expect(await find('links/*.csv')).toEqual(['links/inside.csv', 'links/outside.csv']);
  });

  it('are missed', async () => {
    const notices: Notice[] = [];
    const source = { name: 'feed', files: ['none/*.csv', 'no.csv'] };
    await findSourceFiles(folder, source, (notice) => notices.push(notice));
    expect(notices).toEqual([
      { code: 'source-missing', source: 'feed', expected: 'a file that matches none/*.csv or no.csv' },
    ]);
  });
});

const ROOT = 0;
const NOBODY = 65_534;

/** What `find` gives a user who may not read every folder: root may. */
async function findAsUser(cwd: string, glob: string): Promise<object> {
  const isRoot = process.geteuid?.() === ROOT;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    const notices: Notice[] = [];
    const found = await findSourceFiles(cwd, { name: 'feed', files: [glob] }, (notice) => notices.push(notice)).then(
      (files) => files.map(({ path }) => path),
      ({ code, message }: { readonly code: string; readonly message: string }) => ({ code, message }),
    );
    return { found, notices };
  } finally {
    if (isRoot) process.seteuid?.(ROOT);
  }
}

describe('a folder that cannot be read', () => {
  it('below that of a glob is told, and costs none of the files beside it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'deals-find-'));
    await mkdir(join(root, 'feeds/closed'), { recursive: true });
    await writeFile(join(root, 'feeds/a.csv'), '');
    await chmod(join(root, 'feeds/closed'), 0);
    await chmod(root, 0o755);
    expect(await findAsUser(root, 'feeds/**/*.csv')).toEqual({
      found: ['feeds/a.csv'],
      notices: [{ code: 'unreadable-folder', source: 'feed', file: 'feeds/closed', found: 'EACCES' }],
    });
    expect(await findAsUser(root, 'feeds/closed/*.csv')).toMatchObject({
      found: { code: 'source-unreadable' },
      notices: [],
    });
  });
});
