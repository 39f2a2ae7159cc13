import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, vi } from 'vitest';
import { Output } from '../cli/console/output.ts';
import { runCommand } from '../cli/program.ts';
import { addKey } from '../server/keys/key-file.ts';
import { startServer, type StartOptions } from '../server/start.ts';
import { FIXTURE } from './contract/fixture-catalogue.ts';
import { PUBLIC_URL, type OracleCatalogue } from './oracle/catalogue.ts';
import { writeSnapshot } from './oracle/write-snapshot.ts';

/** A store and a key file, in a folder of their own. */
interface TestStore {
  readonly folder: string;
  readonly store: string;
  readonly keysFile: string;
  /** The first key of the file. */
  readonly key: string;
  /** Publishes a snapshot with the next time; returns its id. */
  readonly publish: (catalogue: OracleCatalogue) => string;
  readonly remove: () => void;
}

/** A response that was read to its end. */
export interface TextResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface AskOptions {
  readonly method?: string;
  /** The key is among them unless another is given; `x-api-key: null` sends none. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** A server of this process on a free port, over a store. */
export interface TestServer extends Omit<TestStore, 'publish' | 'remove'> {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string | undefined;
  ask(target: string, options?: AskOptions): Promise<TextResponse>;
  /** The parsed body of a 200; anything else is an error that shows the body. */
  read<Body = unknown>(target: string): Promise<Body>;
  /** Publishes a snapshot, and has the server take it up. */
  publish(catalogue: OracleCatalogue): Promise<string>;
  /** Has the server look at its store now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export type ServerOptions = Partial<Omit<StartOptions, 'store' | 'keysFile'>> & {
  /** The snapshot of a new store; none for null. Default the fixture. */
  readonly catalogue?: OracleCatalogue | null;
  /** An existing store; it is not removed with the server. */
  readonly on?: Pick<TestStore, 'folder' | 'store' | 'keysFile' | 'key'>;
};

export interface DealsRun {
  /** Null when the process was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A store with the snapshot of `catalogue`, without any for null. It is removed after the test or the file that made it. */
export async function withStore(catalogue: OracleCatalogue | null = FIXTURE): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-store-'));
  const store = join(folder, 'store');
  const keysFile = join(folder, 'keys.json');
  const { keyText: key } = await addKey(keysFile, { name: 'spec' }, new Date());
  let sequence = 0;
  const publish = (next: OracleCatalogue) => writeSnapshot(next, store, { sequence: ++sequence });
  if (catalogue !== null) publish(catalogue);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  atEnd(remove);
  return { folder, store, keysFile, key, publish, remove };
}

/** A server, which is closed after the test or the file that started it; a hook such as `beforeAll` closes it itself. */
export async function withServer({ catalogue, on, ...start }: ServerOptions = {}): Promise<TestServer> {
  const made = on === undefined ? await withStore(catalogue) : undefined;
  const { folder, store, keysFile, key } = (on ?? made)!;
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    publicUrl: PUBLIC_URL,
    ...start,
    store,
    keysFile,
  });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= server.close().finally(() => made?.remove()));
  atEnd(close);
  const ask = (target: string, { method = 'GET', headers }: AskOptions = {}): Promise<TextResponse> => {
    const sent = Object.entries({ 'x-api-key': key, ...headers }).filter(([, value]) => value !== null);
    return fetchText(server.url + target, { method, headers: Object.fromEntries(sent) as Record<string, string> });
  };
  return {
    folder,
    store,
    keysFile,
    key,
    url: server.url,
    port: server.port,
    metricsUrl: server.metricsUrl,
    ask,
    read: async <Body>(target: string) => {
      const { status, text } = await ask(target);
      if (status !== 200) throw new Error(`${target}: expected 200, got ${status} ${text}`);
      return JSON.parse(text) as Body;
    },
    publish: async (next) => {
      if (made === undefined) throw new Error('publish with the store that was given');
      const id = made.publish(next);
      await server.refresh();
      return id;
    },
    refresh: () => server.refresh(),
    close,
  };
}

export async function fetchText(url: string, init?: RequestInit): Promise<TextResponse> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Runs a command within the process of the tests, many times faster than in one of its own. The working directory is
 * that of the process; `env` comes on top of an environment without any variable of ours, `columns` is the width of help.
 */
export async function runDeals(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<DealsRun> {
  let stdout = '';
  let stderr = '';
  const output = new Output(
    {
      write: (text, done) => {
        stdout += String(text);
        done?.();
      },
      on: () => undefined,
    },
    { write: (text) => (stderr += String(text)), on: () => undefined },
    {},
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const exitCode = await runCommand(args, output, () => new Date());
  vi.unstubAllEnvs();
  return { exitCode, stdout, stderr };
}

/** The run, which the tests that follow need to have succeeded. */
export function requireSuccess(run: DealsRun): DealsRun {
  if (run.exitCode !== 0) throw new Error(`deals ended with exit code ${run.exitCode}: ${run.stderr}`);
  return run;
}

export async function until(isDone: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Within a test, after it; outside of tests, after the file or the describe block. */
function atEnd(close: () => void | Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    afterAll(close);
  }
}
