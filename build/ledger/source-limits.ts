import type { SourceAccount } from './ledger.ts';

/** The cost of a source so far. Counted, not measured, so that every machine rejects the same sources. */
export interface SourceCost {
  /** The approximate memory of its deals, shared texts, names and notices. */
  readonly heldBytes: number;
  /** Different product references: each is compared with every product. */
  readonly lookups: number;
  /** Different names that match no product. */
  readonly unknownNames: number;
}

/** A million deals of 7,000 references take 110 MB. */
const MAX_HELD_BYTES = 400_000_000;
export const MAX_LOOKUPS = 50_000;

/** A source that excludes a larger share of its records is the wrong file. */
const WRONG_FILE_SHARE = 0.9;
const WRONG_FILE_LIMITS = { broken: 20_000, unknownNames: 20_000, heldBytes: 60_000_000 } as const;

/** The limit that a source exceeds, if any, as a message. Checked after every batch of records. */
export function findExceededLimit(
  { read, outOfScope, quarantined }: SourceAccount,
  broken: number,
  { heldBytes, lookups, unknownNames }: SourceCost,
): string | undefined {
  const excluded = outOfScope + quarantined;
  const isHopeless = unknownNames > WRONG_FILE_LIMITS.unknownNames || heldBytes > WRONG_FILE_LIMITS.heldBytes;
  if (
    (isHopeless && excluded > read * WRONG_FILE_SHARE) ||
    (broken > WRONG_FILE_LIMITS.broken && broken > read * WRONG_FILE_SHARE)
  ) {
    return `expected deals, got ${excluded} records that cannot be served and hardly any that can; check that the right adapter is configured, or ask for a feed of phones only`;
  }
  if (lookups > MAX_LOOKUPS) {
    return `expected at most ${MAX_LOOKUPS} different names and ids of products, got more in ${read} records; ask for the name of the phone alone, without what the deal costs`;
  }
  if (heldBytes > MAX_HELD_BYTES) {
    return `expected deals and findings of at most ${MAX_HELD_BYTES / 1e6} MB, got more in ${read} records; ask for a smaller feed, or for two`;
  }
  return undefined;
}
