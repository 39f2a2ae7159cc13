import type { Step } from './kind.ts';
import type { WorldName } from './world.ts';

/**
 * What INPUTS wants of a mutation.
 *
 * - `safe`: nothing wrong is served; records are quarantined with a code, or the source is held.
 * - `held`: the source is held, its deals of before are served, the rest is published: exit status 4.
 * - `refused`: exit status 3, and the snapshot stays.
 * - `refused or held`: of the CMS, which the feeds depend on.
 * - `notice`: served as stated, and each deal has a notice.
 * - `accept`: a real change, or none: exit status 0, and everything is served as it is written.
 * - `silent`: nothing can tell it from a real change. Reported, never failed; `because` says why.
 */
export type Wanted = 'safe' | 'held' | 'refused' | 'refused or held' | 'notice' | 'accept' | 'silent';

export interface Mutation {
  readonly name: string;
  readonly world: WorldName;
  /** The feed that is damaged. */
  readonly feed: string;
  readonly steps: readonly Step[];
  readonly wanted: Wanted;
  readonly because?: string;
  /** A price that moves by less than 2.5 times looks like a promotion, and is not counted as wrong. */
  readonly allowsSmallMoves?: true;
  /** The source is marked `required`. */
  readonly required?: true;
  /** A damage of the CMS in place of one of the feed. */
  readonly cms?: CmsStep;
}

/** A change of all records of one list of the CMS, or of a file. */
export type CmsStep =
  | { readonly list: CmsList; readonly change: (records: readonly CmsRecord[]) => CmsRecord[] }
  | { readonly file: string; readonly edit: (text: string) => string | undefined };

export type CmsRecord = Record<string, unknown>;
export type CmsList = 'products' | 'networks' | 'retailers' | 'gifts' | 'giftCategories';
