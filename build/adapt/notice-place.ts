import type { Notice } from '../../data/report/notice.ts';
import type { Origin } from '../source/origin.ts';
import { showFound, TOO_DEEP } from '../source/quote.ts';
import { describeSchemaFault, type SchemaFault } from '../source/schema-fault.ts';
import type { FeedItem } from './adapter.ts';

/** Where a record is, and what it is called as far as that is known. */
export interface RecordPlace extends Origin {
  /** `101/new`, a deal key, a slug. */
  readonly record?: string | undefined;
  /** The slug and the name of a record of the CMS, under which people may look for it. */
  readonly names?: readonly string[] | undefined;
  /** By what else deals mean a product. */
  readonly matches?: Notice['matches'];
}

/** A notice about a record. */
export function noticeAt(
  place: RecordPlace,
  code: Notice['code'],
  facts: Pick<Notice, 'field' | 'found' | 'isFoundJson' | 'expected' | 'remedy'> = {},
): Notice {
  const { source, file, line, list, record, names = [], matches } = place;
  return {
    code,
    source,
    file,
    line,
    ...(list === undefined ? {} : { list }),
    ...(record === undefined ? {} : { record: record.slice(0, 200) }),
    ...facts,
    ...(names.length === 0 ? {} : { names: names.map((name) => name.slice(0, 300)) }),
    ...(matches === undefined ? {} : { matches }),
  };
}

/** What was found, and whether it is a text. */
export function foundFacts(found: unknown): Pick<Notice, 'found' | 'isFoundJson'> {
  const shown = showFound(found);
  const isJson = typeof found !== 'string' && shown !== TOO_DEEP;
  return { found: shown, ...(isJson ? { isFoundJson: true } : {}) };
}

/**
 * One notice for all faults of a record: the first in its fields, the others in its remedy, since a record is left out
 * once.
 */
export function faultNotice(place: RecordPlace, first: SchemaFault, others: readonly SchemaFault[]): Notice {
  const { path, expected, found, remedy = 'correct the field' } = first;
  return noticeAt(place, found === undefined ? 'missing-field' : 'malformed-field', {
    field: path,
    expected,
    ...(found !== undefined && foundFacts(found)),
    ...(others.length > 0
      ? { remedy: `${remedy}, and also ${others.map(describeSchemaFault).join('; ')}` }
      : first.remedy !== undefined && { remedy }),
  });
}

/** @param product what was read of the reference to a product, as far as it was */
export function leftOut(notice: Notice, product?: object): FeedItem {
  return { kind: 'left-out', notice, ...(product === undefined ? {} : { product }) };
}
