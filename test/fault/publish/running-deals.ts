import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { readFileSync } from 'node:fs';
import { DEALS } from '../program.ts';
import type { Ended } from './held-deals.ts';

export interface RunOptions {
  /** What stands before the program: `faketime …`. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Options of node. */
  readonly node?: readonly string[];
}

/** The real command, in a process of its own. */
export class RunningDeals {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;

  constructor(words: readonly string[], { before = [], env = {}, node = [] }: RunOptions = {}) {
    const [command = '', ...args] = [...before, process.execPath, ...node, DEALS, ...words];
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    const said = { stdout: '', stderr: '' };
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    this.ended = once(this.#child, 'close').then(([exitCode]) => ({
      exitCode: (exitCode as number | null) ?? undefined,
      ...said,
    }));
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Whether a SIGSTOP holds it. */
  get isStopped(): boolean {
    if (this.hasEnded) return false;
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Runs the real command to its end. */
export function runDeals(words: readonly string[], options?: RunOptions): Promise<Ended> {
  return new RunningDeals(words, options).ended;
}
