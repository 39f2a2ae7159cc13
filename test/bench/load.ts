import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCpuMicroseconds, type Server } from './processes.ts';
import { formatNumber, median, type BenchLine } from './table.ts';

/** Requests to send. */
export interface Load {
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
export async function measureLoad({ url, pid }: Pick<Server, 'url' | 'pid'>, load: Load): Promise<LoadResult> {
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

/** The results of each server, round by round. */
type Rounds<Name extends string> = readonly Readonly<Record<Name, LoadResult>>[];

/**
 * Measures every server in each round, one after the other, every second round in the opposite order: other work of the
 * machine changes by the minute, and so affects all alike. A round before the first warms up and is dropped.
 */
export async function measureInTurns<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<LoadResult>>>,
  roundCount: number,
): Promise<Rounds<Name>> {
  const names = Object.keys(measures) as Name[];
  const rounds: Record<Name, LoadResult>[] = [];
  for (let round = 0; round <= roundCount; round++) {
    const results = {} as Record<Name, LoadResult>;
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name] = await measures[name]();
    rounds.push(results);
  }
  return rounds.slice(1);
}

export interface Comparison<Name extends string> extends Pick<BenchLine, 'what' | 'atMost' | 'atLeast'> {
  readonly one: Name;
  readonly other: Name;
  readonly figure: keyof LoadResult;
}

/** A line for how many times one server has the figure of another: the ratio of each round. */
export function compareRounds<Name extends string>(rounds: Rounds<Name>, comparison: Comparison<Name>): BenchLine {
  const { one, other, figure, ...wanted } = comparison;
  const figures = [one, other].map((name) => formatNumber(median(rounds.map((round) => round[name][figure]))));
  return {
    ...wanted,
    unit: 'x',
    reached: rounds.map((round) => round[one][figure] / round[other][figure]),
    note: `${figures.join(' against ')} ${figure === 'cpuMicroseconds' ? 'µs of the processor' : 'a second'}`,
  };
}
