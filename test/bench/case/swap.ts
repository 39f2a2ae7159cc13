import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openInProcess } from '../in-process.ts';
import { readCaseOptions } from '../bench-data.ts';
import { switchCurrent } from '../prepare-data.ts';
import { line, reportLines, summarise, type BenchLine } from '../report-lines.ts';
import { MEGABYTE, readMemory, serveStore, type Server } from '../server-process.ts';

/** A server under load takes up one snapshot after the other; every answer is compared with those of both. */
const { data, scale } = readCaseOptions();
const isFull = scale === 'full';
const SWAP_COUNT = isFull ? 6 : 2;
const CONNECTION_COUNT = 16;
const GRACE_SECONDS = isFull ? 2 : 1;
const MAX_SWAP_MS = 60_000;
/** How long the stalls without a new snapshot are looked at. */
const QUIET_MS = isFull ? 5_000 : 1_000;
/** Memory more than so much above the level before is not back at it. */
const MEMORY_TOLERANCE = 1.15;

const TARGETS = [
  '/deals/v1/products/?expand=products(cheapestDeal)&sort=products(total-cost-asc)',
  '/deals/v1/products/?expand=products(cheapestDeal,content)&limit=50',
  '/deals/v1/products/?filter[networks]=eq{northway}&filter[upfrontCost]=eq{0}&expand=products(cheapestDeal)',
  '/deals/v1/products/?filter[retailers]=eq{bramble-mobiles}&expand=products(cheapestDeal)&limit=100',
  '/deals/v1/products/?filter[retailers]=eq{bramble-mobiles}&expand=products(deals)&limit=5,deals(50)',
  '/deals/v1/products/?expand=products(deals)&limit=10,deals(20)&sort=deals(contract-price-asc)',
  '/deals/v1/gifts/',
];

/**
 * Runs inside the server beside its own code. On SIGUSR2 it prints how long the event loop attended to nothing else, at
 * most, since the last time.
 */
const PROBE = `
import { monitorEventLoopDelay } from 'node:perf_hooks';
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(JSON.stringify({ stallMs: delay.max / 1e6 }) + '\\n');
  delay.reset();
});
`;

