import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeLeftovers } from '../../build/publish/prune.ts';
import { verifySnapshot } from '../../build/publish/verify.ts';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { readCurrent } from '../../data/store/snapshots.ts';
import { createTemporaryFolder } from '../unit/build/publish/temporary-store.ts';

const PUBLISHER = fileURLToPath(new URL('./publish-forever.ts', import.meta.url));
const ROUNDS = 8;

/** Publishes until it is killed, `delayMs` after it began; returns the snapshots that it said were published. */
async function publishUntilKilled(store: string, firstNumber: number, delayMs: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', PUBLISHER, store, String(firstNumber)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  while (!said.includes('ready\n')) await once(child.stdout, 'data');
  await setTimeout(delayMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  return said.split('\n').filter((line) => line !== '' && line !== 'ready');
}

describe('a build that is killed while it publishes', () => {
  it('leaves a whole snapshot current, never an older one than it said, and the next build cleans up', async () => {
    const store = createTemporaryFolder();
    let publishedBefore = 0;
    // Until some kill came after a publication, however slow the machine is.
    for (let round = 0; round < ROUNDS || publishedBefore === 0; round++) {
      // Different points of the work: nothing is asserted about where each of them falls.
      const said = await publishUntilKilled(store, round * 1000 + 1, 40 + round ** 2 * 25);
      publishedBefore += said.length;
      const current = readCurrent(store);
      if (current === undefined) continue;
      expect(verifySnapshot(store, current)).toEqual([]);
      // Ids begin with the number of the round and of the snapshot within it, as a time.
      expect([...said, current].toSorted().at(-1)).toBe(current);
    }
    const lock = acquireStoreLock(store);
    removeLeftovers(store);
    lock.release();
    expect(readdirSync(store).filter((name) => name.startsWith('.') || name === 'build.lock')).toEqual([]);
  }, 120_000);
});
