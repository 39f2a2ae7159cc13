import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBuild } from '../../build/run.ts';
import { addKey } from '../../server/keys/key-file.ts';
import { startServer, type StartOptions } from '../../server/start.ts';

/** The time of the build, and that of the server: ages in pages are the same on every day. */
const BUILT_AT = new Date('2026-12-01T02:30:00Z');
const SERVED_AT = new Date('2026-12-01T08:00:00Z');

const SAMPLE = join(import.meta.dirname, '../../data/sample/catalogue.json');

/** The rendered pictures of the sample, for the next run: rendering them takes as long as all the rest. */
const KEPT_PICTURES = join(import.meta.dirname, '../../dist/sample-pictures');

/** The sample, built and served with its pictures. */
export interface SampleServer {
  readonly url: string;
  readonly store: string;
  readonly keysFile: string;
  readonly key: string;
  close(): Promise<void>;
}

/** Builds the sample into a store of its own and serves it; some seconds, the first time more. */
export async function serveSample(options: Partial<StartOptions> = {}): Promise<SampleServer> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-page-'));
  const store = join(folder, 'store');
  const keysFile = join(folder, 'keys.json');
  const { keyText: key } = await addKey(keysFile, { name: 'reader' }, BUILT_AT);
  copyPictures(KEPT_PICTURES, join(store, 'images'));
  const { outcome } = await runBuild({ configPath: SAMPLE, store, now: BUILT_AT, dryRun: false, accept: [] });
  if (outcome !== 'published') throw new Error(`the sample: expected to be published, was ${outcome}`);
  copyPictures(join(store, 'images'), KEPT_PICTURES);
  const server = await startServer({
    store,
    keysFile,
    host: '127.0.0.1',
    port: 0,
    now: () => SERVED_AT,
    ...options,
  });
  return {
    url: server.url,
    store,
    keysFile,
    key,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
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
