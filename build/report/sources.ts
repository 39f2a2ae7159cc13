import type { Notice } from '../../data/report/notice.ts';
import type { ManifestSource, SourceReport } from '../../data/report/report.ts';
import { digestFiles } from '../source/open-file.ts';
import { findServedSource, type ServedSnapshot } from '../gate/served-snapshot.ts';

/** The sources for the manifest: since when each has been fresh, and since when its files are the same. */
export function toManifestSources(
  sources: readonly SourceReport[],
  served: ServedSnapshot,
  now: Date,
): readonly ManifestSource[] {
  return sources.map((source) => {
    const before = findServedSource(served, source.name);
    if (source.state !== 'fresh') {
      const unchangedSince = source.state === 'carried-forward' ? before?.unchangedSince : undefined;
      return { ...source, freshAt: source.freshAt ?? before?.freshAt, unchangedSince };
    }
    const isUnchanged = source.files.length > 0 && digestFiles(before?.files ?? []) === digestFiles(source.files);
    const since = isUnchanged ? before?.unchangedSince : undefined;
    // A time in the future comes from a build under a wrong clock.
    const isKnown = since !== undefined && Date.parse(since) <= now.getTime();
    return { ...source, freshAt: now.toISOString(), unchangedSince: isKnown ? since : now.toISOString() };
  });
}

/** A notice for each feed whose files have been the same for longer than `maxUnchangedMs`. */
export function listUnchangedNotices(
  sources: readonly ManifestSource[],
  now: Date,
  maxUnchangedMs: number,
): readonly Notice[] {
  return sources.flatMap(({ name, kind, state, unchangedSince }) => {
    if (kind !== 'feed' || state !== 'fresh' || unchangedSince === undefined) return [];
    if (now.getTime() - Date.parse(unchangedSince) <= maxUnchangedMs) return [];
    // The time and not the age, so that the notice stays the same from build to build.
    const found = `${name}: the files are those that were first read at ${unchangedSince}; ask the feed whether it is still made`;
    return [{ code: 'source-unchanged', source: name, found }];
  });
}
