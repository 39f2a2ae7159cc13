import { readdirSync, readlinkSync } from 'node:fs';
import { until } from '../harness.ts';
import { RunningDeals, type RunOptions } from './run-deals.ts';

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
