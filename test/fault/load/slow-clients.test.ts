import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../harness.ts';
import { countDescriptors, serveProgram, type ServingProgram } from '../run-deals.ts';
import { LARGEST, writePlenty, type PlentyStore } from './plenty.ts';

const CLIENTS = 120;
/**
 * Of a head ten seconds; of a chunk of a long body twelve, which begin when the system takes no more. A machine that others
 * use comes late to everything.
 */
const CLOSED_AFTER_MS = 45_000;
/** A fortieth of the response. */
const MAX_BYTES_EACH = 512 * 1024;
/** Until the system holds all that it takes of each response. */
const SETTLING_MS = 4_000;

/** A head that never ends; a reader that takes nothing; a reader that takes a kilobyte every second. */
type SlowKind = 'half-sent' | 'stalled' | 'dripping';

let plenty: PlentyStore;
let program: ServingProgram;
let idleSockets: number;
beforeAll(async () => {
  plenty = await writePlenty(1_000);
  program = await serveProgram({ ...plenty, args: ['--access-log', 'off'] });
  idleSockets = countDescriptors(program.pid, 'socket');
});
afterAll(async () => {
  await program.stop();
  plenty.remove();
});

function comeSlowly(kind: SlowKind): Socket {
  const socket = connect({
    port: program.port,
    host: '127.0.0.1',
    onread: { buffer: Buffer.allocUnsafe(1_024), callback: () => kind !== 'dripping' },
  });
  socket.on('error', () => undefined);
  if (kind === 'stalled') socket.pause();
  socket.write(
    `GET ${LARGEST} HTTP/1.1\r\nHost: x\r\nx-api-key: ${plenty.key}\r\n${kind === 'half-sent' ? '' : '\r\n'}`,
  );
  return socket;
}

describe('slow clients', () => {
  it.each<SlowKind>(['half-sent', 'stalled', 'dripping'])(
    'that are %s cost little, and are closed by their deadline',
    async (kind) => {
      await until(async () => countDescriptors(program.pid, 'socket') <= idleSockets);
      const before = await program.memory();
      const sockets = Array.from({ length: CLIENTS }, () => comeSlowly(kind));
      const ticking = setInterval(() => {
        for (const socket of sockets) {
          if (kind === 'half-sent') socket.write('X-More: x\r\n');
          if (kind === 'dripping') socket.resume();
        }
      }, 1_000);
      onTestFinished(() => {
        clearInterval(ticking);
        for (const socket of sockets) socket.destroy();
      });
      await until(async () => countDescriptors(program.pid, 'socket') - idleSockets === CLIENTS);
      await sleep(SETTLING_MS);
      const used = (await program.memory()) - before;
      process.stderr.write(`${kind}: ${Math.round(used / CLIENTS / 1_000)} KB in use each\n`);
      expect(used / CLIENTS).toBeLessThan(MAX_BYTES_EACH);
      await until(async () => countDescriptors(program.pid, 'socket') <= idleSockets, CLOSED_AFTER_MS);
    },
    120_000,
  );
});
