import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { until, type DealsRun } from '../harness.ts';
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
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = once(this.#child, 'close').then(([exitCode]: (number | null)[]) => ({
      exitCode: exitCode ?? null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
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

/** The compiled `deals serve` in a process of its own. */
export interface ServingProgram {
  readonly url: string;
  readonly port: number;
  readonly metricsUrl: string;
  readonly pid: number;
  /** What it has written to stdout and stderr. */
  output(): string;
  hasEnded(): boolean;
  /** Collects garbage and returns the bytes of what is left, in the heap and beside it. */
  memory(): Promise<number>;
  /** Has it end by itself, and returns its exit code. */
  stop(): Promise<number | null>;
}

type ServeOptions = RunOptions & {
  readonly store: string;
  readonly keysFile: string;
  readonly args?: readonly string[];
};

/** Runs inside the program. */
const PROBE = `
process.on('SIGWINCH', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write('in use: ' + (heapUsed + external) + '\\n');
});
`;
const PROBE_ARGS = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(PROBE)}`];

/** Serves a store on a free port, and waits until it listens. @throws {Error} when it ends instead */
export async function serveProgram({ store, keysFile, args = [], ...options }: ServeOptions): Promise<ServingProgram> {
  const words = ['serve', '--store', store, '--keys', keysFile, '--port', '0', '--metrics-port', '0', ...args];
  const program = new RunningDeals(words, { ...options, node: [...PROBE_ARGS, ...(options.node ?? [])] });
  await until(async () => {
    if (program.hasEnded) throw new Error(`deals serve has ended: ${program.output}`);
    return /^http:.*\n/m.test(program.output) && program.output.includes('metrics-listening');
  });
  const url = /^http:\S+/m.exec(program.output)?.[0] ?? '';
  return {
    url,
    port: Number(new URL(url).port),
    metricsUrl: /"url":"(http:[^"]+)"/.exec(program.output)?.[1] ?? '',
    pid: program.pid,
    output: () => program.output,
    hasEnded: () => program.hasEnded,
    memory: async () => {
      const figures = () => [...program.output.matchAll(/^in use: (\d+)\n/gm)].map(([, bytes]) => Number(bytes));
      const count = figures().length;
      program.kill('SIGWINCH');
      await until(async () => figures().length > count);
      return figures().at(-1) ?? NaN;
    },
    stop: async () => {
      program.kill('SIGTERM');
      return (await program.ended).exitCode;
    },
  };
}

/** The file descriptors of a process: all of them, or its sockets. */
export function countDescriptors(pid: number, kind: 'all' | 'socket' = 'all'): number {
  const names = readdirSync(`/proc/${pid}/fd`);
  if (kind === 'all') return names.length;
  return names.filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:');
    } catch {
      // Closed in between.
      return false;
    }
  }).length;
}
