import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SERVED_FILES, type Manifest } from '../../../data/snapshot/format.ts';
import { hashContent, hashManifest } from '../../../data/store/manifest.ts';
import { damageBytes } from '../../support/damage-bytes.ts';
import type { Random } from '../../support/random.ts';

/** Something done to the files of a snapshot, and what takes it back. */
export interface Damage {
  /** What, where: enough to do it again. */
  readonly what: string;
  /** The names of files any of which may be what is reported. */
  readonly files: readonly string[];
  undo(): void;
}

type Writable<Shape> = Shape extends object ? { -readonly [Key in keyof Shape]: Writable<Shape[Key]> } : Shape;

/** Every file that a server reads of a snapshot. */
const READ_FILES = [...SERVED_FILES, 'manifest.json'] as const;

/** Lies that a build with a bug, or an attacker, could publish under the right hashes. */
const LIES: Readonly<Record<string, (manifest: Writable<Manifest>, random: Random) => void>> = {
  'more deals': (manifest, random) => (manifest.counts.deals += 1 + random.below(2 ** 40)),
  'fewer deals': (manifest) => (manifest.counts.deals = 0),
  'more products': (manifest, random) => (manifest.counts.products += 1 + random.below(2 ** 40)),
  'huge files': (manifest, random) => {
    manifest.files[random.pick(SERVED_FILES)].bytes = 2 ** 31 + random.below(2 ** 40);
  },
  'huge files of as many deals': (manifest) => {
    manifest.counts.deals = Number.MAX_SAFE_INTEGER;
    manifest.files['deals.ndjson'].bytes = Number.MAX_SAFE_INTEGER;
  },
  'another file by its hash': (manifest, random) => {
    const [one, other] = random.shuffled(SERVED_FILES);
    if (one !== undefined && other !== undefined) manifest.files[one].sha256 = manifest.files[other].sha256;
  },
};

/** Does one damage, drawn at random, to the snapshot in `folder`. It is real: the bytes are others than before. */
export function damageSnapshot(random: Random, folder: string, otherFolder: string): Damage {
  const file = join(folder, random.pick(READ_FILES));
  const way = random.pick(['spoil', 'spoil', 'spoil', 'spoil', 'missing', 'swap', 'other', 'lie']);
  if (way === 'spoil') return spoil(random, file);
  if (way === 'missing') return replace('missing', { [file]: undefined });
  if (way === 'lie') return lie(join(folder, 'manifest.json'), random);
  const other = way === 'other' ? join(otherFolder, basename(file)) : join(folder, random.pick(READ_FILES));
  const [own, others] = [readFileSync(file), readFileSync(other)];
  // Two snapshots share files.
  if (own.equals(others)) return damageSnapshot(random, folder, otherFolder);
  return replace(`${way} ${other}`, way === 'other' ? { [file]: others } : { [file]: others, [other]: own });
}

/** Spoils the bytes of one file. */
function spoil(random: Random, file: string): Damage {
  const before = readFileSync(file);
  const after = damageBytes(random, before);
  if (isSame(file, before, after)) return spoil(random, file);
  const at = before.findIndex((byte, i) => byte !== after[i]);
  return replace(`spoilt from byte ${at}`, { [file]: after });
}

/** Spoils `current.json`, or takes it away. */
export function damagePointer(random: Random, store: string): Damage {
  const file = join(store, 'current.json');
  return random.isLikely(0.1) ? replace('missing', { [file]: undefined }) : spoil(random, file);
}

function lie(file: string, random: Random): Damage {
  const before = readFileSync(file);
  const name = random.pick(Object.keys(LIES));
  writeLie(file, (manifest) => LIES[name]?.(manifest, random));
  // What a manifest claims of a file may be noticed at the file.
  return { what: `${file} tells of ${name}`, files: READ_FILES, undo: () => writeFileSync(file, before) };
}

/** Says something else in a manifest, under the hashes that go with it. */
export function writeLie(file: string, change: (manifest: Writable<Manifest>) => void): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Writable<Manifest>;
  change(manifest);
  manifest.contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
  manifest.manifestHash = hashManifest(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

/** Puts other bytes in place of files, or takes them away. */
function replace(what: string, files: Readonly<Record<string, Buffer | undefined>>): Damage {
  const before = Object.keys(files).map((path) => [path, readFileSync(path)] as const);
  for (const [path, bytes] of Object.entries(files)) {
    if (bytes === undefined) rmSync(path);
    else writeFileSync(path, bytes);
  }
  return {
    what: `${Object.keys(files).join(', ')}: ${what}`,
    files: Object.keys(files).map((path) => basename(path)),
    undo: () => before.forEach(([path, bytes]) => writeFileSync(path, bytes)),
  };
}

/** JSON that is spelled otherwise and says the same, such as one more line break at its end, is no damage. */
function isSame(file: string, before: Buffer, after: Buffer): boolean {
  if (before.equals(after)) return true;
  if (!/(?:manifest|current)\.json$/.test(file)) return false;
  try {
    return JSON.stringify(JSON.parse(before.toString())) === JSON.stringify(JSON.parse(after.toString()));
  } catch {
    return false;
  }
}
