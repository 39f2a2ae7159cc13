import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withStore } from '../../harness.ts';
import { createBreakableProgram, type BreakableProgram, type Failure } from '../request/breakable-program.ts';
import { runDeals } from '../run-deals.ts';

/** Many times what a start takes: a program that still runs then would run for ever. */
const HANGS_AFTER_MS = 10_000;

/** One of each step of the start, and how it can fail. */
const STEPS: readonly { readonly name: string; readonly failure: Failure }[] = [
  { name: 'createKeyRing', failure: 'throws' },
  { name: 'createApp', failure: 'throws' },
  { name: 'listen', failure: 'rejects' },
  { name: 'listFallbacks', failure: 'throws' },
];

let made: Awaited<ReturnType<typeof withStore>>;
let program: BreakableProgram;
/** Has a port that the program asks for. */
let other: Server;
let taken = '';

beforeAll(async () => {
  made = await withStore();
  program = createBreakableProgram(STEPS.map(({ name }) => name));
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = String((other.address() as AddressInfo).port);
});
afterEach(() => program.heal());
afterAll(() => {
  other.close();
  program.remove();
  made.remove();
});

/** Runs `deals serve` until it ends. One that does not end is killed, and has no exit code. */
async function start(...args: readonly string[]) {
  const serve = ['serve', '--store', 'store', '--keys', 'keys.json', '--port', '0', '--metrics-port', '0', ...args];
  const options = { deals: program.deals, cwd: made.folder, timeoutMs: HANGS_AFTER_MS };
  const { exitCode, stdout, stderr } = await runDeals(serve, options);
  // Without the lines of the log.
  return { exitCode, stdout, said: stderr.replaceAll(/^\{.*\}\n/gm, '') };
}

/** Runs `deals serve` while a file or folder is not there. */
async function startWithout(path: string) {
  renameSync(path, `${path}.away`);
  return start().finally(() => renameSync(`${path}.away`, path));
}

describe('a server that cannot start ends, so that its parent process knows', () => {
  it('without its pages, and names their folder', async () => {
    const pages = join(program.folder, 'server/page');
    expect(await startWithout(pages)).toEqual({
      exitCode: 1,
      stdout: '',
      said: `deals: ENOENT: no such file or directory, scandir '${pages}'\n`,
    });
  });

  it.each<[string, () => string[], number, RegExp]>([
    ['whose port is taken', () => ['--port', taken], 1, /^deals: listen EADDRINUSE.*\n$/],
    ['whose metrics port is taken', () => ['--metrics-port', taken], 1, /^deals: listen EADDRINUSE.*\n$/],
    ['whose keys cannot be read', () => ['--keys', 'store'], 2, /^deals: store: .*\n$/],
  ])('%s', async (_, args, status, message) => {
    const { exitCode, said } = await start(...args());
    expect({ exitCode, said }).toEqual({ exitCode: status, said: expect.stringMatching(message) });
  });

  it.each(STEPS)('because of a fault of its own in $name', async ({ name, failure }) => {
    program.fail(name, failure);
    // Only where nothing is said to be current are the other snapshots looked for.
    const started = await (name === 'listFallbacks' ? startWithout(join(made.store, 'current.json')) : start());
    expect(started).toMatchObject({ exitCode: 1, stdout: '' });
    expect(started.said).toMatch(/^deals: Error: the cause that stays inside\n/);
  });
});
