import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTICES } from '../../../data/report/notice.ts';
import type { SnapshotReport } from '../../../data/report/report.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { explain as explainRecords, type Explanation } from '../../../server/explain/explain.ts';
import { loadSnapshot, type LoadedSnapshot } from '../../../server/snapshot/load-snapshot.ts';
import { requireSuccess, runDeals, type DealsRun } from '../../harness.ts';
import { writeForbiddenSample, type Forbidden } from './forbidden-sample.ts';
import { writeSmallSource } from './small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-explain-'));
const store = join(root, 'store');
let forbidden: readonly Forbidden[] = [];
let report: SnapshotReport;
let snapshot: LoadedSnapshot;

beforeAll(async () => {
  forbidden = writeForbiddenSample(join(root, 'sample'));
  const config = join(root, 'sample/catalogue.json');
  requireSuccess(await runDeals(['build', '--config', config, '--store', store, '--now', '2026-11-20', '--quiet']));
  const id = readCurrent(store) ?? '';
  report = JSON.parse(readFileSync(join(store, id, 'report.json'), 'utf8')) as SnapshotReport;
  snapshot = await loadSnapshot(store, id, { publicUrl: '' });
}, 60_000);
afterAll(() => rmSync(root, { recursive: true }));

const run = (...args: string[]): Promise<DealsRun> => runDeals(['explain', ...args, '--store', store]);

/** What `--json` writes, without opening the snapshot again. */
const explain = (asked: string): Promise<Explanation> => explainRecords(store, snapshot, asked);

/** What was found: the titles. */
const find = async (asked: string): Promise<string[]> => (await explain(asked)).records.map(({ title }) => title);

describe('deals explain finds', () => {
  it('a record that is left out, by any of its names, with the rule, the place and what to do', async () => {
    for (const { code, asked, file, line } of forbidden) {
      const { records } = await explain(asked);
      const record = records.find(
        ({ kind, title }) =>
          kind === 'left-out' && title.includes(file) && (title.includes(`:${line} `) || title.includes(` ${line})`)),
      );
      const { outcome, meaning } = NOTICES[code];
      expect({ asked, lines: record?.lines }).toMatchObject({
        asked,
        lines: expect.arrayContaining([
          `${outcome}: ${code}, ${meaning}`,
          expect.stringMatching(/^ {2}(?:what to do: |nothing needs to be done)/),
        ]) as string[],
      });
    }
  }, 120_000);

  it.each([
    ['101/new', ['product 101/new "Kestrel K9 128GB"']],
    ['101', ['product 101/new "Kestrel K9 128GB"']],
    ['kestrel-k9-128gb', ['product 101/new "Kestrel K9 128GB"']],
    ['cms/phones-kestrel.json products (item 1)', ['product 101/new "Kestrel K9 128GB"']],
    ['128gb  k9', ['product 101/new "Kestrel K9 128GB"']],
    ['H-05813', ['deal H-05813 of dialstone']],
    ['dialstone:H-05813', ['deal H-05813 of dialstone']],
    ['h-0581', ['deal H-05813 of dialstone']],
    ['feeds/house/deals.csv:101', ['deal H-05813 of dialstone']],
  ])('by %j what the snapshot has', async (asked, titles) => {
    expect(await find(asked)).toEqual(expect.arrayContaining(titles));
  });

  it.each([
    ['k9 512 128', 'product 101/new "Kestrel K9 128GB"'],
    ['cms/phones-kestrel.json products (item 11)', 'product 101/new "Kestrel K9 128GB"'],
    ['cms/phones-wren.json products (item 1)', 'product 101/new "Kestrel K9 128GB"'],
    ['581', 'deal H-05813 of dialstone'],
  ])('by %j not %s', async (asked, title) => {
    expect(await find(asked).catch(() => [])).not.toContain(title);
  });

  it('every name of a feed without a product, in any case and spacing, with what to do', async () => {
    const named = report.unmatchedNames.filter(({ field }) => field === undefined);
    expect(named.length).toBeGreaterThan(4);
    for (const { name, dealCount } of named) {
      const { records } = await explain(`  ${name.toUpperCase().replaceAll(' ', '   ')}`);
      const leftOut = records.filter(({ kind, lines }) => kind === 'left-out' && lines.join().includes(name));
      expect(leftOut.length).toBeGreaterThanOrEqual(dealCount);
    }
  });

  it('all records of a code, the first of them', async () => {
    const expected = report.notices
      .filter(({ code }) => code === 'duplicate-deal')
      .reduce((sum, each) => sum + each.count, 0);
    const { count, records } = await explain('duplicate-deal');
    expect([count, records.length]).toEqual([expected, Math.min(expected, 100)]);
    for (const { lines } of records) expect(lines[0]).toMatch(/^duplicate: duplicate-deal, /);
  });
});

