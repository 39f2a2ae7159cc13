import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** `small` runs everything in seconds, to see that it runs; its figures mean nothing. */
export const SCALES = ['full', 'small'] as const;

export type Scale = (typeof SCALES)[number];

export function isScale(text: string): text is Scale {
  return (SCALES as readonly string[]).includes(text);
}

/** Published catalogues by their number of deals; `large` has 2,000 deals for each of 100 products. */
export type StoreName = '20k' | '120k' | '1m' | '5m' | 'large' | 'awin';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../..');

/** The compiled command. */
export const DEALS = join(ROOT, 'dist/js/cli/main.js');

/** The data of a bench, by the folder in which it lies. */
export interface BenchData {
  readonly folder: string;
  /** The sources of a catalogue, with its `catalogue.json`. */
  sources(name: string): string;
  /** A store with a current snapshot; that of `1m` holds a second one, with one feed changed. */
  store(name: StoreName): string;
  readonly keysFile: string;
  /** A usable key. */
  readonly key: string;
}

export function openBenchData(folder: string): BenchData {
  return {
    folder,
    sources: (name) => join(folder, `src-${name}`),
    store: (name) => join(folder, `store-${name}`),
    keysFile: join(folder, 'keys.json'),
    get key() {
      return readFileSync(join(folder, 'key.txt'), 'utf8').trim();
    },
  };
}

/** What the runner tells a case: `--data <folder> --scale <scale>`. */
export function readCaseOptions(): { readonly data: BenchData; readonly scale: Scale } {
  const { values } = parseArgs({ options: { data: { type: 'string' }, scale: { type: 'string', default: 'full' } } });
  if (values.data === undefined || !isScale(values.scale))
    throw new RangeError('expected --data <folder> --scale full');
  return { data: openBenchData(values.data), scale: values.scale };
}
