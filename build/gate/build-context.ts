import type { BuildConfig } from '../config/config.ts';
import type { IsAccepted } from './acceptance.ts';
import type { ServedSnapshot } from './served-snapshot.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What the stages of a build share. */
export interface BuildContext {
  readonly config: BuildConfig;
  /** The time of the build: what is valid today. */
  readonly now: Date;
  readonly isAccepted: IsAccepted;
  readonly served: ServedSnapshot;
  readonly ledger: Ledger;
}
