import { readCaseOptions, type StoreName } from '../bench-data.ts';
import { line, reportLines, summarise, type BenchLine } from '../report-lines.ts';
import { serveStore } from '../server-process.ts';

/** From starting the process to the whole of its first answer, files in the page cache. */
const { data, scale } = readCaseOptions();
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)&sort=products(total-cost-asc)';

reportLines([
  await measureStart('1m', '1M', 0.7, scale === 'full' ? 7 : 2),
  await measureStart('5m', '5M', 4, scale === 'full' ? 5 : 2),
]);

async function measureStart(name: StoreName, size: string, limitSeconds: number, runCount: number): Promise<BenchLine> {
  await startOnce(name);
  const times: number[] = [];
  for (let i = 0; i < runCount; i++) times.push(await startOnce(name));
  return line(`start to the first answer, ${size} deals`, `< ${limitSeconds}`, 's', summarise(times));
}

async function startOnce(name: StoreName): Promise<number> {
  const start = performance.now();
  const server = await serveStore(data, name);
  try {
    const response = await fetch(server.url + TARGET, { headers: { 'x-api-key': data.key } });
    const body = (await response.json()) as { readonly products: readonly unknown[] };
    if (response.status !== 200 || body.products.length !== 20)
      throw new Error(`expected 20 products, got ${response.status}`);
    return (performance.now() - start) / 1_000;
  } finally {
    await server.stop();
  }
}
