import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadResult, LoadTask } from './load-client.ts';

/** A client in a process of its own. */
export interface LoadClient {
  run(task: LoadTask): Promise<LoadResult>;
  close(): void;
}

export async function openLoadClient(): Promise<LoadClient> {
  const child = fork(join(import.meta.dirname, 'load-client.ts'), { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return {
    run: async (task) => {
      child.send(task);
      const [result] = (await once(child, 'message')) as [LoadResult];
      return result;
    },
    close: () => child.kill(),
  };
}

export function writeRequest(target: string, key: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nAccept-Encoding: identity\r\n\r\n`;
}

/** The time within which 99 of 100 good answers came, of those that were there after `fromMs`. */
export function p99({ good }: LoadResult, fromMs = 0): number {
  const times = good.filter(([atMs]) => atMs >= fromMs).map(([, tookMs]) => tookMs);
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN;
}
