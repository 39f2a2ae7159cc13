import { createHash } from 'node:crypto';
import type { BuildConfig } from '../config.ts';
import type { Exclusions } from './exclusion.ts';
import type { JoinedRecords } from './join-records.ts';
import { UNMATCHED_KEYS } from './matched-record.ts';

/**
 * A hash of all that the joining of a deal depends on beside the deal: the records that deals are matched with, in their
 * rows, the rules of `exclude` in force, and those about money. Texts and pictures of the CMS are not in it, so that an
 * editor's work does not undo that of the feeds.
 */
export function hashJoining(
  { records, withheld, leftOut }: JoinedRecords,
  exclusions: Exclusions,
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
    withheld.map(({ product, code }) => [withoutTexts(product.record), code]),
  );
  addAll('leftOut', leftOut);
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

function withoutTexts(record: object): object {
  const keys: readonly string[] = UNMATCHED_KEYS;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
