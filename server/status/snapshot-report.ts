import { NOTICES } from '../../data/report/notice.ts';
import type {
  ManifestSource,
  NoticeSummary,
  ProductWithoutDeals,
  SnapshotReport,
  SourceReport,
} from '../../data/report/report.ts';
import type { ChangeKind, Changes } from '../../data/snapshot/changes.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { readValue } from './snapshot-files.ts';
import type { NoticeStatus, SourceStatus, Status, StatusFault } from './status.ts';

/** `changes.json` has up to a hundred of each kind. */
const MAX_CHANGES = 20;

/** The parts of `report.json` and `changes.json` of a snapshot that the page shows. */
export interface ReportStatus extends Pick<Status, 'faults'> {
  readonly notices: readonly NoticeStatus[];
  readonly unmatchedNames: SnapshotReport['unmatchedNames'];
  /** By product; absent in older snapshots. */
  readonly withoutDeals?: ReadonlyMap<string, ProductWithoutDeals>;
  readonly changes?: Changes;
}

/** Reads the reports of a snapshot once, and keeps those of one snapshot. */
export class SnapshotReports {
  readonly #store: string;
  #latest: { readonly id: string; readonly report: ReportStatus } | undefined;

  constructor(store: string) {
    this.#store = store;
  }

  /** A missing or damaged file is listed in `faults`; the other file is read anyway. */
  async read(manifest: Manifest): Promise<ReportStatus> {
    if (this.#latest?.id === manifest.id) return this.#latest.report;
    const faults: StatusFault[] = [];
    const report = await this.#tryRead<SnapshotReport>(manifest, 'report.json', faults);
    const changes = await this.#tryRead<Changes>(manifest, 'changes.json', faults);
    const read = {
      notices: (report?.notices ?? []).map(describeNoticeSummary),
      unmatchedNames: report?.unmatchedNames ?? [],
      ...(report?.withoutDeals === undefined
        ? {}
        : { withoutDeals: new Map(report.withoutDeals.map((each) => [each.product, each])) }),
      ...(changes === undefined ? {} : { changes: cutLists(changes) }),
      faults,
    };
    // After an error the files are read again next time.
    if (faults.length === 0) this.#latest = { id: manifest.id, report: read };
    return read;
  }

  async #tryRead<Value>(
    manifest: Manifest,
    name: 'report.json' | 'changes.json',
    faults: StatusFault[],
  ): Promise<Value | undefined> {
    try {
      return (await readValue(this.#store, manifest, name)) as Value;
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      faults.push({ file: name, detail: describeSnapshotError(error) });
      return undefined;
    }
  }
}

function describeSnapshotError({ details, message }: SnapshotError): string {
  return details.code === 'unknown-snapshot' ? 'The snapshot being served is no longer in the store.' : message;
}

/** The same changes with shorter lists. */
function cutLists(changes: Changes): Changes {
  const cut = (kind: ChangeKind) => {
    const { count, items } = changes[kind];
    return { count, omitted: count - Math.min(MAX_CHANGES, items.length), items: items.slice(0, MAX_CHANGES) };
  };
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      typeof value === 'object' && 'items' in value ? cut(name as ChangeKind) : value,
    ]),
  ) as unknown as Changes;
}

/** A report has twenty samples of each; `/status/records.json` has all records. */
const MAX_SAMPLES = 3;

export function describeNoticeSummary(summary: NoticeSummary): NoticeStatus {
  const { meaning, remedy } = NOTICES[summary.code];
  return { ...summary, samples: summary.samples.slice(0, MAX_SAMPLES), meaning, remedy };
}

export function describeSource({ files, ...source }: SourceReport | ManifestSource): SourceStatus {
  return { ...source, fileCount: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
