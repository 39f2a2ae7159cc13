import type { FieldCount } from '../../data/report/summary.ts';
import type { SourceState } from '../adapt/source-state.ts';
import type { GateFinding, GateInput } from './gate-input.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

type SourceFields = NonNullable<GateInput['summary']['fields']>;

/** The fields of each source. A source that is carried forward keeps those it was last read with. */
export function summariseFields(states: readonly SourceState[], served: ServedSnapshot): SourceFields {
  const before = served.kind === 'known' ? (served.report.summary.fields ?? []) : [];
  return states.flatMap(({ name, state, fields = [] }) => {
    if (state === 'fresh') return [{ source: name, fields: [...fields] }];
    return state === 'carried-forward' ? before.filter(({ source }) => source === name) : [];
  });
}

/** Fields that a source had and has in no record now: a column that was renamed, or is no longer exported. */
export function checkFields(input: GateInput): readonly GateFinding[] {
  const { served, summary, sources, settings } = input;
  if (served.kind !== 'known') return [{ state: 'silent', detail: served.reason }];
  const fieldsBefore = served.report.summary.fields;
  if (fieldsBefore === undefined)
    return [{ state: 'silent', detail: 'the snapshot being served has no counts of fields' }];
  const find = (list: SourceFields | undefined, name: string): readonly FieldCount[] =>
    list?.find(({ source }) => source === name)?.fields ?? [];
  return sources
    .filter(({ state }) => state === 'fresh')
    .filter(({ name, adapter }) =>
      served.manifest.sources.some((source) => source.name === name && source.adapter === adapter),
    )
    .map(({ name: source, kind }) => {
      const counts = find(summary.fields, source);
      const isFilled = new Set(counts.filter(({ filled }) => filled > 0).map(({ field }) => field));
      const groupOf = (field: string): string => (kind === 'cms' ? (field.split('.')[0] as string) : '');
      // Where no record of a list was read at all, other gates speak.
      const read = new Set(counts.map(({ field }) => groupOf(field)));
      const watched = find(fieldsBefore, source).filter(
        ({ field, filled, records }) =>
          filled >= settings.minRows && filled >= settings.minFilledShare * records && read.has(groupOf(field)),
      );
      const [gone, ...others] = watched.filter(({ field }) => !isFilled.has(field)).sort((a, b) => b.filled - a.filled);
      if (gone === undefined)
        return { source, state: 'passed', detail: `${watched.length} fields were filled, and are` };
      const { field, name = field, filled, records } = gone;
      const more = others.length === 0 ? '' : `; so are ${others.map((other) => other.name ?? other.field).join(', ')}`;
      const detail = `${name} was filled in ${withCommas(filled)} of ${withCommas(records)} records, now in none${more}`;
      return { source, state: 'refused', detail };
    });
}

function withCommas(count: number): string {
  return count.toLocaleString('en-GB');
}
