import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { readCases } from '../support/cases.ts';
import { runDeals } from '../harness.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-config-'));
const folder = join(root, 'site');
const file = join(folder, 'catalogue.json');

/** The files, folders and links that a configuration can name. */
beforeEach(() => {
  removeFolder();
  writeSmallSource(folder, 5);
  mkdirSync(join(folder, 'closed/inner'), { recursive: true });
  mkdirSync(join(folder, 'folder.csv'));
  chmodSync(join(folder, 'closed'), 0o000);
  symlinkSync('circle', join(folder, 'circle'));
});
afterAll(removeFolder);

function removeFolder(): void {
  if (existsSync(join(folder, 'closed'))) chmodSync(join(folder, 'closed'), 0o700);
  rmSync(root, { recursive: true, force: true });
}

const FEED = { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'] };

const CONFIG = {
  store: '../store',
  cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
  feeds: [FEED],
  images: { render: false },
};

/** A text, or one that is written many times in a row. */
type Text = string | { readonly repeat: string; readonly times: number };

const CASES = readCases(import.meta.dirname, 'config-fuzz.json') as Readonly<
  Record<'paths' | 'stores' | 'texts', readonly Text[]>
>;
const textOf = (text: Text): string =>
  (typeof text === 'string' ? text : text.repeat.repeat(text.times)).replace('<folder>', folder);
const TEXTS = [...CASES.texts.map(textOf), `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, '['.repeat(300_000)];
/** What a feed names: its files, or those that it leaves out. The stores do not lead out of the folder. */
const FILES = CASES.paths.map(textOf).flatMap((path) => [[path], ['feeds/house/*.csv', `!${path}`]]);
const CONFIGS = [
  ...FILES.map((files) => ({ ...CONFIG, feeds: [{ ...FEED, files }] })),
  ...CASES.stores.map((store) => ({ ...CONFIG, store: textOf(store) })),
].map((config) => JSON.stringify(config));

/** Output that only a bug of the program can cause. */
const BUG = /^\s+at .+:\d+|\b(?:TypeError|RangeError|SyntaxError|ERR_[A-Z_]+)\b/m;

/** The exit codes that each command may have with a faulty configuration. */
const COMMANDS = [
  { words: ['build', '--now', '2026-11-20'], statuses: [0, 1, 2, 3, 4] },
  { words: ['check', 'house', '--limit', '0'], statuses: [0, 2, 3] },
  { words: ['status'], statuses: [1, 2, 4] },
];

it.each([...TEXTS, ...CONFIGS].map((text) => [text.slice(0, 300), text]))(
  'a build, a check and the status end without a stack trace over %j',
  async (_, text) => {
    writeFileSync(file, text);
    for (const { words, statuses } of COMMANDS) {
      const { exitCode, stdout, stderr } = await runDeals([...words, '--config', file]);
      expect(`${stdout}${stderr}`).not.toMatch(BUG);
      expect(statuses, stderr.slice(-2_000)).toContain(exitCode);
    }
  },
);
