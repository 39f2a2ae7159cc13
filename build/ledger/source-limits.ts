import type { SourceAccount } from './ledger.ts';

/** What a source has cost so far. Counted, not measured: the same sources are given up on every machine. */
export interface SourceCost {
  /** What is kept of it: deals, texts that deals share, names, and what is to be told. Close to what memory it takes. */
  readonly heldBytes: number;
  /** Different references to a product: each is compared with every product. */
  readonly lookups: number;
  /** Different names that no product has. */
  readonly unknownNames: number;
}

/** No source may cost more. A million deals of 7,000 references take 110 MB. */
const MAX_HELD_BYTES = 400_000_000;
export const MAX_LOOKUPS = 50_000;

/** Of a source that serves hardly any of its records: it is another file than it should be. */
const WRONG_FILE_SHARE = 0.9;
const WRONG_FILE_LIMITS = { broken: 20_000, unknownNames: 20_000, heldBytes: 60_000_000 } as const;

/**
 * Why a source is given up, if it is. This is the one limit for everything that a source may do to excess: what it costs
 * is counted where it is kept, and judged here after every batch of records.
 */
export function findExceededLimit(
  { read, outOfScope, quarantined }: SourceAccount,
  broken: number,
  { heldBytes, lookups, unknownNames }: SourceCost,
): string | undefined {
  const leftOut = outOfScope + quarantined;
  const isHopeless = unknownNames > WRONG_FILE_LIMITS.unknownNames || heldBytes > WRONG_FILE_LIMITS.heldBytes;
  if (
    (isHopeless && leftOut > read * WRONG_FILE_SHARE) ||
    (broken > WRONG_FILE_LIMITS.broken && broken > read * WRONG_FILE_SHARE)
  ) {
    return `expected deals, got ${leftOut} records that cannot be served and hardly any that can; check that the right adapter is configured, or ask for a feed of phones only`;
  }
  if (lookups > MAX_LOOKUPS) {
    return `expected at most ${MAX_LOOKUPS} different names and ids of products, got more in ${read} records; ask for the name of the phone alone, without what the deal costs`;
  }
  if (heldBytes > MAX_HELD_BYTES) {
    return `expected deals and findings of at most ${MAX_HELD_BYTES / 1e6} MB, got more in ${read} records; ask for a smaller feed, or for two`;
  }
  return undefined;
}
