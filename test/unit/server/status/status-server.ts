import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey } from '../../../../server/keys/key-file.ts';
import type { LogEntry } from '../../../../server/log.ts';
import { requireSuccess, runDeals, withServer, type DealsRun, type TestServer } from '../../../harness.ts';
import { writeForbiddenSample, type Forbidden } from '../../cli/forbidden-sample.ts';

const HOUSE = 'feeds/house/deals.csv';

/** A server over a store with two snapshots of the sample, in which records are left out by some rules; the second has another slug for a phone. */
export interface StatusServer extends Omit<TestServer, 'publish'> {
  readonly forbidden: readonly Forbidden[];
  /** The one that is sent. */
  readonly operatorKey: string;
  readonly plainKey: string;
  readonly log: readonly LogEntry[];
  build(now: string): Promise<DealsRun>;
}

/** @param editHouse - changes the rows of the house feed before the first build */
export async function startStatusServer(editHouse = (rows: string[]) => rows): Promise<StatusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-status-'));
  const [sample, store, keysFile] = ['sample', 'store', 'keys.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const forbidden = writeForbiddenSample(sample);
  const build: StatusServer['build'] = (now) =>
    runDeals(['build', '--config', join(sample, 'catalogue.json'), '--store', store, '--now', now, '--quiet']);
  const edit = (change: (rows: string[]) => string[]): void => {
    const [header = '', ...rows] = readFileSync(join(sample, HOUSE), 'utf8').trimEnd().split('\n');
    writeFileSync(join(sample, HOUSE), `${[header, ...change(rows)].join('\n')}\n`);
  };
  edit(editHouse);
  // Enough duplicates for three pages of them; the deal with the lowest key is served.
  edit((rows) => [
    ...rows,
    ...rows
      .filter((row) => row.startsWith('H-0'))
      .slice(0, 250)
      .map((row) => `Z${row}`),
  ]);
  requireSuccess(await build('2026-11-19'));
  // Another id is another deal, and every row stays on its line.
  edit((rows) => rows.map((row, i) => (i % 50 === 25 && !row.startsWith('X-') ? `N${row}` : row)));
  const phones = join(sample, 'cms/phones-kestrel.json');
  writeFileSync(phones, readFileSync(phones, 'utf8').replace('"kestrel-k9-pro-256gb"', '"k9-pro"'));
  requireSuccess(await build('2026-11-20'));
  const createKey = async (name: string, facts: object = {}) =>
    (await addKey(keysFile, { name, ...facts }, new Date())).keyText;
  const operatorKey = await createKey('editor', { operator: true });
  const plainKey = await createKey('website');
  const log: LogEntry[] = [];
  const server = await withServer({
    on: { folder, store, keysFile, key: operatorKey },
    log: (entry) => log.push(entry),
    now: () => new Date('2026-11-20T08:00:00Z'),
  });
  const close = async (): Promise<void> => {
    await server.close();
    rmSync(folder, { recursive: true });
  };
  return { ...server, build, forbidden, operatorKey, plainKey, log, close };
}
