import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { isMissing, root, tool } from '../needs.ts';
import { PROGRAM_ROOT } from '../program.ts';
import { byTier, TIER } from '../tier.ts';
import { LARGEST, writePlenty } from './plenty.ts';
import { countDescriptors, serveProgram } from '../running-program.ts';
import { comeSlowly } from './slow-client.ts';
import type { SlowTrial, SlowTrialResult } from './slow-trial.ts';

const UNSHARE = 'unshare';

const HEAD_DEADLINE_MS = 10_000;
/** For a chunk of a long body. */
const READER_DEADLINE_MS = 12_000;
/** Deadlines of heads are looked at once a second; and a machine that others use comes late to everything. */
const LATE_MS = 2_000;
const MAX_BYTES_EACH = 128 * 1024;
const CLIENT_COUNT = byTier({ first: 0, second: 1_000, long: 3_000 });
const ATTEMPTS = 3;
/** Below this a p99 tells more of the machine than of the program: a turn of long answers, and what else there is. */
const NEGLIGIBLE_MS = 10;

/**
 * As between machines and as data/spec/operations.md sets it up: packets of 1,500 bytes, and 128 KB that the system keeps for a
 * connection. The loopback device has packets of 64 KB, of which the system holds 4 MB for each reader.
 */
const NETWORK = 'ip link set lo mtu 1500 up && echo "4096 16384 131072" > /proc/sys/net/ipv4/tcp_wmem && exec "$@"';

async function tryOut(trial: SlowTrial): Promise<SlowTrialResult> {
  const program = [
    process.execPath,
    '--import',
    'tsx',
    join(import.meta.dirname, 'slow-trial.ts'),
    JSON.stringify(trial),
  ];
  const child = spawn(UNSHARE, ['-n', 'sh', '-c', NETWORK, 'sh', ...program], {
    cwd: PROGRAM_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return JSON.parse(text) as SlowTrialResult;
}

/** The most connections that were open longer than they may be, at any sample. */
function countOverdue({ startedAt, open }: SlowTrialResult, deadlineMs: number): number {
  return Math.max(
    ...open.map(([at, count]) => count - startedAt.filter((start) => start > at - deadlineMs - LATE_MS).length),
  );
}

describe('heads that never end', () => {
  it('are given up after ten seconds, however often a line more is sent', async () => {
    const plenty = await writePlenty(1);
    const program = await serveProgram({ ...plenty, hasProbe: true });
    const before = countDescriptors(program.pid, 'socket');
    const options = { url: program.url, key: plenty.key, target: LARGEST, encoding: 'identity' };
    const crowd = await comeSlowly('half-sent', 50, { ...options, bytesPerSecond: 1, clientsPerSecond: 1_000 });
    await until(async () => countDescriptors(program.pid, 'socket') - before === 50);
    await sleep(HEAD_DEADLINE_MS + LATE_MS);
    expect(countDescriptors(program.pid, 'socket') - before).toBe(0);
    crowd.leave();
    await program.stop();
    plenty.remove();
  });
});

describe.skipIf(TIER === 'first')('readers of the largest answer', () => {
  it('are cut off by their deadline when they take nothing, or too little', async () => {
    const plenty = await writePlenty(1_000);
    const program = await serveProgram({ ...plenty, hasProbe: true });
    const before = countDescriptors(program.pid, 'socket');
    const options = { url: program.url, key: plenty.key, target: LARGEST, encoding: 'identity' };
    const more = { bytesPerSecond: 1_024, clientsPerSecond: 100 };
    const crowds = await Promise.all([
      comeSlowly('stalled', 20, { ...options, ...more }),
      comeSlowly('dripping', 20, { ...options, ...more }),
    ]);
    await until(async () => countDescriptors(program.pid, 'socket') - before === 40);
    await sleep(READER_DEADLINE_MS + LATE_MS);
    expect(countDescriptors(program.pid, 'socket') - before).toBe(0);
    for (const crowd of crowds) crowd.leave();
    await program.stop();
    plenty.remove();
  });
});

describe.skipIf(TIER === 'first' || isMissing('a network of its own', root, tool(UNSHARE), tool('ip')))(
  'a thousand slow clients',
  () => {
    it.each([
      { what: 'heads that never end', kind: 'half-sent', encoding: 'identity', deadlineMs: HEAD_DEADLINE_MS },
      {
        what: 'stalled readers of the largest answer',
        kind: 'stalled',
        encoding: 'identity',
        deadlineMs: READER_DEADLINE_MS,
      },
      { what: 'stalled readers of it in brotli', kind: 'stalled', encoding: 'br', deadlineMs: READER_DEADLINE_MS },
      { what: 'dripping readers of it', kind: 'dripping', encoding: 'identity', deadlineMs: READER_DEADLINE_MS },
    ] as const)(
      'with $what cost little, keep no other client waiting, and are closed by their deadline',
      async ({ what, kind, encoding, deadlineMs }) => {
        const watchSeconds = (deadlineMs + LATE_MS) / 1_000 + 1;
        const trial = { kind, encoding, clientCount: CLIENT_COUNT, clientsPerSecond: 200, copies: 2_000, watchSeconds };
        const result = await tryOut(trial);
        // The machine is not ours alone: the p99 of the healthy client is the best of some attempts.
        let best = result;
        for (let attempt = 1; attempt < ATTEMPTS && !isGood(best); attempt++) {
          const another = await tryOut({ ...trial, watchSeconds: 0 });
          if (another.p99 / another.quietP99 < best.p99 / best.quietP99) best = another;
        }
        process.stderr.write(
          `${what}: ${Math.round(result.residentEach / 1_000)} KB resident and ${Math.round(result.usedEach / 1_000)} KB ` +
            `in use each; a healthy client's p99 ${best.p99.toFixed(1)} ms, quiet ${best.quietP99.toFixed(1)} ms\n`,
        );
        expect(result.residentEach).toBeLessThan(MAX_BYTES_EACH);
        expect(result.usedEach).toBeLessThan(MAX_BYTES_EACH);
        // Who may stay longest is let off: a connection that is just being closed.
        expect(countOverdue(result, deadlineMs)).toBeLessThanOrEqual(2);
        expect(result.open.at(-1)?.[1]).toBe(0);
        expect(best.failed).toBe(0);
        expect(isGood(best), `p99 ${best.p99} ms, quiet ${best.quietP99} ms`).toBe(true);
      },
      240_000,
    );
  },
);

function isGood({ p99, quietP99 }: SlowTrialResult): boolean {
  return p99 <= Math.max(2 * quietP99, NEGLIGIBLE_MS);
}
