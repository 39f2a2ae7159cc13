import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { runBuild } from '../../build/run.ts';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer, type RunningServer, type StartOptions } from '../../server/start.ts';

/** The time of the build, and that of the server: ages in pages are the same on every day. */
const BUILT_AT = new Date('2026-12-01T02:30:00Z');
const SERVED_AT = new Date('2026-12-01T08:00:00Z');

const SAMPLE = join(import.meta.dirname, '../../data/sample/catalogue.json');

/** The rendered pictures of the sample, for the next run: rendering them takes as long as all the rest. */
const KEPT_PICTURES = join(import.meta.dirname, '../../dist/sample-pictures');

/** The sample, built and served with its pictures. */
interface SampleServer {
  readonly url: string;
  readonly keysFile: string;
  readonly key: string;
}

/** The sample for the tests of a describe block or a file: there once they begin. */
export function useSample(options: Partial<StartOptions> = {}): SampleServer {
  const folder = mkdtempSync(join(tmpdir(), 'deals-page-'));
  const store = join(folder, 'store');
  const keysFile = join(folder, 'keys.json');
  const sample = { url: '', keysFile, key: '' };
  let server: RunningServer | undefined;
  beforeAll(async () => {
    sample.key = (await addKey(keysFile, { name: 'reader' }, BUILT_AT)).keyText;
    copyPictures(KEPT_PICTURES, join(store, 'images'));
    const { outcome } = await runBuild({ configPath: SAMPLE, store, now: BUILT_AT, dryRun: false, accept: [] });
    if (outcome !== 'published') throw new Error(`the sample: expected to be published, was ${outcome}`);
    copyPictures(join(store, 'images'), KEPT_PICTURES);
    server = await startServer({ store, keysFile, host: '127.0.0.1', port: 0, now: () => SERVED_AT, ...options });
    sample.url = server.url;
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });
  return sample;
}

/**
 * Copies the pictures that are missing, each original's folder at once: other tests may do the same. A build renders
 * again what is not as its folder says, and what another recipe made has another name.
 */
function copyPictures(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    if (existsSync(join(to, name)) || name.startsWith('.')) continue;
    const copy = mkdtempSync(join(to, '.copy-'));
    cpSync(join(from, name), copy, { recursive: true });
    try {
      renameSync(copy, join(to, name));
    } catch {
      // Another test was quicker.
      rmSync(copy, { recursive: true });
    }
  }
}

/** The sample has one build, and so no price but that of its day: these are the total costs of other days, or none. */
const PRICES = { '2026-08-01': 743.76, '2026-08-20': 660, '2026-09-02': 0, '2026-09-09': 696, '2026-11-27': 1_104 };
const PRICE_HISTORY = {
  since: '2026-08-01',
  points: Object.entries(PRICES).map(([date, total]) => {
    const costs = { totalContractCost: total, monthlyContractPrice: (total - 24) / 24, upfrontProductCost: 24 };
    return total === 0 ? { date, dealCount: 0 } : { date, ...costs, dealCount: 41 };
  }),
  lowest: { date: '2026-08-20', totalContractCost: 660 },
};

/** Lets a phone have prices of several days. */
export async function addPriceHistory(page: Page): Promise<void> {
  await page.route('**/deals/v1/products/110/**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { readonly products: readonly object[] };
    const products = body.products.map((product) => ({ ...product, priceHistory: PRICE_HISTORY }));
    await route.fulfill({ response, json: { ...body, products } });
  });
}
