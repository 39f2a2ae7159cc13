import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig, type BuildConfig } from '../../../build/config/config.ts';
import { findChanged, globsOf, groupsOf, pollFiles, waitForChange, type FileStates } from '../../../cli/dev.ts';
import { writeSmallSource } from './small-source.ts';

let folder = '';
let config: BuildConfig;

const GLOBS = globsOf(['cms/site.json', 'strapi/entities/entities_00001.jsonl']);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deals-watch-'));
  writeSmallSource(folder);
  config = await readConfig(join(folder, 'catalogue.json'), { store: join(folder, 'cms/store') });
  // Wide globs, as a folder of exports is often named: what is never watched matches them.
  const [cms] = config.cms;
  if (cms === undefined) throw new Error('no source');
  config = { ...config, cms: [{ ...cms, files: ['cms/*', 'strapi/metadata.json'] }] };
  write('cms/pictures/phone.png', 'x');
  write('strapi/entities/entities_00001.jsonl', '{}');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What is seen to change by `change`, relative to the folder. */
async function changedBy(change: () => void): Promise<readonly string[]> {
  const before = await pollFiles(config, [...groupsOf(config), GLOBS]);
  change();
  return findChanged(before, await pollFiles(config, [...groupsOf(config), GLOBS])).map((path) =>
    path.slice(folder.length + 1),
  );
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('the files of which a catalogue is made', () => {
  it.each<[string, () => void, readonly string[]]>([
    ['the configuration', () => write('catalogue.json', '{}'), ['catalogue.json']],
    ['a feed', () => write('feeds/house/deals.csv', 'x'), ['feeds/house/deals.csv']],
    ['a feed that is new', () => write('feeds/house/more.csv', 'x'), ['feeds/house/more.csv']],
    ['a picture below an export', () => write('cms/pictures/phone.png', 'xy'), ['cms/pictures/phone.png']],
    ['one that comes later', () => write('cms/pictures/new/later.webp', 'x'), ['cms/pictures/new/later.webp']],
    [
      'a part that is new',
      () => write('strapi/entities/entities_00002.jsonl', '{}'),
      ['strapi/entities/entities_00002.jsonl'],
    ],
    ['a hidden file, as editors put beside another while they write it', () => write('cms/.site.json.swp', 'x'), []],
    ['what no source names', () => write('feeds/other/deals.csv', 'x'), []],
    ['the store, also in a folder of a source', () => write('cms/store/1/manifest.json', 'x'), []],
    [
      'a file that an editor puts in the place of another, of the same size',
      () => {
        write('feeds/house/deals.csv.tmp', 'y');
        renameSync(join(folder, 'feeds/house/deals.csv.tmp'), join(folder, 'feeds/house/deals.csv'));
      },
      ['feeds/house/deals.csv'],
    ],
  ])('%s', async (_, change, changed) => {
    expect(await changedBy(change)).toEqual(changed);
  });
});

describe('waiting for a change', () => {
  /** One state after the other, and then the last for ever. */
  function lookingAt(states: readonly string[]) {
    let looks = 0;
    return {
      look: async (): Promise<FileStates> => new Map([['file', states[Math.min(looks++, states.length - 1)] ?? '']]),
      count: () => looks,
    };
  }

  const before = new Map([['file', 'a']]);

  it('ends when a file has changed and stays as it is', async () => {
    const { look, count } = lookingAt(['a', 'b', 'c', 'c', 'd']);
    expect(await waitForChange(look, before, new AbortController().signal)).toEqual(new Map([['file', 'c']]));
    expect(count()).toBe(4);
  });

  it('does not end for a change that was taken back', async () => {
    const stop = new AbortController();
    const { look, count } = lookingAt(['b', 'a', 'a', 'a']);
    const waiting = waitForChange(look, before, stop.signal);
    const counting = setInterval(() => count() >= 4 && stop.abort(), 10);
    expect(await waiting).toBeUndefined();
    clearInterval(counting);
  });
});
