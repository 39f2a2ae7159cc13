import { setTimeout as sleep } from 'node:timers/promises';
import { readCaseOptions } from '../bench-data.ts';
import { line, reportLines } from '../report-lines.ts';
import { MEGABYTE, readMemory, runDeals, serveStore } from '../server-process.ts';

/** What a server of a million deals holds when its cache of answers is full, and what a deal takes in columns. */
const { data, scale } = readCaseOptions();
const isFull = scale === 'full';
/** Twice what the cache of answers may hold by default. */
const BYTES_TO_ASK = isFull ? 64 * MEGABYTE : MEGABYTE;
const SETTLE_MS = isFull ? 5_000 : 200;

const server = await serveStore(data, '1m');
let atStart: number;
let settled: number;
let peak: number;
let answered: number;
try {
  atStart = readMemory(server.pid, 'VmRSS');
  answered = await fillCache();
  await sleep(SETTLE_MS);
  settled = readMemory(server.pid, 'VmRSS');
  peak = readMemory(server.pid, 'VmHWM');
} finally {
  await server.stop();
}

const { stdout } = await runDeals(['inspect', '--json', '--store', data.store('1m')]);
const { files } = JSON.parse(stdout) as {
  readonly files: readonly { file: string; keys: readonly { memoryBytes?: number; entries?: number; key: string }[] }[];
};
const columns = files.find(({ file }) => file === 'deals.ndjson')?.keys ?? [];
const dealCount = columns.find(({ key }) => key === 'rank')?.entries ?? 0;
const columnBytes = columns.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, 0);
if (dealCount === 0) throw new Error('expected rows in deals.ndjson');
const perDeal = columnBytes / dealCount;
reportLines([
  line(
    'memory of serve with 1M deals and a full response cache',
    '< 200',
    'MB',
    { median: settled / MEGABYTE, lowest: atStart / MEGABYTE, highest: peak / MEGABYTE },
    `resident; ${Math.round(answered / MEGABYTE)} MB of responses requested; least is after the start, most the peak of the process`,
  ),
  line('columns of a deal', '< 64', 'bytes', perDeal, 'deals inspect'),
]);

/** Asks for ever other pages, each below the largest answer that is kept, a few at a time. */
async function fillCache(): Promise<number> {
  const expansions = ['content,cheapestDeal', 'specs,cheapestDeal', 'content,specs,images', 'images,meta-data'];
  const orders = ['total-cost-asc', 'upfront-cost-asc', 'contract-price-asc', 'name-desc'];
  const limits = Array.from({ length: 60 }, (_, i) => 20 + i);
  const targets = limits.flatMap((limit) =>
    expansions.flatMap((words) =>
      orders.map((order) => `/deals/v1/products/?expand=products(${words})&sort=products(${order})&limit=${limit}`),
    ),
  );
  let byteCount = 0;
  let next = 0;
  const ask = async (): Promise<void> => {
    while (byteCount < BYTES_TO_ASK && next < targets.length) {
      const response = await fetch(server.url + (targets[next++] as string), {
        headers: { 'x-api-key': data.key, 'accept-encoding': 'identity' },
      });
      if (response.status !== 200) throw new Error(`expected 200, got ${response.status}`);
      byteCount += (await response.arrayBuffer()).byteLength;
    }
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  return byteCount;
}
