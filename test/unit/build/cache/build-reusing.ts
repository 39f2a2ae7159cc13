import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runBuild } from '../../../../build/run.ts';
import type { Site } from '../run/write-sources.ts';

/** Builds, and says which feeds were not read again. */
export async function buildReusing(site: Site, now: Date, store = site.store) {
  const reused: string[] = [];
  const result = await runBuild({
    configPath: site.configPath,
    store,
    now,
    dryRun: false,
    accept: [],
    onProgress: (message) => {
      const name = message.endsWith(' is as it was') ? message.split(' ')[0] : undefined;
      if (name !== undefined) reused.push(name);
    },
  });
  return { result, reused };
}

/** Every file of a store, apart from what is kept for the next build, and how long the last one took. */
export function readStore(store: string): Record<string, string> {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !relative(store, path).startsWith('cache'))
      .sort()
      .map((path) => [
        relative(store, path),
        path.endsWith('last-build.json')
          ? readFileSync(path, 'utf8')
              .replace(/"seconds": ?[0-9.]+/, '')
              .replace(/[0-9.]+ s\b/g, '')
              .replaceAll(store, '')
          : readFileSync(path).toString('base64'),
      ]),
  );
}

export function editJson(site: Site, path: string, edit: (value: never) => void): void {
  const file = join(site.folder, path);
  const value = JSON.parse(readFileSync(file, 'utf8')) as never;
  edit(value);
  writeFileSync(file, JSON.stringify(value));
}
