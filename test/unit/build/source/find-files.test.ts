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

/** Root may read every folder. */
const ROOT = 0;
const NOBODY = 65_534;

it('a folder that cannot be read, although a glob looks into it, is an error', async () => {
  const root = await mkdtemp(join(tmpdir(), 'deals-find-'));
  await mkdir(join(root, 'feeds/closed'), { recursive: true });
  await writeFile(join(root, 'feeds/a.csv'), '');
  await chmod(join(root, 'feeds/closed'), 0);
  await chmod(root, 0o755);
  const isRoot = process.geteuid?.() === ROOT;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    const findIn = (...files: string[]) => findSourceFiles(root, { name: 'feed', files });
    await expect(findIn('feeds/**/*.csv')).rejects.toMatchObject({ code: 'source-unreadable' });
    expect(await findIn('feeds/**/*.csv', '!feeds/closed')).toMatchObject([{ path: 'feeds/a.csv' }]);
  } finally {
    if (isRoot) process.seteuid?.(ROOT);
  }
});
