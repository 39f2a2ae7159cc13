import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readCases } from '../support/cases.ts';
import { createRandom, type Random } from '../support/random.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { runDeals } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const SEED = Number(process.env['CONFIG_SEED'] ?? 1);
const MUTANT_COUNT = Number(process.env['CONFIG_MUTANTS'] ?? 25);

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

type Config = Record<string, unknown> & { cms: unknown[]; feeds: Record<string, unknown>[] };

const COLUMNS = { dealId: 'a', productName: 'b', network: 'c', contractName: 'd', contractMonths: 'e' };

/** A valid configuration with every feed adapter and settings of every kind; some of its files are missing. */
function createConfig(): Config {
  return {
    store: '../store',
    cms: [
      { name: 'site', adapter: 'catalogue', files: ['cms/*.json'] },
      {
        name: 'strapi',
        adapter: 'strapi',
        files: ['strapi/*.tar'],
        mapping: { networks: { type: 'api::network.network', fields: { id: { hashed: 'documentId' } } } },
      },
    ],
    feeds: [
      { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'], maxMegabytes: 10 },
      {
        name: 'awin',
        adapter: 'awin',
        files: ['awin/*'],
        merchants: { 7: { leaveOut: { 'sim-only': ['{*}'] } }, 8: { searchPrice: 'handset', patterns: {} } },
      },
      {
        name: 'sheet',
        adapter: 'csv',
        files: ['sheet/*'],
        missingAllowance: 'unlimited',
        columns: {
          ...COLUMNS,
          upfrontCost: { column: 'f', strip: ['£'], values: { '': '0' } },
          monthlyCost: 'g',
          dealLink: 'h',
        },
        constants: { retailer: 'phone-barn' },
      },
      {
        name: 'shop',
        adapter: 'google-merchant',
        files: ['shop/*'],
        missingAllowance: 'unlimited',
        mapping: { network: 'custom_label_0' },
        patterns: { title: ['{productName} in {colour}'] },
        constants: { retailer: 'phone-barn', contractName: '{network}' },
      },
    ],
    images: { render: false },
    exclude: [{ retailer: 'phone-barn', deal: 'D-1', reason: 'typed wrong', until: '2036-12-31' }],
    currency: { code: 'GBP', label: '£' },
    money: { maxMonthlyCost: 300 },
    freshness: { maxCarriedHours: 48 },
    gates: { minRows: 5 },
  };
}

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

const deep = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

const VALUES: readonly unknown[] = [
  null, true, false, 0, -1, 0.5, -0, 1e308, 1e-308, 2 ** 53, 1_000_001, 4_294_967_296, '', 'x', [], {}, [[]], [{}], [null],
  { __proto__: null, constructor: 1 }, { adapter: 'deals' }, ['a', 'b'], 'new', '2026-02-30', deep(3_000), 'x'.repeat(100_000),
  '\0', '\ud800', '{*}', '{', '{productName', '{productName}{productName}', '{nobody}', '{*}'.repeat(200), ['{*}'], { column: 'x' }, '1e400',
]; // prettier-ignore

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
      const config = createConfig();
      config.feeds = [{ ...config.feeds[0], files }];
      expect(await listCrashes(JSON.stringify(config))).toEqual([]);
    }
  });

  it.each(STORES.map((path) => [path.slice(0, 60), path]))('with the store %j', async (_, store) => {
    expect(await listCrashes(JSON.stringify({ ...createConfig(), store }))).toEqual([]);
  });

  it(`with one to three damaged values, seed ${SEED}`, async () => {
    for (let seed = SEED; seed < SEED + MUTANT_COUNT; seed++) {
      const config = createConfig();
      const random = createRandom(seed);
      for (let i = random.pick([1, 1, 2, 3]); i > 0; i--) damage(config, random);
      const text = JSON.stringify(config);
      expect({ seed, text, crashes: await listCrashes(text) }).toEqual({ seed, text, crashes: [] });
    }
  });

  it.each([
    ['/', 3],
    ['//', 3],
    ['\0', 2],
    ['{a..z}{a..z}{a..z}{a..z}{a..z}', 2],
    ['feeds/house/*.csv', 0],
    [join(folder, 'feeds/house/*.csv'), 0],
  ])('with a feed in %j the command itself ends with the right exit code', async (path, status) => {
    const config = createConfig();
    config.cms.length = 1;
    config.feeds = [{ ...config.feeds[0], files: [path], required: true }];
    writeFileSync(file, JSON.stringify(config));
    const { exitCode, stderr } = await runDeals(['build', '--config', file, '--now', '2026-11-20'], { cwd: root });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: status,
      stderr: expect.not.stringMatching(/^ +at /m) as string,
    });
  });
});

/** Changes, adds or removes one value of the configuration. */
function damage(config: Config, random: Random): void {
  const places: (readonly [Record<string, unknown>, string])[] = [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key]);
      if (JSON.stringify(child).length < 10_000) collect(child);
    }
  };
  collect(config);
  const [parent, key] = random.pick(places);
  const way = random.below(10);
  if (way === 0) delete parent[key];
  else if (way === 1) parent[random.pick(['__proto__', 'nobody', '', 'files', '\0'])] = random.pick(VALUES);
  else if (way < 5 && key !== 'store') parent[key] = random.pick(PATHS);
  else parent[key] = random.pick(VALUES);
}
