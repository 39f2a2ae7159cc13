import type {
  GateResult,
  GoneNotice,
  LastBuild,
  ManifestSource,
  NoticeSummary,
  ProductWithoutDeals,
  Report,
} from '../../data/report/report.ts';
import type { Counted } from '../../data/store/name-search.ts';
import type { Changes } from '../../data/snapshot/changes.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { AcceptedRevision, PullState } from '../../data/store/pull-state.ts';

type UnmatchedName = Report['unmatchedNames'][number];

/** `/status/data.json`: the served snapshot, its sources, excluded records, changes, the last build. */
export interface Status {
  /** By the clock of the server, which ages refer to. */
  readonly now: string;
  /** Absent when nothing is served. */
  readonly snapshot?: ServedStatus;
  /** Of the snapshot being served, in the order of the configuration. */
  readonly sources: readonly SourceStatus[];
  /** What its gates said when it was published. */
  readonly gates: readonly GateResult[];
  /** New ones first. Counts are exact; `/status/records.json` has all records. */
  readonly notices: readonly NoticeStatus[];
  readonly unmatchedNames: readonly UnmatchedNameStatus[];
  /** Products without a deal; first those that lost their last one since the snapshot before. Absent in older snapshots. */
  readonly withoutDeals?: Counted<WithoutDealsStatus>;
  /** The changes since the snapshot before; `omitted` counts the items that are left out. */
  readonly changes?: Changes;
  readonly lastBuild?: LastBuildStatus;
  /** What came from an object store. Absent where snapshots are built here. */
  readonly pull?: PullStatus;
  /** What the store holds, newest first. */
  readonly snapshots: readonly StoredStatus[];
  /** Why a member above is absent. */
  readonly faults: readonly StatusFault[];
}

export interface ServedStatus extends Pick<Manifest, 'id' | 'sequence' | 'createdAt' | 'previous' | 'counts'> {
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  readonly staleAfterHours: number;
  readonly stale: boolean;
}

/** A source with the number and size of its files. */
export interface SourceStatus extends Omit<ManifestSource, 'files'> {
  readonly fileCount: number;
  readonly bytes: number;
}

/** A product and its name. */
interface NamedProduct {
  /** `101/new`. */
  readonly product: string;
  readonly name: string;
}

/** A feed name without a product, with the names of the nearest products. */
export interface UnmatchedNameStatus extends UnmatchedName {
  readonly nearestProducts: readonly NamedProduct[];
  /** The line for `matches`, where the nearest product is certainly the same phone. */
  readonly matchesLine?: string;
}

export interface WithoutDealsStatus extends NamedProduct, Pick<ProductWithoutDeals, 'leftOut' | 'lastDeal'> {
  /** It had a deal in the snapshot before. */
  readonly isNew: boolean;
}

/** How often a source has a code, its meaning and its remedy. */
export interface NoticeStatus extends NoticeSummary {
  readonly meaning: string;
  readonly remedy: string;
}

export interface LastBuildStatus extends Pick<
  LastBuild,
  'outcome' | 'startedAt' | 'seconds' | 'snapshot' | 'current' | 'message' | 'confirmedAt'
> {
  /** The findings of a build that was refused. */
  readonly refused?: RefusedBuild;
}

export interface RefusedBuild {
  readonly sources: readonly SourceStatus[];
  /** Gates that refused, were accepted or were skipped; the others passed. */
  readonly gates: readonly GateResult[];
  readonly notices: readonly NoticeStatus[];
  readonly goneNotices: readonly GoneNotice[];
  /** The command that publishes the build anyway; absent where that cannot be right. */
  readonly acceptCommand?: string;
}

/** What `deals pull` has accepted and brought, and how it fares. */
export interface PullStatus extends Pick<PullState, 'url' | 'failures' | 'refusals' | 'fetchedBytes'> {
  /** When the object store last answered. */
  readonly lastContactAt?: string;
  /** The newest accepted revision. */
  readonly announced?: RevisionStatus;
  /** The revision that the store switched to last. */
  readonly current?: RevisionStatus;
  /** How long the announced revision should have been current; 0 when it is, or it is not time. */
  readonly overdueSeconds: number;
  /** Absent when the last look was without a fault. */
  readonly lastFailure?: NonNullable<PullState['lastFailure']> & { readonly remedy: string };
  readonly warnings: readonly PullWarning[];
}

export type RevisionStatus = Pick<AcceptedRevision, 'revision' | 'snapshot' | 'activateAt' | 'leadSeconds'>;

/** What an operator must look at, and what to do. */
export interface PullWarning {
  readonly found: string;
  readonly remedy: string;
}

export interface StoredStatus {
  readonly id: string;
  readonly isCurrent: boolean;
  /** When it became current. A server loads it within seconds, or refuses it. */
  readonly currentSince?: string;
  readonly isServed: boolean;
  /** An operator rolled back from it: only an operator makes it current again. */
  readonly isRolledBack?: true;
  readonly sequence?: number;
  readonly createdAt?: string;
  readonly products?: number;
  readonly deals?: number;
  readonly quarantined?: number;
  /** Why its manifest cannot be read. */
  readonly fault?: string;
}

export interface StatusFault {
  /** `report.json`, or another file of the store. */
  readonly file: string;
  readonly detail: string;
}
