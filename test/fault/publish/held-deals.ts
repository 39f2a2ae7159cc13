import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DealsRun } from '../../unit/cli/run-deals.ts';
import { DEALS } from '../program.ts';

const HOLDER = fileURLToPath(new URL('held-deals.mjs', import.meta.url));

/** A process that has the compiled program loaded and runs one command after the other. */
export class HeldDeals {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #closed: Promise<unknown>;

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, lines: Interface) {
    this.#child = child;
    this.#lines = lines[Symbol.asyncIterator]();
    this.#closed = once(child, 'close');
  }

  static async start(): Promise<HeldDeals> {
    // No library of another test comes along, and the clock is that of the machine.
    const child = spawn(process.execPath, [HOLDER, DEALS], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    // It may be killed at any time: what is written to it then is lost, and that is known from its end.
    child.stdin.on('error', () => {});
    const held = new HeldDeals(child, createInterface({ input: child.stdout }));
    const { value } = await held.#lines.next();
    if (value !== 'ready') throw new Error(`expected the held program to be ready, got ${String(value)}`);
    return held;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Runs `deals <words>` to its end. The exit code is null when the process was killed. */
  async run(...words: readonly string[]): Promise<DealsRun> {
    this.#child.stdin.write(`${JSON.stringify(words)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) return { exitCode: null, stdout: '', stderr: '' };
    return JSON.parse(value) as DealsRun;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
