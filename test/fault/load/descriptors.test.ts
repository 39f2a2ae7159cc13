import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { isMissing, tool } from '../needs.ts';
import { writePlenty } from './plenty.ts';
import { countDescriptors, serveProgram } from '../running-program.ts';

function openMany(url: string, count: number): readonly Socket[] {
  const { hostname, port } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    return socket.on('error', () => undefined);
  });
}

const isLive = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

describe('more connections than there is room for', () => {
  it.skipIf(isMissing('running out of descriptors', tool('prlimit')))(
    'use up the file descriptors, and when they are gone the program answers as before',
    async () => {
      const plenty = await writePlenty(1, 2);
      const program = await serveProgram({ ...plenty, before: ['prlimit', '--nofile=256'] });
      const before = countDescriptors(program.pid, 'socket');
      for (let round = 0; round < 3; round++) {
        const sockets = openMany(program.url, 600);
        await until(async () => countDescriptors(program.pid) >= 250);
        expect(await isLive(program.url)).toBe(false);
        // A snapshot that cannot be opened now is taken up later.
        plenty.point(plenty.snapshotIds[round % 2] as string);
        for (const socket of sockets) socket.destroy();
        await until(() => isLive(program.url));
      }
      await until(async () => countDescriptors(program.pid, 'socket') <= before);
      const answer = await fetch(`${program.url}/deals/v1/networks/`, { headers: { 'x-api-key': plenty.key } });
      expect(answer.status).toBe(200);
      expect(program.hasEnded()).toBe(false);
      expect(await program.stop()).toBe(0);
    },
  );
});
