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

/** Makes the store of the keys of a key file. */
export function createApiKeyStore(entries: readonly KeyEntry[]): ApiKeyStore {
  const ring = entries.map((entry) => ({ entry, hash: Buffer.from(entry.sha256, 'hex') }));
  // The digests of found keys: each is compared with all others once. It has at most as many entries as there are keys, and
  // its timing reveals no more than the response. Caching the text would save the 0.6 µs of the digest, but leave every used
  // key in a core file.
  const found = new Map<string, KeyEntry>();
  return {
    check(keyText, now) {
      const digest = hashApiKey(keyText);
      let entry = found.get(digest);
      if (entry === undefined) {
        const presented = Buffer.from(digest, 'hex');
        // The loop goes on after a match: its time must not reveal the position of the key.
        for (const each of ring) {
          if (timingSafeEqual(presented, each.hash)) entry = each.entry;
        }
        if (entry === undefined) return { kind: 'unknown' };
        found.set(digest, entry);
      }
      return checkPeriod(entry, now);
    },
  };
}

/** Whether any key is valid at `now` or will be later. No client could use a server without one (D16). */
export function hasUsableKey(entries: readonly KeyEntry[], now: Date): boolean {
  return entries.some((entry) => checkPeriod(entry, now).kind !== 'expired');
}

/** `from` is the first moment at which a key is valid, `until` the first at which it no longer is. */
export function checkPeriod({ id, name, from, until, operator }: KeyEntry, now: Date): KeyCheck {
  if (until !== undefined && now.getTime() >= Date.parse(until)) return { kind: 'expired' };
  if (from !== undefined && now.getTime() < Date.parse(from)) return { kind: 'unknown' };
  return { kind: 'valid', id, name, ...(operator === undefined ? {} : { isOperator: operator }) };
}
