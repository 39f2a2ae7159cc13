import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findUnmatchedFiles } from '../../../../build/source/source-state.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-unmatched-'));
  for (const path of [
    'catalogue.json',
    'feeds/b.txt',
    'feeds/DEALS.CSV',
    'feeds/.hidden',
    'feeds/deeper/x',
    'many/1',
    'many/2',
    'many/3',
    'many/4',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the files that a source without one may have meant', () => {
  it.each([
    [['feeds/*.csv'], ['feeds/DEALS.CSV', 'feeds/b.txt']],
    [['feeds/deals.csv'], ['feeds/DEALS.CSV', 'feeds/b.txt']],
    [['feeds/*.csv', '!feeds/b.*'], ['feeds/DEALS.CSV']],
    [['feeds/deeper/*.csv', 'none/*.csv'], ['feeds/deeper/x']],
    [['many/*.csv'], ['many/1', 'many/2', 'many/3']],
    [['*.csv'], []],
    [['none/*.csv'], []],
  ])('of %j are %j', async (files, found) => {
    expect(await findUnmatchedFiles(folder, { files })).toEqual(found);
  });
});
