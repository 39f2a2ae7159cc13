import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey } from '../../../../server/keys/key-file.ts';
import type { LogEntry } from '../../../../server/log.ts';
import { startServer } from '../../../../server/start.ts';
import { callDeals } from '../../cli/call-deals.ts';
import { writeForbiddenSample, type Forbidden } from '../../cli/forbidden-sample.ts';
import { requireSuccess, type DealsRun } from '../../cli/run-deals.ts';

const HOUSE = 'feeds/house/deals.csv';

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A server over a store with two snapshots of the sample, in which a record is left out by every rule; the second has another slug for a phone. */
export interface StatusServer {
  readonly url: string;
  readonly store: string;
  readonly forbidden: readonly Forbidden[];
  readonly operatorKey: string;
  readonly plainKey: string;
  /** Of an operator who may ask three times a day. */
  readonly limitedKey: string;
  readonly log: readonly LogEntry[];
  /** A request with the operator key, unless another is given; without any for an empty one. */
  ask(target: string, init?: RequestInit, key?: string): Promise<Asked>;
  /** The parsed body of a 200. */
  read<Body>(target: string): Promise<Body>;
  build(now: string): Promise<DealsRun>;
  /** Changes the rows of the house feed. */
  editHouse(edit: (rows: string[]) => string[]): void;
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface StatusServerOptions {
  /** False for a store in which nothing was ever published. */
  readonly hasSnapshot?: boolean;
  /** Changes the rows of the house feed before the first build. */
  readonly editHouse?: (rows: string[]) => string[];
}

export async function startStatusServer(options: StatusServerOptions = {}): Promise<StatusServer> {
  const { hasSnapshot = true } = options;
  const folder = mkdtempSync(join(tmpdir(), 'deals-status-'));
  const store = join(folder, 'store');
  const isUsual = hasSnapshot && options.editHouse === undefined;
  const forbidden = isUsual ? await copyUsualFolder(folder) : await writeFolder(folder, options);
  const { build, editHouse } = sourcesOf(folder);
  const keysFile = join(folder, 'keys.json');
  const now = new Date();
  const { keyText: operatorKey } = await addKey(keysFile, { name: 'editor', operator: true }, now);
  const { keyText: plainKey } = await addKey(keysFile, { name: 'website' }, now);
  const limited = { name: 'limited', operator: true, rateLimit: '3/24h' } as const;
  const { keyText: limitedKey } = await addKey(keysFile, limited, now);
  const log: LogEntry[] = [];
  const server = await startServer({
    store,
    keysFile,
    host: '127.0.0.1',
    port: 0,
    log: (entry) => log.push(entry),
    now: () => new Date('2026-11-20T08:00:00Z'),
  });
  const ask = async (target: string, init: RequestInit = {}, key: string = operatorKey): Promise<Asked> => {
    const headers = { ...(key === '' ? {} : { 'x-api-key': key }), ...(init.headers as Record<string, string>) };
    const response = await fetch(server.url + target, { ...init, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    url: server.url,
    store,
    forbidden,
    operatorKey,
    plainKey,
    limitedKey,
    log,
    ask,
    read: async <Body>(target: string): Promise<Body> => {
      const { status, text } = await ask(target);
      if (status !== 200) throw new Error(`${target}: expected 200, got ${status} ${text}`);
      return JSON.parse(text) as Body;
    },
    build,
    editHouse,
    refresh: () => server.refresh(),
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
      callDeals(['build', '--config', join(sample, 'catalogue.json'), '--store', store, '--now', now, '--quiet']),
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
