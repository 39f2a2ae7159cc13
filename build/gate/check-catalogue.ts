import type { SourceReport } from '../../data/report/report.ts';
import type { EntryCounts, FieldCount } from '../../data/report/summary.ts';
import type { SourceState } from '../source/source-state.ts';
import {
  comparing,
  exceedsLimit,
  findWorst,
  measureShare,
  toGateCheck,
  type GateCheck,
  type GateInput,
  type Measure,
} from './measurement.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** A build without a required source, or with half of the CMS, is useless. */
export function checkRequiredSources(input: GateInput): readonly GateCheck[] {
  return input.sources
    .filter((source) => input.requiredSources.has(source.name) || isMissedCms(input, source))
    .map(({ name, state, heldBecause }) => ({
      source: name,
      state: state === 'fresh' ? 'passed' : 'refused',
      detail: `the source ${state === 'fresh' ? 'was read' : (heldBecause ?? UNREAD_TEXTS[state])}`,
    }));
}

const UNREAD_TEXTS = { 'carried-forward': 'is held', absent: 'has no file', failed: 'could not be read' } as const;

/** A CMS source without a file gets only a notice when it had none before. */
function isMissedCms({ served }: GateInput, { name, kind, state }: SourceReport): boolean {
  if (kind !== 'cms' || state === 'fresh') return false;
  const before = served.kind === 'known' ? served.manifest.sources.find((source) => source.name === name) : undefined;
  return state === 'failed' || (before?.kept ?? 0) > 0;
}

/** When the snapshot being served cannot be read, there is nothing to compare with, and the build is refused. */
export function checkServedSnapshot({ served, unreadableDeals }: GateInput): readonly GateCheck[] {
  switch (served.kind) {
    case 'known':
      return unreadableDeals === undefined
        ? [{ state: 'passed', detail: 'the snapshot being served can be compared with' }]
        : [{ state: 'refused', detail: unreadableDeals }];
    case 'none':
      return [{ state: 'silent', detail: served.reason }];
    case 'unreadable':
      return [{ state: 'refused', detail: `the current snapshot cannot be compared with: ${served.reason}` }];
  }
}

export function checkProducts({ summary }: GateInput): readonly GateCheck[] {
  const count = summary.cms.reduce((sum, { products }) => sum + products, 0);
  return [{ state: count === 0 ? 'refused' : 'passed', detail: `the catalogue has ${count} products` }];
}

export const checkCurrency = comparing(({ served, summary }) => {
  const before = served.report.summary.currency;
  const detail = `prices are in ${summary.currency}, and were in ${before}`;
  return [{ state: summary.currency === before ? 'passed' : 'refused', detail }];
});

/** With fewer networks or retailers than this, a share says nothing. */
const MIN_SUPPLIERS = 3;

/** Up to this many records may take the name or slug of another: an editor's correction. */
const MAX_SWAPPED_COUNT = 2;
const MAX_SWAPPED_SHARE = 0.02;

/**
 * Finds names and slugs that slipped to other ids. Every deal keeps its id, and is shown under the name of another
 * phone, network or shop. The error is in the CMS, so the CMS source is refused (INPUTS "A source is held, not the
 * build").
 */
export const checkRenamedRecords = comparing(({ comparison, settings }) => {
  const sources = [...new Set(comparison.records.map(({ source }) => source))];
  return sources.map((source) => {
    const measures = comparison.records
      .filter((kept) => kept.source === source)
      .filter(({ kind, count }) => count >= (kind === 'products' ? settings.minRows : MIN_SUPPLIERS))
      .map(({ kind, count, renamed, swapped }) => {
        const limit = Math.max(MAX_SWAPPED_SHARE, MAX_SWAPPED_COUNT / count);
        const taken = measureShare(swapped, count, limit, `${kind} have the name or slug of another`);
        return exceedsLimit(taken) ? taken : measureShare(renamed, count, settings.maxRenamed, `${kind} are renamed`);
      });
    return toGateCheck(
      measures.length === 0 ? { silent: 'too few records under the ids of before' } : findWorst(measures),
      source,
    );
  });
});

type SourceFields = NonNullable<GateInput['summary']['fields']>;

/** The fields of each source. A stale feed keeps the fields with which it was last read. */
export function summariseFields(states: readonly SourceState[], served: ServedSnapshot): SourceFields {
  const before = served.kind === 'known' ? (served.report.summary.fields ?? []) : [];
  return states.flatMap(({ name, state, fields = [] }) => {
    if (state === 'fresh') return [{ source: name, fields: [...fields] }];
    return state === 'carried-forward' ? before.filter(({ source }) => source === name) : [];
  });
}

/** Finds fields that a source had, and that no record has now: a renamed column, or one that is no longer exported. */
export const checkFields = comparing(({ served, summary, sources, settings }) => {
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
      // When no record of a list was read at all, other gates refuse.
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
});

function withCommas(count: number): string {
  return count.toLocaleString('en-GB');
}

const ENTRY_NAMES: Readonly<Record<keyof EntryCounts, string>> = {
  plans: 'plans',
  gifts: 'gifts',
  cashbacks: 'cashbacks',
  pictures: 'pictures',
  linkTemplates: 'shapes of links',
};

/**
 * Shared parts of deals are held as ready text, which costs up to fifty times as much as a deal. When every deal has a
 * plan of its own, the plan has a fact of the deal in its name. Stale feeds passed when they were read.
 */
export function checkEntries({ summary, sources, settings }: GateInput): readonly GateCheck[] {
  const fresh = new Set(sources.filter(({ state }) => state === 'fresh').map(({ name }) => name));
  return summary.feeds.flatMap(({ name, entries }) => {
    if (entries === undefined || !fresh.has(name)) return [];
    const measures = (Object.keys(ENTRY_NAMES) as (keyof EntryCounts)[]).map((kind): Measure => {
      const [measured, limit] = [entries[kind], settings.maxEntries];
      return { measured, limit, detail: `${measured} different ${ENTRY_NAMES[kind]}, at most ${limit}` };
    });
    return [toGateCheck(findWorst(measures), name)];
  });
}

export function checkServerMemory({ summary: { serverBytes }, settings }: GateInput): readonly GateCheck[] {
  if (serverBytes === undefined) return [];
  const [measured, limit] = [Math.ceil(serverBytes / 1e6), settings.maxServerMegabytes];
  return [toGateCheck({ measured, limit, detail: `a server needs about ${measured} MB, at most ${limit} MB` })];
}
