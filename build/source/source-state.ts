import type { SourceReport } from '../../data/report/report.ts';
import type { FieldCount } from '../../data/report/summary.ts';

/** A source in the report, without its counts, which the ledger has. */
export interface SourceState extends Pick<
  SourceReport,
  'name' | 'kind' | 'adapter' | 'state' | 'freshAt' | 'heldBecause' | 'held' | 'files'
> {
  /** Without this source the build publishes nothing. */
  readonly required: boolean;
  /** How many of its records fill each field, if they were read. */
  readonly fields?: readonly FieldCount[];
}
