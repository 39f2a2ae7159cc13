import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCpuMicroseconds, type Server } from './processes.ts';
import { formatNumber, median, type BenchLine } from './table.ts';

/** Requests to send. */
interface Load {
  /** Path and query of each request, one after the other, again and again. */
  readonly targets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Each sends its next request when it has the response. */
  readonly connections: number;
  readonly seconds: number;
}

/** What a server did in one round of load. */
interface LoadResult {
  readonly requestsPerSecond: number;
  /** Processor time of the server, user and system, for each request. */
  readonly cpuMicroseconds: number;
}

/**
 * Loads a server with wrk in one thread: the server has the other core.
 * @throws {Error} without wrk, and when a request failed
 */
async function measureLoad({ url, pid }: Pick<Server, 'url' | 'pid'>, load: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'deals-wrk-'));
  try {
    const script = join(folder, 'targets.lua');
    // The requests are made once, before the clock runs.
    const targets = load.targets.map((target) => JSON.stringify(target)).join(', ');
    await writeFile(
      script,
      `local targets = { ${targets} }
local requests = {}
local turn = 0
function init()
  for i, target in ipairs(targets) do requests[i] = wrk.format("GET", target) end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`,
    );
    const args = ['--threads', '1', '--connections', `${load.connections}`, '--duration', `${load.seconds}s`];
    for (const [name, value] of Object.entries(load.headers)) args.push('--header', `${name}: ${value}`);
    const cpuBefore = readCpuMicroseconds(pid);
    const { stdout } = await promisify(execFile)('wrk', [...args, '--timeout', '10s', '--script', script, url]);
    const requestCount = Number(/(\d+) requests in /.exec(stdout)?.[1] ?? 0);
    const failures = /Socket errors.*|Non-2xx or 3xx.*/.exec(stdout)?.[0];
    if (failures !== undefined || requestCount === 0) throw new Error(`${url}: ${failures ?? stdout}`);
    return {
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      cpuMicroseconds: (readCpuMicroseconds(pid) - cpuBefore) / requestCount,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A server, and the targets that it is asked. */
interface Side {
  readonly server: Pick<Server, 'url' | 'pid'>;
  readonly targets: readonly string[];
}

interface Comparison extends Pick<BenchLine, 'what' | 'atMost' | 'atLeast'>, Omit<Load, 'targets'> {
  readonly ours: Side;
  readonly theirs: Side;
  readonly figure: keyof LoadResult;
  readonly rounds: number;
}

/**
 * A line for how many times one server has the figure of another. Both are measured in each round, in turns: other work of
 * the machine changes by the minute, and so affects both alike. A round before the first warms up and is dropped.
 */
export async function compareServers({ ours, theirs, figure, rounds, ...more }: Comparison): Promise<BenchLine> {
  const { what, atMost, atLeast, headers, connections, seconds } = more;
  const measured: [own: number, other: number][] = [];
  for (let round = 0; round <= rounds; round++) {
    const results = new Map<Side, number>();
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      const load = { targets: side.targets, headers, connections, seconds };
      results.set(side, (await measureLoad(side.server, load))[figure]);
    }
    if (round > 0) measured.push([results.get(ours) as number, results.get(theirs) as number]);
  }
  const figures = [0, 1].map((side) => formatNumber(median(measured.map((pair) => pair[side] as number))));
  return {
    what,
    ...(atMost === undefined ? {} : { atMost }),
    ...(atLeast === undefined ? {} : { atLeast }),
    unit: 'x',
    reached: measured.map(([own, other]) => own / other),
    note: `${figures.join(' against ')} ${figure === 'cpuMicroseconds' ? 'µs of the processor' : 'a second'}`,
  };
}
