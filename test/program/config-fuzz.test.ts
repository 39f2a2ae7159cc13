import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readCases } from '../support/cases.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-config-'));
const folder = join(root, 'site');
const file = join(folder, 'catalogue.json');

/** Writes the files, folders and links that a configuration can name. */
function writeFolder(): void {
  removeFolder();
  mkdirSync(folder, { recursive: true });
  writeSmallSource(folder, 5);
  mkdirSync(join(folder, 'closed/inner'), { recursive: true });
  mkdirSync(join(folder, 'folder.csv'));
  chmodSync(join(folder, 'closed'), 0o000);
  symlinkSync('circle', join(folder, 'circle'));
}

function removeFolder(): void {
  if (existsSync(join(folder, 'closed'))) chmodSync(join(folder, 'closed'), 0o700);
  rmSync(root, { recursive: true, force: true });
}

beforeEach(writeFolder);
afterAll(removeFolder);

const FEED = { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'] };

const CONFIG = {
  store: '../store',
  cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
  feeds: [FEED],
  images: { render: false },
};

/** A text, or one that is written many times in a row. */
type Text = string | { readonly repeat: string; readonly times: number };

const textOf = (text: Text): string => (typeof text === 'string' ? text : text.repeat.repeat(text.times));

const CASES = readCases(import.meta.dirname, 'config-fuzz.json') as Readonly<
  Record<'paths' | 'stores' | 'texts', readonly Text[]>
>;

/** Paths that a configuration can give for the files of a source; `<folder>` is the folder of the configuration. */
const PATHS = CASES.paths.map((path) => textOf(path).replace('<folder>', folder));

/** Paths for the store. The command writes there, so none leads out of the folder. */
const STORES = CASES.stores.map(textOf);

/** Texts that are not JSON, or not a configuration. */
const TEXTS = [...CASES.texts.map(textOf), `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, '['.repeat(300_000)];

/** Output that only a bug of the program can cause. */
const BUG = /^\s+at .+:\d+|\b(?:TypeError|RangeError|SyntaxError|ERR_[A-Z_]+)\b/m;

/** The exit codes that each command may have with a faulty configuration. */
const COMMANDS = [
  { words: ['build', '--now', '2026-11-20'], statuses: [0, 2, 3, 4] },
  { words: ['check', 'house', '--limit', '0'], statuses: [0, 2, 3] },
  { words: ['status'], statuses: [2, 4] },
];

/** The output of the commands that end in another way. */
async function listCrashes(text: string): Promise<readonly string[]> {
  writeFileSync(file, text);
  const crashes: string[] = [];
  for (const { words, statuses } of COMMANDS) {
    const { exitCode, stdout, stderr } = await callDeals([...words, '--config', file]);
    const said = `${stdout}${stderr}`;
    if (BUG.test(said) || !statuses.includes(exitCode ?? -1)) {
      crashes.push(`${words.join(' ')} ended with ${exitCode}: ${said.slice(-2_000)}`);
    }
  }
  return crashes;
}

describe('a build, a check and the status end without a stack trace', () => {
  it.each(TEXTS.map((text) => [text.slice(0, 30), text]))('%j', async (_, text) => {
    expect(await listCrashes(text)).toEqual([]);
  });

  it.each(PATHS.map((path) => [path.slice(0, 60), path]))('with a feed in %j', async (_, path) => {
    for (const files of [[path], ['feeds/house/*.csv', `!${path}`]]) {
      expect(await listCrashes(JSON.stringify({ ...CONFIG, feeds: [{ ...FEED, files }] }))).toEqual([]);
    }
  });

  it.each(STORES.map((path) => [path.slice(0, 60), path]))('with the store %j', async (_, store) => {
    expect(await listCrashes(JSON.stringify({ ...CONFIG, store }))).toEqual([]);
  });
});
