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

type UnmatchedName = Report['unmatchedNames'][number];

/** `/status/data.json`: what is served, where it came from, what was left out and why, what changed, how the last build went. */
export interface Status {
  /** By the clock of the server: ages are told by it. */
  readonly now: string;
  /** Absent when nothing is served. */
  readonly snapshot?: ServedStatus;
  /** Of the snapshot being served, in the order of the configuration. */
  readonly sources: readonly SourceStatus[];
  /** What its gates said when it was published. */
  readonly gates: readonly GateResult[];
  /** What is new first. Counts are true; `/status/records.json` has all the records. */
  readonly notices: readonly NoticeStatus[];
  readonly unmatchedNames: readonly UnmatchedNameStatus[];
  /** Products without a deal, those that lost their last one since the snapshot before first. Absent where it is not on record. */
  readonly withoutDeals?: Counted<WithoutDealsStatus>;
  /** What differs from the snapshot before; the lists are cut, and say how much they omit. */
  readonly changes?: Changes;
  readonly lastBuild?: LastBuildStatus;
  /** What the store holds, newest first. */
  readonly snapshots: readonly StoredStatus[];
  /** Why something above is not there. */
  readonly faults: readonly StatusFault[];
}

export interface ServedStatus extends Pick<Manifest, 'id' | 'sequence' | 'createdAt' | 'previous' | 'counts'> {
  readonly ageSeconds: number;
  /** When a build last found that the sources still say what it says. */
  readonly confirmedAt?: string;
  readonly staleAfterHours: number;
  readonly stale: boolean;
}

/** A source with its files as two figures. */
export interface SourceStatus extends Omit<ManifestSource, 'files'> {
  readonly fileCount: number;
  readonly bytes: number;
}

/** A product as people know it. */
interface NamedProduct {
  /** `101/new`. */
  readonly product: string;
  readonly name: string;
}

/** What a feed calls a phone that found no product, with the names of the nearest. */
export interface UnmatchedNameStatus extends UnmatchedName {
  readonly nearestProducts: readonly NamedProduct[];
  /** The line for `matches` of the one that is near, where an editor can paste it without selling another phone. */
  readonly matchesLine?: string;
}

export interface WithoutDealsStatus extends NamedProduct, Pick<ProductWithoutDeals, 'leftOut' | 'lastDeal'> {
  /** It had a deal in the snapshot before. */
  readonly isNew: boolean;
}

/** How often a code was given for a source, what it means, and what to do. */
export interface NoticeStatus extends NoticeSummary {
  readonly meaning: string;
  readonly remedy: string;
}

export interface LastBuildStatus extends Pick<
  LastBuild,
  'outcome' | 'startedAt' | 'seconds' | 'snapshot' | 'current' | 'message' | 'confirmedAt'
> {
  /** Of a build that was refused: what it found. Of any other it is what the snapshot says, or nothing. */
  readonly refused?: RefusedBuild;
}

export interface RefusedBuild {
  readonly sources: readonly SourceStatus[];
  /** Those that refused, were accepted or were silent; the others passed. */
  readonly gates: readonly GateResult[];
  readonly notices: readonly NoticeStatus[];
  readonly goneNotices: readonly GoneNotice[];
  /** What publishes it all the same; absent where that cannot be right. */
  readonly acceptCommand?: string;
}

export interface StoredStatus {
  readonly id: string;
  readonly isCurrent: boolean;
  /** Of the current one: when the store came to name it. A server takes it up within seconds, or refuses it. */
  readonly currentSince?: string;
  readonly isServed: boolean;
  /** An operator went back from it: only an operator makes it current again. */
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