describe('deals explain says', () => {
  it.each([
    [
      '101/new',
      /^product 101\/new "Kestrel K9 128GB"\n {2}read: cms\/phones-kestrel\.json products \(item 1\) of site\n {2}served: with \d+ deals, the cheapest /,
    ],
    [
      '101/new',
      /\n {2}left out of its deals: 2 unknown-network, .*\n {4}unknown-network: H-05810 \(feeds\/house\/deals\.csv:33\), /,
    ],
    [
      'H-05813',
      /\n {2}notice: total-mismatch, .*\n {4}totalCost is "1718\.99", expected 1713\.99, .*\n {4}what to do: tell the feed\n/,
    ],
    ['H-05813', /\n {2}matched: 106\/new "Kestrel K9 Pro 512GB" by gtin "\d+", a GTIN that /],
    [
      'X-duplicate-deal',
      /^record X-duplicate-deal .*in feeds\/house\/deals\.csv:\d+ of house\n {2}duplicate: duplicate-deal, .*\n(?: {4}.*\n)+ {2}the other: H-00042 \(feeds\/house\/deals\.csv:2 of house\)\n$/,
    ],
    [
      'X-negative-money',
      /\n {2}quarantined: negative-money, an amount is below zero\n {4}upfrontCost is "-1\.00", expected zero or more\n {4}what to do: tell the feed\n/,
    ],
    ['kestrel', /\n\nand \d+ more records; more words find fewer\n$/],
  ])('of %j what became of it', async (asked, text) => {
    expect(requireSuccess(await run(asked)).stdout).toMatch(text);
  });

  it('the line for matches where the report offers it, to be copied', async () => {
    for (const { name, remedy = '' } of report.unmatchedNames.filter(({ field }) => field === undefined)) {
      const line = `"matches": {"names": [${JSON.stringify(name)}]}`;
      const { stdout } = requireSuccess(await run(name));
      const isOffered = stdout.includes(`to copy: ${line}\n`);
      expect({ name, isOffered }).toEqual({ name, isOffered: remedy.includes(`${line} to product`) });
    }
  });

  it('nothing for an empty text', async () => {
    expect((await run('')).exitCode).toBe(2);
  });

  it('that it does not know a record, with exit code 2, and where it looked', async () => {
    const { exitCode, stdout } = await run('kestrel-k9-128bg');
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(/^unknown: /)]);
    expect(stdout).toContain('look for it in the files of site, house, awin, which deals check');
  });

  it('since when a deal is carried forward, and why', async () => {
    const site = join(root, 'site');
    const carried = join(root, 'carried');
    writeSmallSource(site);
    const build = (now: string) =>
      runDeals(['build', '--config', join(site, 'catalogue.json'), '--store', carried, '--now', now, '--quiet']);
    requireSuccess(await build('2026-11-20'));
    writeFileSync(join(site, 'feeds/house/deals.csv'), 'a page of something else\n');
    expect(await build('2026-11-21')).toMatchObject({ exitCode: 4 });
    const { stdout } = requireSuccess(await runDeals(['explain', 'D-1', '--store', carried]));
    expect(stdout).toMatch(/\n {2}carried forward: .+; last found in it 2026-11-20T00:00:00\.000Z\n/);
  });
});

it('a snapshot whose notices were damaged is not explained from them', async () => {
  const damaged = join(root, 'damaged');
  cpSync(store, damaged, { recursive: true });
  const file = join(damaged, readCurrent(damaged) ?? '', 'notices.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"house"', '"horse"'));
  const { exitCode, stderr } = await runDeals(['explain', '101', '--store', damaged]);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/notices\.ndjson: expected SHA-256 .+ damaged after it was published/),
  ]);
});

// What a filter leaves out, and the same as JSON, are tests of `server/explain/` and of `/status/`.
describe('deals explain with a target', () => {
  const LIST = '/deals/v1/products/';

  it.each([
    ['101/new', LIST, 'in the answer to <target>: it is number 1 of \\d+, and this answer shows 1 to 20'],
    ['101', `${LIST}102/`, 'not in the answer to <target>: the path asks for product 102'],
    ['102/new', `${LIST}?expand=grouped`, 'not in the answer to <target>: grouped: 101/new stands for the model \\S+'],
    [
      'H-05813',
      LIST,
      'not in the answer to <target>: the request does not ask for deals; expand=products\\(deals\\) does',
    ],
    ['X-negative-money', LIST, 'in no answer, since it is not served'],
  ])('says of %s in %s: %s', async (asked, target, text) => {
    const { stdout } = requireSuccess(await run(asked, target));
    expect(stdout.replace(target, '<target>')).toMatch(new RegExp(`\n {2}${text}\n`));
  });

  it.each([
    [`${LIST}?limt=3`, /the target is refused: limt: not a parameter of this endpoint/],
    ['/deals/v1/gifts/', /expected a target that answers with products, got one that answers with gifts/],
  ])('refuses %s', async (target, message) => {
    const { exitCode, stderr } = await run('101', target);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
