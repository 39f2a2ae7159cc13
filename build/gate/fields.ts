import type { FieldCount } from '../../data/report/report.ts';
import type { SourceState } from '../source/record.ts';
import { type Measure, writeCount } from './measure.ts';
import { findServedSource, type KnownSnapshot } from './served-snapshot.ts';

/** A field that fewer records fill may be empty on any day. */
const MIN_FILLED_SHARE = 0.05;

/**
 * Finds the fields that a source had, and that no record has now: a column that was renamed, or is no longer exported
 * (INPUTS "A field that is gone").
 */
export function measureFields(
  { name, kind, adapter, fields = [] }: SourceState,
  served: KnownSnapshot,
  minRows: number,
): readonly Measure[] {
  const before = served.report.summary.fields.find(({ source }) => source === name)?.fields;
  if (before === undefined || findServedSource(served, name)?.adapter !== adapter) return [];
  const isFilled = new Set(fields.filter(({ filled }) => filled > 0).map(({ field }) => field));
  // When no record of a list was read at all, other gates refuse.
  const groupOf = ({ field }: FieldCount): string => (kind === 'cms' ? (field.split('.')[0] as string) : '');
  const read = new Set(fields.map(groupOf));
  const watched = before.filter(
    (count) =>
      count.filled > 0 &&
      count.filled >= minRows &&
      count.filled >= MIN_FILLED_SHARE * count.records &&
      read.has(groupOf(count)),
  );
  const [gone, ...others] = watched.filter(({ field }) => !isFilled.has(field)).sort((a, b) => b.filled - a.filled);
  if (gone === undefined) return [];
  const nameOf = ({ field, name: called = field }: FieldCount): string => called;
  const more = others.length === 0 ? '' : `; so are ${others.map(nameOf).join(', ')}`;
  const detail = `${nameOf(gone)} was filled in ${writeCount(gone.filled)} of ${writeCount(gone.records)} records, now in none${more}`;
  return [{ measured: 1 + others.length, limit: 0, detail }];
}
