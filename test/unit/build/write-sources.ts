import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfig, type BuildConfig } from '../../../build/config/config.ts';

/** Files by their path in the folder of the configuration. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Writes files and a configuration that reads them into a folder of their own, and checks the configuration. */
export async function writeSources(files: Files, config: object): Promise<BuildConfig> {
  const folder = await mkdtemp(join(tmpdir(), 'deals-sources-'));
  for (const [path, content] of Object.entries({ ...files, 'catalogue.json': JSON.stringify(config) })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return readConfig(join(folder, 'catalogue.json'));
}
