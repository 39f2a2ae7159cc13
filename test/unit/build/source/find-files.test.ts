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
    ...['catalogue.json', 'feeds/b.txt', 'feeds/DEALS.CSV', 'feeds/.hidden', 'feeds/deeper/x'].map(inWanted),
    ...['many/1', 'many/2', 'many/3', 'many/4'].map(inWanted),
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), path);
  }
  await mkdir(join(folder, 'links'));
  await symlink(join(folder, 'feeds/a.csv'), join(folder, 'links/inside.csv'));
  await symlink(join(root, 'shared/s.csv'), join(folder, 'links/outside.csv'));
});

/** A folder of its own, with files that match no glob of a source. */
function inWanted(path: string): string {
  return `config/wanted/${path}`;
}

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

  it('may be a link that leads to where its glob searches', async () => {
    await symlink('a.csv', join(folder, 'feeds/link.csv'));
    expect(await find('feeds/link.csv')).toEqual(['feeds/link.csv']);
  });

  it('may not be a link that leads out of where its glob searches', async () => {
    await expect(find('links/out*.csv')).rejects.toMatchObject({
      code: 'source-unreadable',
      file: 'links/outside.csv',
      message: expect.stringMatching(
        /^links\/outside\.csv: expected a file in ".*links", got a link to ".*s\.csv"/,
      ) as string,
    });
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

describe('the notice of a source without a file', () => {
  it.each([
    [['feeds/*.csv'], 'feeds/DEALS.CSV, feeds/b.txt'],
    [['feeds/deals.csv'], 'feeds/DEALS.CSV, feeds/b.txt'],
    [['feeds/*.csv', '!feeds/b.*'], 'feeds/DEALS.CSV'],
    [['feeds/deeper/*.csv', 'none/*.csv'], 'feeds/deeper/x'],
    [['many/*.csv'], 'many/1, many/2, many/3'],
    [['*.csv'], undefined],
    [['none/*.csv'], undefined],
  ])('of %j names %s', async (files, named) => {
    const notices: Notice[] = [];
    const source = { name: 'feed', files };
    await findSourceFiles(join(folder, 'wanted'), source, (notice) => notices.push(notice));
    expect(notices).toEqual([
      { code: 'source-missing', source: 'feed', expected: `a file that matches ${files.join(' or ')}`, found: named },
    ]);
  });
});
