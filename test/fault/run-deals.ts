import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { endOf, type DealsRun } from '../unit/cli/run-deals.ts';
import { DEALS } from './program.ts';

export interface RunOptions {
  /** A command that runs the program: `faketime ...`. */
  readonly before?: readonly string[];
  /** Beside PATH: nothing of the environment of the tests gets through. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of node. */
  readonly node?: readonly string[];
  readonly cwd?: string;
  /** After this time the command is killed. */
  readonly timeoutMs?: number;
}

/** The compiled command, in a process of its own. */
export class RunningDeals {
  readonly #child: ChildProcessWithoutNullStreams;
  /** What it has written so far. */
  stdout = '';
  stderr = '';
  /** The exit code is null when the process was killed. */
  readonly ended: Promise<DealsRun>;

  constructor(words: readonly string[], options: RunOptions = {}) {
    const { before = [], env = {}, node = [], cwd, timeoutMs } = options;
    const [command = '', ...args] = [...before, process.execPath, ...node, DEALS, ...words];
    this.#child = spawn(command, args, {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    this.#child.stdin.end();
    this.#child.stdout.on('data', (text) => (this.stdout += String(text)));
    this.#child.stderr.on('data', (text) => (this.stderr += String(text)));
    this.ended = endOf(this.#child);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get output(): string {
    return this.stdout + this.stderr;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The signal that ended it, if one did. */
  get signal(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  /** Whether a SIGSTOP holds it. */
  get isStopped(): boolean {
    if (this.hasEnded) return false;
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Runs the compiled command to its end. */
export function runDeals(words: readonly string[], options?: RunOptions): Promise<DealsRun> {
  return new RunningDeals(words, options).ended;
}
