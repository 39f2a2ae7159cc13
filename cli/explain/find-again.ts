import { createLocationFormatter } from '../../data/report/source-location.ts';
import { parseRecordQuery, type RecordQuery } from '../../data/store/record-query.ts';
import { variantAt } from '../../data/store/snapshot-search.ts';
import { findRecords, type FoundRecord, type SnapshotRecords } from './find-records.ts';

/** A name or location of a record that differs from an older snapshot. */
export interface ChangedName {
  readonly field: 'id' | 'slug' | 'name' | 'place';
  readonly before: string;
  readonly after: string;
}

/** A record of an older snapshot in its present state, served or not. */
export interface FoundAgain {
  readonly record: FoundRecord;
  readonly changed: readonly ChangedName[];
}

/**
 * Finds a record of an older snapshot by what identifies it: a product by its id and condition, else by its slug; a deal
 * by its retailer and key; any other record by its id. Undefined when the snapshot has it no longer.
 *
 * @param subject that found the record in the older snapshot
 */
export function findAgain(
  past: FoundRecord,
  pastRecords: SnapshotRecords,
  records: SnapshotRecords,
  subject: RecordQuery,
): FoundAgain | undefined {
  const before = describeNames(past, pastRecords);
  for (const word of listWords(past, before)) {
    const found = findRecords(records, parseRecordQuery(word, records.index)).records;
    const record = found.find((each) => isSame(each, past, word, records));
    if (record === undefined) continue;
    const after = describeNames(record, records);
    const fields = (['id', 'slug', 'name', 'place'] as const).filter((field) => field !== 'place' || subject.location);
    const changed = fields.flatMap((field): ChangedName[] => {
      const [was, is] = [before[field], after[field]];
      return was === undefined || is === undefined || was === is ? [] : [{ field, before: was, after: is }];
    });
    return { record, changed };
  }
  return undefined;
}

type Names = { readonly [Field in ChangedName['field']]?: string | undefined };

function describeNames(found: FoundRecord, { index, sources }: SnapshotRecords): Names {
  const place = createLocationFormatter(sources);
  switch (found.kind) {
    case 'product': {
      const product = index.products[found.row];
      return { id: variantAt(index, found.row), slug: product?.slug, name: product?.name, place: place(found.origin) };
    }
    case 'deal':
      return { id: found.key, place: place(found.origin) };
    case 'editorial':
      return { id: found.id, slug: found.slug, name: found.name };
    case 'noted':
    case 'left-out': {
      const { record, names, source, file, line } = found.notice;
      return { id: record, name: names?.at(-1), place: place({ source, file, line }) };
    }
  }
}

function listWords(found: FoundRecord, { id, slug }: Names): readonly string[] {
  const retailer = retailerOf(found);
  const named = id === undefined || retailer === undefined ? id : `${retailer}:${id}`;
  return [named, slug].filter((word) => word !== undefined);
}

function retailerOf(found: FoundRecord): string | undefined {
  if (found.kind === 'deal') return found.retailer;
  return found.kind === 'left-out' ? found.notice.retailer : undefined;
}

/** Whether a record that was found by `word` is the same one, and not just another that has the word. */
function isSame(found: FoundRecord, past: FoundRecord, word: string, records: SnapshotRecords): boolean {
  if (found.kind === 'noted' || past.kind === 'noted') return false;
  if (found.kind === 'editorial' || past.kind === 'editorial') {
    return found.kind === 'editorial' && past.kind === 'editorial' && found.of === past.of;
  }
  const isOfFeed = (each: typeof found): boolean =>
    each.kind === 'deal' || (each.kind === 'left-out' && each.of === 'feed');
  if (isOfFeed(found) !== isOfFeed(past)) return false;
  const { id, slug } = describeNames(found, records);
  const key = retailerOf(past);
  return id === word || slug === word || (key !== undefined && `${key}:${id}` === word);
}
