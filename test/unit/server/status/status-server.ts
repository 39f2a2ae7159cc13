import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Of an operator who may ask three times a day. */
  readonly limitedKey: string;
  readonly log: readonly LogEntry[];
  build(now: string): Promise<DealsRun>;
  /** Changes the rows of the house feed. */
  editHouse(edit: (rows: string[]) => string[]): void;
}

export interface StatusServerOptions {
  /** False for a store in which nothing was ever published. */
  readonly hasSnapshot?: boolean;
  /** Changes the rows of the house feed before the first build. */
  readonly editHouse?: (rows: string[]) => string[];
}

export async function startStatusServer(options: StatusServerOptions = {}): Promise<StatusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-status-'));
  const isUsual = options.hasSnapshot !== false && options.editHouse === undefined;
  const forbidden = isUsual ? await copyUsualFolder(folder) : await writeFolder(folder, options);
  const keysFile = join(folder, 'keys.json');
  const createKey = async (name: string, facts: object = {}) =>
    (await addKey(keysFile, { name, ...facts }, new Date())).keyText;
  const operatorKey = await createKey('editor', { operator: true });
  const plainKey = await createKey('website');
  const limitedKey = await createKey('limited', { operator: true, rateLimit: '3/24h' });
  const log: LogEntry[] = [];
  const server = await withServer({
    on: { folder, store: join(folder, 'store'), keysFile, key: operatorKey },
    log: (entry) => log.push(entry),
    now: () => new Date('2026-11-20T08:00:00Z'),
  });
  return {
    ...server,
    ...sourcesOf(folder),
    forbidden,
    operatorKey,
    plainKey,
    limitedKey,
    log,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function sourcesOf(folder: string): Pick<StatusServer, 'build' | 'editHouse'> {
  const sample = join(folder, 'sample');
  const store = join(folder, 'store');
  return {
    build: (now) =>
      runDeals(['build', '--config', join(sample, 'catalogue.json'), '--store', store, '--now', now, '--quiet']),
    editHouse: (edit) => {
      const [header = '', ...rows] = readFileSync(join(sample, HOUSE), 'utf8').trimEnd().split('\n');
      writeFileSync(join(sample, HOUSE), `${[header, ...edit(rows)].join('\n')}\n`);
    },
  };
}

/** Writes the sources and builds them twice. */
async function writeFolder(folder: string, options: StatusServerOptions): Promise<readonly Forbidden[]> {
  const sample = join(folder, 'sample');
  const forbidden = writeForbiddenSample(sample);
  const { build, editHouse } = sourcesOf(folder);
  if (options.editHouse !== undefined) editHouse(options.editHouse);
  if (options.hasSnapshot === false) return forbidden;
  // Enough duplicates for three pages of them; the deal with the lowest key is served.
  editHouse((rows) => [
    ...rows,
    ...rows
      .filter((row) => row.startsWith('H-0'))
      .slice(0, 250)
      .map((row) => `Z${row}`),
  ]);
  requireSuccess(await build('2026-11-19'));
  // Another id is another deal, and every row stays on its line.
  editHouse((rows) => rows.map((row, i) => (i % 50 === 25 && !row.startsWith('X-') ? `N${row}` : row)));
  const phones = join(sample, 'cms/phones-kestrel.json');
  writeFileSync(phones, readFileSync(phones, 'utf8').replace('"kestrel-k9-pro-256gb"', '"k9-pro"'));
  requireSuccess(await build('2026-11-20'));
  return forbidden;
}

let usual: Promise<{ readonly folder: string; readonly forbidden: readonly Forbidden[] }> | undefined;

/** Copies the folder that most tests ask for, which is built once a process. */
async function copyUsualFolder(folder: string): Promise<readonly Forbidden[]> {
  usual ??= (async () => {
    const built = mkdtempSync(join(tmpdir(), 'deals-status-'));
    return { folder: built, forbidden: await writeFolder(built, {}) };
  })();
  const { folder: built, forbidden } = await usual;
  cpSync(built, folder, { recursive: true, preserveTimestamps: true });
  const lastBuild = join(folder, 'store/last-build.json');
  writeFileSync(lastBuild, readFileSync(lastBuild, 'utf8').replaceAll(built, folder));
  return forbidden;
}
