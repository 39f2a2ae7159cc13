import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endOf } from '../../unit/cli/run-deals.ts';
import { writeSnapshot } from '../../oracle/write-snapshot.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import {
  createBreakableProgram,
  type Breakable,
  type BreakableProgram,
  type Failure,
} from '../request/breakable-program.ts';
import { createKey, startProgram } from '../running-program.ts';

/** Many times what a start takes: a program that still runs then would run for ever. */
const HANGS_AFTER_MS = 10_000;

/** One of each step of the start, and how it can fail. */
const STEPS: readonly (Breakable & { readonly failure: Failure })[] = [
  { name: 'createApiKeyStore', file: 'server/keys/key-store.js', failure: 'throws' },
  { name: 'createApp', file: 'server/app.js', failure: 'throws' },
  { name: 'createRouter', file: 'server/routes/router.js', failure: 'throws' },
  { name: 'findOpenApi', file: 'server/routes/reference.js', failure: 'throws' },
  { name: 'respondToClientErrors', file: 'server/http/client-errors.js', failure: 'throws' },
  { name: 'startMetricsServer', file: 'server/metrics/metrics-server.js', failure: 'rejects' },
  { name: 'listStoredIds', file: 'server/snapshot/read-manifest.js', failure: 'rejects' },
];

let folder = '';
let program: BreakableProgram;
/** Has a port that the program asks for. */
let other: Server;
let taken = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deals-fault-start-'));
  writeSnapshot(FIXTURE, join(folder, 'store'));
  createKey(folder, '--name', 'website');
  program = createBreakableProgram(STEPS);
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = String((other.address() as AddressInfo).port);
});
afterEach(() => program.heal());
afterAll(() => {
  other.close();
  program.remove();
  rmSync(folder, { recursive: true });
});

interface Start {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** What it wrote on stderr beside the lines of its log. */
  readonly said: string;
}

/** Runs `deals serve` until it ends; one that does not is killed, and has no exit code. */
async function start(...args: readonly string[]): Promise<Start> {
  const serve = ['serve', '--store', 'store', '--keys', 'keys.json', '--port', '0', '--metrics-port', '0', ...args];
  const child = spawn(process.execPath, [program.deals, ...serve], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    timeout: HANGS_AFTER_MS,
    killSignal: 'SIGKILL',
  });
  child.stdin.end();
  const { exitCode, stdout, stderr } = await endOf(child);
  return { exitCode, stdout, said: stderr.replaceAll(/^\{.*\}\n/gm, '') };
}

describe('a server that cannot start ends, so that its parent process knows', () => {
  it('without its pages, and says that the installation is incomplete', async () => {
    const pages = join(program.folder, 'server/page');
    renameSync(pages, `${pages}.away`);
    const started = await start().finally(() => renameSync(`${pages}.away`, pages));
    expect(started).toEqual({
      exitCode: 1,
      stdout: '',
      said: `deals: ${pages}: expected the pages of the server, found none; the installation is incomplete: install the package again\n`,
    });
  });

  it('whose port is taken', async () => {
    const { exitCode, said } = await start('--port', taken);
    expect({ exitCode, said }).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(/^deals: listen EADDRINUSE.*\n$/),
    });
  });

  it('whose metrics port is taken', async () => {
    const { exitCode, said } = await start('--metrics-port', taken);
    expect({ exitCode, said }).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(/^deals: listen EADDRINUSE.*\n$/),
    });
  });

  it('whose keys cannot be read', async () => {
    const { exitCode, said } = await start('--keys', 'store');
    expect({ exitCode, said }).toMatchObject({ exitCode: 2, said: expect.stringMatching(/^deals: store: .*\n$/) });
  });

  it.each(STEPS)('because of a fault of its own in $name', async ({ name, failure }) => {
    const pointer = join(folder, 'store/current.json');
    const isOfStore = name === 'listStoredIds';
    // Only where nothing is said to be current are the other snapshots looked for.
    if (isOfStore) renameSync(pointer, `${pointer}.away`);
    program.fail(name, failure);
    const { exitCode, stdout, said } = await start();
    if (isOfStore) renameSync(`${pointer}.away`, pointer);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(said).toMatch(/^deals: Error: the cause that stays inside\n/);
  });

  it('and starts when nothing is wrong', async () => {
    const running = await startProgram({ deals: program.deals });
    await running.stop();
    expect(running.url).toMatch(/^http:/);
  });
});
