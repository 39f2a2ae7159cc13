import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openInProcess } from '../in-process.ts';
import { readCaseOptions } from '../bench-data.ts';
import { stall } from '../read-response.ts';
import { line, quantile, reportLines, summarise } from '../report-lines.ts';
import { MEGABYTE, readMemory, serveStore, watchMemory } from '../server-process.ts';

/** Every deal of a hundred products in one answer: how soon it begins, what it costs, whom it keeps waiting. */
const { data, scale } = readCaseOptions();
const isFull = scale === 'full';
const ROUND_COUNT = isFull ? 7 : 2;
const STALLED_COUNT = isFull ? 1_000 : 20;
const LARGE = '/deals/v1/products/?limit=100&expand=products(deals)';
/** What others ask meanwhile. */
const SMALL = '/deals/v1/products/?limit=20&expand=products(cheapestDeal)';
const ASK_EVERY_MS = 4;
const KILOBYTE = 1_000;

const byteLength = Buffer.byteLength((await openInProcess(data.store('large'))).read(LARGE).body);
const server = await serveStore(data, 'large', { args: ['--public-url', 'http://127.0.0.1:8080'] });
const agent = new Agent({ keepAlive: true, maxSockets: 2 });
try {
  await readLarge();
  await readLarge();
  await sleep(1_000);
  const quiet = await askOthersWhile(sleep(isFull ? 3_000 : 200));
  const firstBytes: number[] = [];
  const meanwhile: number[] = [];
  const p99s: number[] = [];
  const extras: number[] = [];
  let seconds = 0;
  for (let round = 0; round < ROUND_COUNT; round++) {
    await sleep(500);
    const before = readMemory(server.pid, 'VmRSS');
    const memory = watchMemory(server.pid);
    const reading = readLarge();
    const times = await askOthersWhile(reading);
    const { firstByteMs, totalMs } = await reading;
    extras.push((memory.stop() - before) / MEGABYTE);
    firstBytes.push(firstByteMs);
    meanwhile.push(...times);
    p99s.push(quantile(times, 0.99));
    seconds = totalMs / 1_000;
  }
  const perReader = await measureStalled();
  const p99 = quantile(meanwhile, 0.99);
  const size = `${Math.round(byteLength / MEGABYTE)} MB`;
  reportLines([
    line(
      `an answer of ${size}, its first byte`,
      '< 100',
      'ms',
      summarise(firstBytes),
      `the whole in ${seconds.toFixed(2)} s, read in a process of its own`,
    ),
    line('the same, memory beyond what the server had', '< 30', 'MB', summarise(extras)),
    line(
      'the same, p99 of other requests meanwhile',
      '< 25',
      'ms',
      { ...summarise(p99s), median: p99 },
      `of ${meanwhile.length} requests, the spread that of the rounds; with nothing else to do ${quantile(quiet, 0.99).toFixed(1)} ms`,
    ),
    line(`${STALLED_COUNT} readers of it that take nothing, memory of each`, '< 64', 'kB', perReader, 'resident'),
  ]);
} finally {
  agent.destroy();
  await server.stop();
}

interface WholeRead {
  readonly status: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly byteCount: number;
}

async function readLarge(): Promise<WholeRead> {
  const reader = join(import.meta.dirname, '../read-whole.ts');
  const args = ['--import', 'tsx', reader, server.url + LARGE, data.key];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const read = JSON.parse(stdout) as WholeRead;
  if (read.status !== 200 || read.byteCount !== byteLength) {
    throw new Error(`expected ${byteLength} bytes, got ${read.byteCount} with status ${read.status}`);
  }
  return read;
}

/** Asks for something small again and again until `work` is done; the milliseconds of each. */
async function askOthersWhile(work: Promise<unknown>): Promise<readonly number[]> {
  const state = { isOver: false };
  const over = work.finally(() => (state.isOver = true));
  const times: number[] = [];
  while (!state.isOver) {
    times.push(await askSmall());
    await sleep(ASK_EVERY_MS);
  }
  await over;
  return times;
}

function askSmall(): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    get(server.url + SMALL, { agent, headers: { 'x-api-key': data.key } }, (response) => {
      response.resume();
      response.on('end', () => resolve(performance.now() - start));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Kilobytes that a client costs which reads nothing. */
async function measureStalled(): Promise<number> {
  await sleep(1_000);
  const before = readMemory(server.pid, 'VmRSS');
  const sockets: Socket[] = [];
  for (let i = 0; i < STALLED_COUNT; i++) {
    sockets.push(await stall(server.url, LARGE, data.key));
    if (i % 50 === 49) await sleep(20);
  }
  await sleep(isFull ? 3_000 : 300);
  // The server still answers, and every reader still waits.
  await askSmall();
  const open = sockets.filter((socket) => !socket.destroyed).length;
  const after = readMemory(server.pid, 'VmRSS');
  for (const socket of sockets) socket.destroy();
  if (open !== STALLED_COUNT) throw new Error(`expected ${STALLED_COUNT} stalled readers, got ${open}`);
  return (after - before) / STALLED_COUNT / KILOBYTE;
}
