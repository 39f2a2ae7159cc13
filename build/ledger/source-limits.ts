import type { SourceAccount } from './ledger.ts';

/** What a source costs so far. Counted, not measured, so that every machine rejects the same sources. */
export interface SourceCost {
  /** Different product references: each is compared with every product. */
  readonly lookups: number;
  /** Different names that match no product. */
  readonly unknownNames: number;
}

const MAX_LOOKUPS = 50_000;

/** A source that excludes a larger share of its records is the wrong file, once it has cost so much. */
const WRONG_FILE_SHARE = 0.9;
const WRONG_FILE_LIMITS = { broken: 20_000, unknownNames: 20_000, excluded: 100_000 } as const;

/** The limit that a source exceeds, if any, as a message. Checked after every batch of records. */
export function findExceededLimit(
  { read, outOfScope, quarantined }: SourceAccount,
  broken: number,
  { lookups, unknownNames }: SourceCost,
): string | undefined {
  const excluded = outOfScope + quarantined;
  const isHopeless = unknownNames > WRONG_FILE_LIMITS.unknownNames || quarantined > WRONG_FILE_LIMITS.excluded;
  if (
    (isHopeless && excluded > read * WRONG_FILE_SHARE) ||
    (broken > WRONG_FILE_LIMITS.broken && broken > read * WRONG_FILE_SHARE)
  ) {
    return `expected deals, got ${excluded} records that cannot be served and hardly any that can; check that the right adapter is configured, or ask for a feed of phones only`;
  }
  if (lookups > MAX_LOOKUPS) {
    return `expected at most ${MAX_LOOKUPS} different names and ids of products, got more in ${read} records; ask for the name of the phone alone, without what the deal costs`;
  }
  return undefined;
}
