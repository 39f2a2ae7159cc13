import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { withStore } from '../../harness.ts';
import { runDeals } from '../run-deals.ts';

/** Many times what a start takes: a program that still runs then would run for ever. */
const HANGS_AFTER_MS = 10_000;

it.each<[string, (taken: string) => string[], number, RegExp]>([
  ['whose port is taken', (taken) => ['--port', taken], 1, /^deals: listen EADDRINUSE.*\n$/],
  // By then it has its keys, a port and a snapshot.
  ['whose metrics port is taken', (taken) => ['--metrics-port', taken], 1, /^deals: listen EADDRINUSE.*\n$/],
  ['whose keys cannot be read', () => ['--keys', 'store'], 2, /^deals: store: .*\n$/],
])('a server %s closes what it opened and ends, so that its parent process knows', async (_, args, status, message) => {
  const { folder } = await withStore();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = String((other.address() as AddressInfo).port);
  const serve = ['serve', '--store', 'store', '--keys', 'keys.json', '--port', '0', '--metrics-port', '0'];
  const run = await runDeals([...serve, ...args(taken)], { cwd: folder, timeoutMs: HANGS_AFTER_MS });
  // One that was killed has no exit code. The log has lines of its own.
  const said = run.stderr.replaceAll(/^\{.*\}\n/gm, '');
  expect([run.exitCode, said]).toEqual([status, expect.stringMatching(message)]);
});
