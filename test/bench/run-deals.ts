import { spawn } from 'node:child_process';
import { DEALS } from './bench-data.ts';
import { readMemory } from './child-memory.ts';

/** How a command ended, how long it took and the most memory it had. */
export interface CommandRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly stdout: string;
}

/**
 * Runs `deals` with these arguments to its end.
 *
 * @throws {Error} with what it said, when it does not end well
 */
export function runDeals(args: readonly string[]): Promise<CommandRun> {
  const start = performance.now();
  const child = spawn(process.execPath, [DEALS, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let peakBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // The peak that the kernel keeps only grows, so the last look before the end misses next to nothing.
  const timer = setInterval(() => (peakBytes = readMemory(child.pid as number, 'VmHWM') ?? peakBytes), 25);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ seconds: (performance.now() - start) / 1_000, peakBytes, stdout });
      else reject(new Error(`deals ${args.join(' ')} ended with ${code}: ${(stdout + stderr).slice(-2_000)}`));
    });
  });
}
