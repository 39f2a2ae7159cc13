import { Agent, get } from 'node:http';
import type { Load, LoadResult } from './load-result.ts';

/** How long an answer may take before it is given up: as long as wrk is told to wait. */
const TIMEOUT_MS = 10_000;

/**
 * The client for machines without wrk: `tsx own-client.ts '<load as JSON>'` prints what the server bore. Connections are
 * kept; each asks again when it has its answer whole. Answers under way when the time is up are not counted, as by wrk.
 */
async function runLoad({ url, targets, headers = {}, connections, seconds }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const timesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let turn = 0;
  let failures = 0;
  const askAgain = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const askedAt = performance.now();
      const status = await ask(url + targets[turn++ % targets.length], headers, agent);
      const answeredAt = performance.now();
      if (answeredAt > endsAt) return;
      if (status === undefined || status >= 400) failures++;
      if (status !== undefined) timesMs.push(answeredAt - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, askAgain));
  agent.destroy();
  timesMs.sort((a, b) => a - b);
  return {
    requestsPerSecond: timesMs.length / seconds,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    failures,
  };
}

/** The status of an answer that was read to its end; nothing when the connection broke or no answer came. */
function ask(url: string, headers: Readonly<Record<string, string>>, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { headers, agent, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
      response.on('error', () => resolve(undefined));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

process.stdout.write(JSON.stringify(await runLoad(JSON.parse(process.argv[2] ?? '') as Load)));
