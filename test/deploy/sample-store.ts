import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBuild } from '../../build/run.ts';

export const SAMPLE_FOLDER = fileURLToPath(new URL('../../data/sample', import.meta.url));

/** The sample, to be built without its pictures, which take longer than all the rest. */
function copySample(folder: string): string {
  cpSync(SAMPLE_FOLDER, folder, { recursive: true });
  const file = join(folder, 'catalogue.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...config, store: 'store', images: { render: false } }));
  return file;
}

/** A published sample: its 1,689 deals on one page are an answer that is written as it is read. */
export async function buildSample(): Promise<{ readonly store: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-deploy-'));
  const configPath = copySample(join(folder, 'source'));
  const store = join(folder, 'store');
  const { outcome } = await runBuild({ configPath, store, now: new Date(), dryRun: false, accept: [] });
  if (outcome !== 'published') throw new Error(`the sample was ${outcome}`);
  return { store, remove: () => rmSync(folder, { recursive: true }) };
}
