import type { Report } from '../../data/report/report.ts';
import type { Manifest } from '../../data/snapshot/format.ts';
import type { GivenOptions } from './build-command.ts';

/** What a build came to. */
export interface BuildResult {
  /** `refused`: a gate is closed, and nothing was published. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  /** Nothing was written: the outcome is what would have been. */
  readonly isDryRun: boolean;
  /** The snapshot that was published, or that is unchanged; absent when the build was refused. */
  readonly snapshot?: string;
  /** The snapshot that is served now. */
  readonly current?: string;
  /** The snapshot that the build was compared with, and when that was built. */
  readonly comparedWith?: { readonly snapshot: string; readonly createdAt: string };
  /** The time of the build, by which ages are told. */
  readonly builtAt: string;
  readonly store: string;
  /** What the command line gave of where to read and to publish. */
  readonly given?: GivenOptions;
  readonly report: Report;
  /** What someone must look at, although the build is not refused: a sentence for each source that is not fresh. */
  readonly attention: readonly string[];
  /** Of the catalogue that was built, published or not. */
  readonly counts: { readonly products: number; readonly deals: number };
  readonly files?: Manifest['files'];
  readonly seconds: number;
  /** What went wrong after the snapshot was published: old snapshots that could not be deleted. */
  readonly warnings: readonly string[];
}
