import { isBeyond, judge, measureShare, worstOf, type GateFinding, type GateInput } from './gate-input.ts';

/** Fewer networks or retailers than these say nothing. */
const MIN_SUPPLIERS = 3;

/** So few records may take the name or slug of another: an editor's correction. */
const MAX_SWAPPED_COUNT = 2;
const MAX_SWAPPED_SHARE = 0.02;

/**
 * Names and slugs that slipped to other ids: every deal keeps its id, and is shown under the name of another phone, network
 * or shop. No feed is to blame, so the CMS source is refused (INPUTS "A source is held, not the build").
 */
export function checkRenamedRecords({ served, comparison, settings }: GateInput): readonly GateFinding[] {
  if (served.kind !== 'known') return [{ state: 'silent', detail: served.reason }];
  const sources = [...new Set(comparison.records.map(({ source }) => source))];
  return sources.map((source) => {
    const measures = comparison.records
      .filter((kept) => kept.source === source)
      .filter(({ kind, count }) => count >= (kind === 'products' ? settings.minRows : MIN_SUPPLIERS))
      .map(({ kind, count, renamed, swapped }) => {
        const limit = Math.max(MAX_SWAPPED_SHARE, MAX_SWAPPED_COUNT / count);
        const taken = measureShare(swapped, count, limit, `${kind} have the name or slug of another`);
        return isBeyond(taken) ? taken : measureShare(renamed, count, settings.maxRenamed, `${kind} are renamed`);
      });
    return judge(
      measures.length === 0 ? { silent: 'too few records under the ids of before' } : worstOf(measures),
      source,
    );
  });
}
