import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalContent, canonicalManifest, SERVED_FILES, type Manifest } from '../../../data/snapshot/format.ts';
import type { Random } from '../../support/random.ts';

/** Something done to the files of a snapshot, and what takes it back. */
export interface Damage {
  /** What, where: enough to do it again. */
  readonly what: string;
  /** Any of these may be what is reported. */
  readonly files: readonly string[];
  undo(): void;
}

type Writable<Shape> = Shape extends object ? { -readonly [Key in keyof Shape]: Writable<Shape[Key]> } : Shape;

/** Every file that a server reads of a snapshot. */
const READ_FILES = [...SERVED_FILES, 'manifest.json'] as const;

/** Ways to spoil the bytes of one file. Undefined where it cannot be done to these. */
const SPOILS: Readonly<Record<string, (bytes: Buffer, random: Random) => Buffer | undefined>> = {
  'flips a bit': (bytes, random) => {
    if (bytes.length === 0) return undefined;
    const spoilt = Buffer.from(bytes);
    const at = random.below(bytes.length);
    spoilt[at] = (spoilt[at] as number) ^ (1 << random.below(8));
    return spoilt;
  },
  'cuts short': (bytes, random) => (bytes.length === 0 ? undefined : bytes.subarray(0, random.below(bytes.length))),
  appends: (bytes, random) => Buffer.concat([bytes, drawBytes(random, 1 + random.below(5_000))]),
  'zeroes a block of': (bytes, random) => {
    if (bytes.length === 0) return undefined;
    const at = random.below(bytes.length);
    return Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + 1 + random.below(4_096)));
  },
  'repeats a block of': (bytes, random) => {
    if (bytes.length === 0) return undefined;
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(random.below(at + 1))]);
  },
  'fills with noise': (bytes, random) => (bytes.length === 0 ? undefined : drawBytes(random, bytes.length)),
};

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
    const [one, other] = random.shuffled(SERVED_FILES) as [
      (typeof SERVED_FILES)[number],
      (typeof SERVED_FILES)[number],
    ];
    manifest.files[one].sha256 = manifest.files[other].sha256;
  },
};

/** Does one damage, drawn at random, to the snapshot `id`. It is real: the bytes are others than before. */
export function damageSnapshot(random: Random, store: string, id: string, otherId: string): Damage {
  for (;;) {
    const damage = drawDamage(random, store, id, otherId);
    if (damage !== undefined) return damage;
  }
}

function drawDamage(random: Random, store: string, id: string, otherId: string): Damage | undefined {
  const folder = join(store, id);
  // Bits most of all: a file with one wrong bit must be found by a hash, the rest shows in other ways too.
  switch (random.pick(['bit', 'bit', 'bit', 'bit', 'spoil', 'spoil', 'spoil', 'missing', 'swap', 'other', 'lie'])) {
    case 'bit':
      return spoil(random, join(folder, random.pick(READ_FILES)), 'flips a bit');
    case 'spoil':
      return spoil(random, join(folder, random.pick(READ_FILES)), random.pick(Object.keys(SPOILS)));
    case 'missing':
      return remove(join(folder, random.pick(READ_FILES)));
    case 'swap': {
      const [one = '', other = ''] = random.shuffled(READ_FILES).map((name) => join(folder, name));
      return swap(one, other);
    }
    case 'other': {
      const name = random.pick(READ_FILES);
      return replace(
        `puts ${name} of another snapshot in place`,
        join(folder, name),
        readFileSync(join(store, otherId, name)),
      );
    }
    default:
      return lie(join(folder, 'manifest.json'), random);
  }
}

/** Spoils `current.json` so that it no longer names the snapshot that it named. */
export function damagePointer(random: Random, store: string): Damage {
  const file = join(store, 'current.json');
  for (;;) {
    const damage = random.isLikely(0.1) ? remove(file) : spoil(random, file, random.pick(Object.keys(SPOILS)));
    if (damage !== undefined) return damage;
  }
}

/** Flips one bit of a file; of an empty file it appends bytes. */
export function flipBit(random: Random, file: string): Damage {
  const damage = spoil(random, file, 'flips a bit') ?? spoil(random, file, 'appends');
  if (damage === undefined) throw new Error(`${file}: expected a file that can be damaged`);
  return damage;
}

/** Says something else in a manifest, under the hashes that go with it. */
export function writeLie(file: string, change: (manifest: Writable<Manifest>) => void): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Writable<Manifest>;
  change(manifest);
  manifest.contentHash = hashText(canonicalContent(SERVED_FILES, manifest.files, manifest.imagesBaseUrl));
  manifest.manifestHash = hashText(canonicalManifest(manifest));
  writeFileSync(file, JSON.stringify(manifest));
}

function lie(file: string, random: Random): Damage {
  const before = readFileSync(file);
  const name = random.pick(Object.keys(LIES));
  writeLie(file, (manifest) => LIES[name]?.(manifest, random));
  // What a manifest claims of a file may be noticed at the file.
  const files = READ_FILES.map((served) => join(file, '..', served));
  return { what: `${file} tells of ${name}`, files, undo: () => writeFileSync(file, before) };
}

function spoil(random: Random, file: string, how: string): Damage | undefined {
  const bytes = SPOILS[how]?.(readFileSync(file), random);
  return bytes === undefined ? undefined : replace(`${how} ${file}`, file, bytes);
}

function replace(what: string, file: string, bytes: Buffer): Damage | undefined {
  const before = readFileSync(file);
  if (isSame(file, before, bytes)) return undefined;
  writeFileSync(file, bytes);
  const at = before.findIndex((byte, i) => byte !== bytes[i]);
  return { what: `${what}, from byte ${at}`, files: [file], undo: () => writeFileSync(file, before) };
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

function remove(file: string): Damage {
  renameSync(file, `${file}.away`);
  return { what: `removes ${file}`, files: [file], undo: () => renameSync(`${file}.away`, file) };
}

function swap(one: string, other: string): Damage | undefined {
  const [first, second] = [readFileSync(one), readFileSync(other)];
  if (first.equals(second)) return undefined;
  writeFileSync(one, second);
  writeFileSync(other, first);
  return {
    what: `swaps ${one} and ${other}`,
    files: [one, other],
    undo: () => {
      writeFileSync(one, first);
      writeFileSync(other, second);
    },
  };
}

function drawBytes(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.below(256)));
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