const store = data.store('1m');
const stalls: number[] = [];
let heardStall: (() => void) | undefined;
const server = await serveStore(data, '1m', {
  nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(PROBE)}`],
  args: ['--grace', `${GRACE_SECONDS}s`],
  stderr: 'pipe',
});
createInterface({ input: server.process.stderr as NodeJS.ReadableStream }).on('line', (text) => {
  if (!text.startsWith('{"stallMs"')) return;
  stalls.push((JSON.parse(text) as { readonly stallMs: number }).stallMs);
  heardStall?.();
});
const currentOf = (id: string): string => `${JSON.stringify({ snapshot: id })}\n`;
const [first, second] = await listSnapshots();
let failureCount = 0;
let mixedCount = 0;
let answerCount = 0;
try {
  const expected = await hashAnswers(server);
  let isOver = false;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTION_COUNT });
  const askers = Array.from({ length: CONNECTION_COUNT }, (_, i) => askUntil(() => isOver, agent, expected, i));
  // Once to and fro before anything counts, so that code is compiled and both caches have been full.
  await swapTo(second);
  await swapTo(first);
  const before = readMemory(server.pid, 'VmRSS');
  await askStall(server);
  await sleep(QUIET_MS);
  const quietMs = await askStall(server);
  const swapStalls: number[] = [];
  for (let i = 0; i < SWAP_COUNT; i++) {
    await swapTo(i % 2 === 0 ? second : first);
    swapStalls.push(await askStall(server));
  }
  isOver = true;
  await Promise.all(askers);
  agent.destroy();
  await sleep(GRACE_SECONDS * 1_000 + 2_000);
  const after = readMemory(server.pid, 'VmRSS');
  const longest = summarise(swapStalls);
  reportLines([
    countLine(
      'requests that failed while 1M deals were taken up',
      failureCount,
      `of ${answerCount}, ${SWAP_COUNT + 2} times`,
    ),
    countLine(
      'answers that were not those of their snapshot',
      mixedCount,
      'each compared with the answer of its X-Snapshot',
    ),
    line(
      'longest stall of the event loop while 1M deals are taken up',
      '< 25',
      'ms',
      { ...longest, median: longest.highest },
      `the longest of ${SWAP_COUNT}, their median ${longest.median.toFixed(1)} ms; without a new snapshot ${quietMs.toFixed(1)} ms`,
    ),
    line(
      'memory afterwards, against the level before',
      `<= ${MEMORY_TOLERANCE}`,
      'x',
      after / before,
      `${Math.round(before / MEGABYTE)} MB and ${Math.round(after / MEGABYTE)} MB, resident, after ${SWAP_COUNT} more snapshots`,
    ),
  ]);
} finally {
  await server.stop();
  await switchCurrent(store, currentOf(first));
}

async function listSnapshots(): Promise<readonly [string, string]> {
  const { snapshot: current } = JSON.parse(await readFile(join(store, 'current.json'), 'utf8')) as { snapshot: string };
  const others = (await readdir(store)).filter((name) => /^[0-9]{8}T/.test(name) && name !== current).sort();
  const other = others.at(-1);
  if (other === undefined) throw new Error(`${store}: expected a second snapshot`);
  return [current, other];
}

/** By snapshot, then by target: the hash of the answer, made without a server. */
async function hashAnswers({ url }: Server): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const hashes = new Map<string, ReadonlyMap<string, string>>();
  for (const id of [first, second]) {
    await switchCurrent(store, currentOf(id));
    const { read } = await openInProcess(store, url);
    hashes.set(id, new Map(TARGETS.map((target) => [target, hashOf(read(target).body)])));
  }
  await switchCurrent(store, currentOf(first));
  const differing = TARGETS.filter((target) => hashes.get(first)?.get(target) !== hashes.get(second)?.get(target));
  if (differing.length === 0) throw new Error('expected two snapshots with other answers');
  return hashes;
}

/** Publishes a snapshot, and waits until it is answered from and the one before it is past its grace. */
async function swapTo(id: string): Promise<void> {
  await switchCurrent(store, currentOf(id));
  for (const start = performance.now(); ; await sleep(50)) {
    const { snapshotId } = await ask(TARGETS[0] as string);
    if (snapshotId === id) break;
    if (performance.now() - start > MAX_SWAP_MS) throw new Error(`expected ${id} within ${MAX_SWAP_MS} ms`);
  }
  await sleep(GRACE_SECONDS * 1_000 + 1_500);
}

async function askUntil(
  isOver: () => boolean,
  agent: Agent,
  expected: ReadonlyMap<string, ReadonlyMap<string, string>>,
  first: number,
): Promise<void> {
  for (let i = first; !isOver(); i++) {
    const target = TARGETS[i % TARGETS.length] as string;
    answerCount++;
    try {
      const { status, snapshotId, hash } = await ask(target, agent);
      if (status !== 200) failureCount++;
      else if (expected.get(snapshotId)?.get(target) !== hash) mixedCount++;
    } catch {
      failureCount++;
    }
    // Load, and not a race for the processor that the server needs.
    await sleep(2);
  }
}

interface Asked {
  readonly status: number;
  readonly snapshotId: string;
  readonly hash: string;
}

function ask(target: string, agent?: Agent): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': data.key };
    const sent = request(server.url + target, { headers, ...(agent === undefined ? {} : { agent }) }, (response) => {
      const hash = createHash('sha256');
      response.on('data', (chunk: Buffer) => hash.update(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          snapshotId: String(response.headers['x-snapshot']),
          hash: hash.digest('hex'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The longest stall since this was last asked. */
async function askStall({ process: child }: Server): Promise<number> {
  const heard = new Promise<void>((resolve) => (heardStall = resolve));
  child.kill('SIGUSR2');
  await Promise.race([heard, once(child, 'exit')]);
  const stall = stalls.at(-1);
  if (stall === undefined) throw new Error('expected the probe to answer');
  return stall;
}

function countLine(what: string, count: number, note: string): BenchLine {
  return { ...line(what, 'shown', '', count, note), target: '0', isMet: count === 0 };
}
