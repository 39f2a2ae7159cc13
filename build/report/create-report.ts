import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { GateResult, NoticeSummary, Report, SourceReport } from '../../data/report/report.ts';
import type { SourceState } from '../adapt/source-state.ts';
import type { Ledger } from '../catalogue/ledger.ts';
import type { UnmatchedName } from '../catalogue/unmatched-names.ts';

/** How many notices of one code and source a report shows; those of records left out are all in `quarantine.ndjson`. */
export const MAX_SAMPLES = 20;

/** How many names of unmatched products a report holds: more than an editor will add in a day. */
export const MAX_UNMATCHED_NAMES = 200;

/** The sources with their accounts, in the order of the configuration. */
export function reportSources(states: readonly SourceState[], ledger: Ledger): readonly SourceReport[] {
  return states.map(({ name, kind, adapter, state, files }) => {
    const { read, kept, duplicate, outOfScope, quarantined } = ledger.account(name);
    return { name, kind, adapter, state, files, read, kept, duplicate, outOfScope, quarantined };
  });
}

export interface ReportParts {
  readonly sources: readonly SourceReport[];
  readonly notices: readonly Notice[];
  /** Most deals first. */
  readonly unmatchedNames: readonly UnmatchedName[];
  readonly gates: readonly GateResult[];
}

export function createReport({ sources, notices, unmatchedNames, gates }: ReportParts): Report {
  return {
    sources: [...sources],
    notices: summariseNotices(notices),
    unmatchedNames: unmatchedNames.slice(0, MAX_UNMATCHED_NAMES).map(copyUnmatchedName),
    gates: [...gates],
  };
}

/** The records that are not served, for `quarantine.ndjson`: quarantined, out of scope or a duplicate. */
export function listLeftOut(notices: readonly Notice[]): readonly Notice[] {
  return notices.filter(({ code }) => {
    const { outcome } = NOTICES[code];
    return outcome === 'quarantined' || outcome === 'out-of-scope' || outcome === 'duplicate';
  });
}

/** Names the keys, so that they come in one order. */
function copyUnmatchedName({ feed, name, code, dealCount, nearest }: UnmatchedName): Report['unmatchedNames'][number] {
  return { feed, name, code, dealCount, nearest: [...nearest] };
}

/** One summary for each source and code, in that order. */
function summariseNotices(notices: readonly Notice[]): NoticeSummary[] {
  const summaries = new Map<string, NoticeSummary>();
  for (const notice of notices) {
    const key = `${notice.source} ${notice.code}`;
    const summary = summaries.get(key) ?? {
      code: notice.code,
      outcome: NOTICES[notice.code].outcome,
      source: notice.source,
      count: 0,
      samples: [],
    };
    summaries.set(key, summary);
    summary.count++;
    if (summary.samples.length < MAX_SAMPLES) summary.samples.push(notice);
  }
  return [...summaries.values()].sort(
    (a, b) => compareCodeUnits(a.source, b.source) || compareCodeUnits(a.code, b.code),
  );
}
