import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join, sep } from 'node:path';
import { compareCodeUnits } from '../../data/record/id.ts';
import { findPackageRoot } from '../../data/store/regular-file.ts';
import type { BuildConfig } from '../config/config.ts';
import { withoutTexts } from '../records/catalogue.ts';
import type { ExcludeRules } from '../records/exclude.ts';
import type { JoinedRecords } from '../records/join-records.ts';

/** `build` and `data`: all code that reads records and joins them. */
const CODE_FOLDERS = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../../data')];

let fingerprint: string | undefined;

/**
 * A hash of the code that is running: of its own files, of `package.json`, which names one version of each library, and
 * of the version of Node. A version number that has to be raised by hand would one day be forgotten, and results of old code be served.
 */
export function findCodeFingerprint(): string {
  fingerprint ??= hashCode();
  return fingerprint;
}

function hashCode(): string {
  const hash = createHash('sha256');
  hash.update(`${process.version} ${endianness()}\n`);
  hash.update(readFileSync(join(findPackageRoot(), 'package.json')));
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

/**
 * A hash of everything except the deal that joining it depends on: the records that deals are matched with, in their
 * rows, the rules of `exclude` in force, and those about money. Texts and pictures of the CMS are not in it, so that an
 * editor's work does not undo that of the feeds.
 */
export function hashJoinInputs(
  { records, suppressed, excluded }: JoinedRecords,
  exclusions: ExcludeRules,
  money: BuildConfig['money'],
) {
  const hash = createHash('sha256');
  const add = (value: unknown): void => {
    hash.update(`${JSON.stringify(value)}\n`);
  };
  const addAll = (list: string, entries: readonly unknown[]): void => {
    add([list, entries.length]);
    for (const entry of entries) add(entry);
  };
  addAll(
    'products',
    records.products.map(({ record }) => withoutTexts(record)),
  );
  addAll(
    'withheld',
    suppressed.map(({ product, code }) => [withoutTexts(product.record), code]),
  );
  addAll('leftOut', excluded);
  addAll(
    'gifts',
    records.gifts.map(({ record }) => withoutTexts(record)),
  );
  addAll(
    'networks',
    records.networks.map(({ record }) => record),
  );
  addAll(
    'retailers',
    records.retailers.map(({ record }) => record),
  );
  addAll('manufacturers', records.manufacturers);
  addAll('exclude', exclusions.rules);
  add(['money', money]);
  return hash.digest('hex');
}
