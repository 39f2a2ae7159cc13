import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from './api-key.ts';
import type { KeyEntry } from './key-file.ts';

/** The client of a key. */
export interface ApiClient {
  readonly id: string;
  readonly name: string;
  /** Whether it has the operator role. */
  readonly isOperator?: true;
}

/** The result of a lookup. A key that is revoked or not valid yet is unknown. */
export type KeyCheck =
  | ({ readonly kind: 'valid' } & ApiClient)
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

export interface ApiKeyStore {
  /** Looks up a key. The time does not depend on which key it is or resembles (D16). */
  check(keyText: string, now: Date): KeyCheck;
}

/** A stored key, parsed. */
interface ApiKey {
  readonly hash: Buffer;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly valid: KeyCheck;
}

const EXPIRED: KeyCheck = { kind: 'expired' };
const UNKNOWN: KeyCheck = { kind: 'unknown' };

/** Makes the store of the keys of a key file. */
export function createApiKeyStore(entries: readonly KeyEntry[]): ApiKeyStore {
  const ring = entries.map(toApiKey);
  // The digests of found keys: each is compared with all others once. It has at most as many entries as there are keys, and
  // its timing reveals no more than the response. Caching the text would save the 0.6 µs of the digest, but leave every used
  // key in a core file.
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

/** Whether any key is valid at `now` or will be later. No client could use a server without one (D16). */
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
  // The loop goes on after a match: its time must not reveal the position of the key.
  for (const entry of ring) {
    if (timingSafeEqual(presented, entry.hash)) found = entry;
  }
  return found;
}

function checkAt({ fromMs, untilMs, valid }: ApiKey, nowMs: number): KeyCheck {
  if (nowMs >= untilMs) return EXPIRED;
  return nowMs < fromMs ? UNKNOWN : valid;
}
