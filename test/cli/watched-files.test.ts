import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig, type BuildConfig } from '../../build/config.ts';
import { findChanged, lookAtFiles, untilChanged, type FileStates } from '../../cli/watched-files.ts';
import { writeSmallSource } from './small-source.ts';

let folder = '';
let config: BuildConfig;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deals-watch-'));
  writeSmallSource(folder);
  config = await readConfig(join(folder, 'catalogue.json'), { store: join(folder, 'cms/store') });
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What is seen to change by `change`, relative to the folder. */
async function changedBy(change: () => void): Promise<readonly string[]> {
  const before = await lookAtFiles(config);
  change();
  return findChanged(before, await lookAtFiles(config)).map((path) => path.slice(folder.length + 1));
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('the files of which a catalogue is made', () => {
  it.each<[string, () => void, readonly string[]]>([
    ['nothing', () => undefined, []],
    ['the configuration', () => write('catalogue.json', '{}'), ['catalogue.json']],
    ['a feed', () => write('feeds/house/deals.csv', 'x'), ['feeds/house/deals.csv']],
    ['a feed that is new', () => write('feeds/house/more.csv', 'x'), ['feeds/house/more.csv']],
    ['a feed that is gone', () => rmSync(join(folder, 'feeds/house/deals.csv')), ['feeds/house/deals.csv']],
    ['a picture beside an export', () => write('cms/images/phone.png', 'x'), ['cms/images/phone.png']],
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
  function lookingAt(states: readonly string[]): {
    readonly look: () => Promise<FileStates>;
    readonly count: () => number;
  } {
    let looks = 0;
    return {
      look: async () => new Map([['file', states[Math.min(looks++, states.length - 1)] ?? '']]),
      count: () => looks,
    };
  }

  const before = new Map([['file', 'a']]);

  it('ends when a file has changed and stays as it is', async () => {
    const { look, count } = lookingAt(['a', 'b', 'c', 'c', 'd']);
    expect(await untilChanged(look, before, new AbortController().signal)).toEqual(new Map([['file', 'c']]));
    expect(count()).toBe(4);
  });

  it('does not end for a change that was taken back', async () => {
    const stop = new AbortController();
    const { look, count } = lookingAt(['b', 'a', 'a', 'a']);
    const waiting = untilChanged(look, before, stop.signal);
    const counting = setInterval(() => count() >= 4 && stop.abort(), 10);
    expect(await waiting).toBeUndefined();
    clearInterval(counting);
  });

  it('ends at once when nobody waits any more', async () => {
    const { look, count } = lookingAt(['a']);
    expect(await untilChanged(look, before, AbortSignal.abort())).toBeUndefined();
    expect(count()).toBe(0);
  });
});
