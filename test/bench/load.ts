import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readResponse } from './read-response.ts';
import { line, summarise, type BenchLine, type Summary } from './report-lines.ts';
import { readCpuMicroseconds, type Server } from './server-process.ts';

/** Requests to send. */
export interface Load {
  /** Path and query of each request, one after the other, again and again. */
  readonly targets: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Each sends its next request when it has the response. */
  readonly connections: number;
  readonly seconds: number;
}

/** What a server did in one round of load. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server, user and system, for each request. */
  readonly cpuMicroseconds: number;
  /** Responses with a status of 400 or more, and connections that broke or got no response. */
  readonly failures: number;
}

/**
 * Loads a server with wrk in one thread: the server has the other core.
 *
 * @throws {Error} without wrk (package `wrk` of Debian, formula `wrk` of Homebrew)
 */
export async function measureLoad({ url, pid }: Pick<Server, 'url' | 'pid'>, load: Load): Promise<LoadResult> {
  const { targets, headers = {}, connections, seconds } = load;
  const folder = await mkdtemp(join(tmpdir(), 'deals-wrk-'));
  try {
    const script = join(folder, 'targets.lua');
    await writeFile(script, formatScript(targets));
    const duration = `${Math.ceil(seconds)}s`;
    const args = ['--threads', '1', '--connections', String(connections), '--duration', duration, '--timeout', '10s'];
    for (const [name, value] of Object.entries(headers)) args.push('--header', `${name}: ${value}`);
    const cpuBefore = readCpuMicroseconds(pid);
    const { stdout } = await promisify(execFile)('wrk', [...args, '--latency', '--script', script, url]).catch(explain);
    const result = parseWrkOutput(stdout);
    const { requestCount } = result;
    return { ...result, cpuMicroseconds: (readCpuMicroseconds(pid) - cpuBefore) / Math.max(1, requestCount) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function explain(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new Error('wrk is not installed: install the package wrk', { cause: error }) : error;
}

/** The requests are formatted once, before the clock runs. */
function formatScript(targets: readonly string[]): string {
  return `local targets = { ${targets.map((target) => JSON.stringify(target)).join(', ')} }
local requests = {}
local turn = 0
function init()
  for i, target in ipairs(targets) do requests[i] = wrk.format("GET", target) end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`;
}

/** Sends one request, for a server so slow that a round of load would hold none. */
export async function measureOne({ url, pid }: Pick<Server, 'url' | 'pid'>, load: Load): Promise<LoadResult> {
  const startedAt = performance.now();
  const cpuBefore = readCpuMicroseconds(pid);
  const { status } = await readResponse(url + load.targets[0], load.headers);
  const tookMs = performance.now() - startedAt;
  return {
    requestsPerSecond: 1000 / tookMs,
    p50Ms: tookMs,
    p99Ms: tookMs,
    cpuMicroseconds: readCpuMicroseconds(pid) - cpuBefore,
    failures: status < 400 ? 0 : 1,
  };
}

const MS_OF_UNIT: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads what `wrk --latency` prints. wrk counts a status below 400 as a response, 304 included; it does not count
 * responses under way when the time is up.
 *
 * @throws {Error} when a figure is missing
 */
export function parseWrkOutput(text: string): Omit<LoadResult, 'cpuMicroseconds'> & { readonly requestCount: number } {
  const find = (pattern: RegExp, what: string): readonly string[] => {
    const found = pattern.exec(text);
    if (found === null) throw new Error(`wrk: expected ${what}, got ${JSON.stringify(text.slice(0, 400))}`);
    return found.slice(1);
  };
  const percentile = (share: number): number => {
    const [amount, unit = ''] = find(new RegExp(`^\\s+${share}%\\s+([\\d.]+)(us|ms|s|m|h)\\s*$`, 'm'), `the ${share}%`);
    return Number(amount) * (MS_OF_UNIT[unit] as number);
  };
  const errors = /^\s*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$/m.exec(text) ?? [];
  const refusals = /^\s*Non-2xx or 3xx responses: (\d+)$/m.exec(text)?.[1] ?? 0;
  return {
    requestCount: Number(find(/^\s+(\d+) requests in /m, 'requests')[0]),
    requestsPerSecond: Number(find(/^Requests\/sec:\s+([\d.]+)$/m, 'requests a second')[0]),
    p50Ms: percentile(50),
    p99Ms: percentile(99),
    failures: [refusals, ...errors.slice(1)].reduce<number>((sum, count) => sum + Number(count), 0),
  };
}

/** The results of each server, round by round. */
export type Rounds<Name extends string> = readonly Readonly<Record<Name, LoadResult>>[];

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

export interface Comparison<Name extends string> {
  readonly what: string;
  readonly one: Name;
  readonly other: Name;
  readonly target?: string;
  /** `cpuMicroseconds` compares the processor time of a request, `requestsPerSecond` the throughput. */
  readonly figure?: 'requestsPerSecond' | 'cpuMicroseconds';
  readonly note?: string;
}

/** A line for how many times one server has the figure of another: the ratio of each round. Not met if a request failed. */
export function compareRounds<Name extends string>(rounds: Rounds<Name>, comparison: Comparison<Name>): BenchLine {
  const { what, one, other, target = 'shown', figure = 'requestsPerSecond', note } = comparison;
  const ratios = rounds.map((round) => round[one][figure] / round[other][figure]);
  if (!ratios.every(Number.isFinite)) throw new RangeError(`${other}: expected a response in every round`);
  const failures = rounds.reduce((sum, round) => sum + round[one].failures + round[other].failures, 0);
  const medians = [one, other].map((name) => formatFigure(medianOf(rounds, name, figure)));
  const unit = figure === 'requestsPerSecond' ? 'a second' : 'µs of the processor';
  const notes = [`${medians.join(' against ')} ${unit}`, ...(note === undefined ? [] : [note])];
  if (failures > 0) notes.push(`${failures} requests failed`);
  const compared: BenchLine = line(what, target, 'x', summarise(ratios) satisfies Summary, notes.join('; '));
  return { ...compared, isMet: compared.isMet && failures === 0 };
}

function medianOf<Name extends string>(rounds: Rounds<Name>, name: Name, figure: keyof LoadResult): number {
  return summarise(rounds.map((round) => round[name][figure])).median;
}

function formatFigure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(2);
}
