import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { receive } from '../../support/receive.ts';
import { readMemory } from '../processes.ts';
import type { BenchLine } from '../table.ts';

const MEGABYTE = 1_000_000;

/** From starting the process to the whole of its first answer; and what a server holds when its cache is full. */
export async function measureMemory(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  const starts: number[] = [];
  for (let i = 0; i < (isFull ? 5 : 1); i++) {
    const start = performance.now();
    const server = await bench.serve();
    const { status } = await receive(server.url, '/deals/v1/products/?expand=products(cheapestDeal)', headers);
    if (status !== 200) throw new Error(`expected 200, got ${status}`);
    starts.push((performance.now() - start) / 1_000);
    await server.stop();
  }
  const server = await bench.serve();
  const atStart = readMemory(server.pid, 'VmRSS') / MEGABYTE;
  // Several times what the cache holds, each page below the largest answer that is kept.
  let wantedBytes = (isFull ? 64 : 1) * MEGABYTE;
  for (let page = 0; wantedBytes > 0; page++) {
    const words = ['content,cheapestDeal', 'specs,cheapestDeal', 'content,specs,images'][page % 3] as string;
    const target = `/deals/v1/products/?expand=products(${words})&limit=${20 + (page % 60)}${'&'.repeat(page)}`;
    const { body } = await receive(server.url, target, headers);
    wantedBytes -= body.byteLength;
  }
  await sleep(isFull ? 5_000 : 200);
  const settled = readMemory(server.pid, 'VmRSS') / MEGABYTE;
  const note = `resident; after the start ${Math.round(atStart)} MB`;
  return [
    { what: 'start to the first answer, 1M deals', atMost: 1.3, unit: 's', reached: starts },
    { what: 'serve, 1M deals, cache full', atMost: 240, unit: 'MB', reached: [settled], note },
  ];
}
