import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from './api-key.ts';
import type { KeyEntry } from './key-file.ts';

/** Whose key it is. */
export interface ApiClient {
  readonly id: string;
  readonly name: string;
  /** May also see what became of the sources. */
  readonly isOperator?: true;
}

/** What a presented key turns out to be. A key that is revoked or not valid yet is as unknown as any other. */
export type KeyCheck =
  | ({ readonly kind: 'valid' } & ApiClient)
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

export interface ApiKeyStore {
  /** Looks `keyText` up as of `now`, in a time that does not depend on which key it is, or is nearly (D16). */
  check(keyText: string, now: Date): KeyCheck;
}

/** A key with its period, ready to be compared with the clock. */
interface ApiKey {
  readonly hash: Buffer;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly valid: KeyCheck;
}

const EXPIRED: KeyCheck = { kind: 'expired' };
const UNKNOWN: KeyCheck = { kind: 'unknown' };

/** The keys of a key file, ready to be checked against. */
export function createApiKeyStore(entries: readonly KeyEntry[]): ApiKeyStore {
  const ring = entries.map(toApiKey);
  // The digests of keys that were found, so that each is compared with all others once: at most as many as there are
  // keys, since no other gets in. How long it takes to find one tells no more than the answer does. To remember the text
  // would save the 0.6 µs of the digest, and leave every key that was ever used to be read in a core file.
  const found = new Map<string, ApiKey>();
  return {
    check(keyText, now) {
      const digest = hashApiKey(keyText);
      let entry = found.get(digest);
      if (entry === undefined) {
        entry = findKey(ring, digest);
        if (entry === undefined) return UNKNOWN;
        found.set(digest, entry);
      }
      return checkAt(entry, now.getTime());
    },
  };
}

/** Whether any key is valid at `now` or will be later. A server without one has nobody to answer (D16). */
export function hasUsableKey(entries: readonly KeyEntry[], now: Date): boolean {
  return entries.some((entry) => checkPeriod(entry, now).kind !== 'expired');
}

/** `from` is the first moment at which a key is valid, `until` the first at which it no longer is. */
export function checkPeriod(entry: KeyEntry, now: Date): KeyCheck {
  return checkAt(toApiKey(entry), now.getTime());
}

function toApiKey({ id, name, sha256, from, until, operator }: KeyEntry): ApiKey {
  return {
    hash: Buffer.from(sha256, 'hex'),
    fromMs: from === undefined ? -Infinity : Date.parse(from),
    untilMs: until === undefined ? Infinity : Date.parse(until),
    valid: { kind: 'valid', id, name, ...(operator === undefined ? {} : { isOperator: operator }) },
  };
}

function findKey(ring: readonly ApiKey[], digest: string): ApiKey | undefined {
  const presented = Buffer.from(digest, 'hex');
  let found: ApiKey | undefined;
  // Every entry is compared, also after a match: where the loop ends would tell how far down the file the key is.
  for (const entry of ring) {
    if (timingSafeEqual(presented, entry.hash)) found = entry;
  }
  return found;
}

function checkAt({ fromMs, untilMs, valid }: ApiKey, nowMs: number): KeyCheck {
  if (nowMs >= untilMs) return EXPIRED;
  return nowMs < fromMs ? UNKNOWN : valid;
}
