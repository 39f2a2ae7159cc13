import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { compareCodeUnits } from '../../data/record/code-unit.ts';

/** `build` and `data`: all that makes records of a source and joins them to the catalogue. */
const CODE_FOLDERS = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../../data')];

let version: string | undefined;

/**
 * A hash of the code that is running: of its own files, of `package.json`, which names one version of each library, and
 * of the version of Node. A number that somebody must remember to raise would one day serve the work of old code.
 */
export function findCodeVersion(): string {
  version ??= hashCode();
  return version;
}

function hashCode(): string {
  const hash = createHash('sha256');
  hash.update(`${process.version} ${endianness()}\n`);
  hash.update(readFileSync(join(findPackageFolder(import.meta.dirname), 'package.json')));
  for (const folder of CODE_FOLDERS) {
    for (const name of listCode(folder)) {
      hash.update(`\n${name.split(sep).join('/')}\n`);
      hash.update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

function listCode(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .toSorted(compareCodeUnits);
}

function findPackageFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the program');
  return findPackageFolder(parent);
}
