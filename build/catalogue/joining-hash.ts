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
  for (const { record } of records.products) add(withoutTexts(record));
  for (const { product, code } of withheld) add([withoutTexts(product.record), code]);
  for (const product of leftOut) add(product);
  for (const { record } of records.gifts) add(withoutTexts(record));
  for (const { record } of records.networks) add(record);
  for (const { record } of records.retailers) add(record);
  add(records.manufacturers);
  add([exclusions.rules, money]);
  return hash.digest('hex');
}

function withoutTexts(record: object): object {
  const keys: readonly string[] = UNMATCHED_KEYS;
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
