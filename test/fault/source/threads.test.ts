import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BuildResult } from '../../../build/report/build-result.ts';
import { readCurrent } from '../../../data/store/snapshots.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { readStore } from '../../unit/build/cache/build-reusing.ts';
import { createSite, deal, HEADER, type Site } from '../../unit/build/run/write-sources.ts';
import { RunningDeals } from '../run-deals.ts';
import { DISK_CASES } from './disk-cases.ts';
import { CSV_CASES, JSON_CASES, XML_CASES } from './generated-cases.ts';
import { HostileSite } from './hostile-site.ts';
import type { HostileSource } from './hostile-source.ts';
import { PACKED_CASES } from './packed-cases.ts';

/** Feeds with something for every kind of result: deals, notices, duplicates, names of no product, rules, and errors. */
async function createMixedSite(): Promise<Site> {
  const site = await createSite(({ config, house, night }) => {
    config['exclude'] = [
      { retailer: 'phone-barn', deal: 'H-3', reason: 'price typed wrong' },
      { deal: 'C-1', reason: 'in a feed that breaks off' },
      { deal: 'H-9', reason: 'excludes nothing' },
    ];
    config['feeds'] = [
      { name: 'cut', adapter: 'deals', files: ['feeds/cut/*'] },
      { name: 'gone', adapter: 'deals', files: ['feeds/gone/*'] },
      ...(config['feeds'] as object[]),
    ];
    config['gates'] = { minRows: 4, maxQuarantined: 1 };
    house.push(deal('H-2', '102', 'new', 'phone-barn', '44.99'));
    house.push(deal('Ḣ-5', '102', 'new', 'phone-barn', '45.99'));
    night.push(deal('N-5', '999', 'new', 'night-owl', '28.50'), 'half a row');
  });
  const rows = [
    HEADER,
    ...Array.from({ length: 50_000 }, (_, i) => deal(`C-${i}`, '101', 'new', 'phone-barn', '30.00')),
  ];
  write(site, 'feeds/cut/deals.csv.gz', gzipSync(rows.join('\n')).subarray(0, -20));
  return site;
}

function write({ folder }: Site, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Everything that builds of these nights say and leave, apart from where and how long. */
async function buildNights(site: Site, threads: number, nights: readonly string[]) {
  const store = `${site.store}-${threads}`;
  const said: object[] = [];
  for (const night of nights) {
    const args = ['--config', site.configPath, '--store', store, '--now', `2026-11-${night}T02:30:00Z`, '--json'];
    const { exitCode, stdout } = await new RunningDeals(['build', '--threads', String(threads), ...args]).ended;
    const { seconds, ...result } = JSON.parse(stdout) as BuildResult;
    expect(seconds).toBeGreaterThan(0);
    said.push({ exitCode, ...(JSON.parse(JSON.stringify(result).replaceAll(store, '')) as object) });
  }
  return { said, store: readStore(store) };
}

async function outcomeOf(site: HostileSite, threads: number): Promise<object> {
  const { exitCode, result } = await site.build(['--threads', String(threads), '--dry-run']);
  return { exitCode, result: { ...result, seconds: 0 } };
}

const TIMEOUT_MS = 300_000;

describe('deals build in threads', { timeout: TIMEOUT_MS }, () => {
  it('has the bytes, the report and the notices of a build in one, also when feeds are held', async () => {
    const site = await createMixedSite();
    const first = [await buildNights(site, 1, ['20']), await buildNights(site, 4, ['20'])];
    expect(first[1]).toEqual(first[0]);
    expect(JSON.stringify(first[0]?.said)).toContain('expected the rest of the packed file');

    appendFileSync(join(site.folder, 'feeds/night/deals.csv'), `${deal('N-6', '102', 'new', 'night-owl', '46.50')}\n`);
    rmSync(join(site.folder, 'feeds/house/deals.csv'));
    write(site, 'feeds/gone/deals.csv', `${HEADER}\n${deal('G-1', '102', 'new', 'phone-barn', '46.50')}\n`);
    const second = [await buildNights(site, 1, ['21', '22']), await buildNights(site, 4, ['21', '22'])];
    expect(second[1]).toEqual(second[0]);
    expect(JSON.stringify(second[0]?.said)).toContain('carried-forward');
  });

  it('has those of the sample', async () => {
    const site = await createSite();
    const sample = { ...site, configPath: join(import.meta.dirname, '../../../data/sample/catalogue.json') };
    expect(await buildNights(sample, 2, ['20'])).toEqual(await buildNights(sample, 1, ['20']));
  });

  it.each<[string, readonly HostileSource[]]>([
    ['archives and bombs', PACKED_CASES],
    ['tables', CSV_CASES],
    ['JSON', JSON_CASES],
    ['XML', XML_CASES],
    ['what lies on the disk', DISK_CASES],
  ])('says the same of hostile sources, %s', async (_, sources) => {
    const site = new HostileSite();
    try {
      await site.write(sources);
      const [one, three] = [await outcomeOf(site, 1), await outcomeOf(site, 3)];
      expect(three).toEqual(one);
    } finally {
      site.remove();
    }
  });

  it.each([
    [
      'is killed',
      "process.on('worker', (thread) => setTimeout(() => thread.terminate(), 50));",
      /^deals: the thread that read \w+ ended with code [01]; nothing is published$/m,
    ],
    [
      'has no memory left',
      `import threads from 'node:worker_threads';
       import { syncBuiltinESMExports } from 'node:module';
       threads.Worker = class extends threads.Worker {
         constructor(file, options) {
           super(file, { ...options, resourceLimits: { maxOldGenerationSizeMb: 8 } });
         }
       };
       syncBuiltinESMExports();`,
      /^deals: the thread that read \w+ ended: its memory did not suffice; .+; nothing is published$/m,
    ],
  ])('stops when a thread %s, says so and publishes nothing', async (_, meddling, sentence) => {
    const site = await createMixedSite();
    const build = new RunningDeals(['build', '--threads', '2', '--config', site.configPath], {
      node: ['--import', `data:text/javascript,${encodeURIComponent(meddling)}`],
    });
    const { exitCode, stderr } = await build.ended;
    expect(stderr).toMatch(sentence);
    expect(exitCode).toBe(EXIT.failed);
    expect(readCurrent(site.store)).toBeUndefined();
  });
});
