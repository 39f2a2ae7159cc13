import { timingSafeEqual } from 'node:crypto';
import { hashApiKey } from './api-key.ts';
import type { KeyEntry } from './key-file.ts';

/** What a presented key turns out to be. A key that is revoked or not valid yet is as unknown as any other. */
export type KeyCheck =
  | { readonly kind: 'valid'; readonly id: string; readonly name: string }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

export interface KeyRing {
  /** Looks `keyText` up as of `now`, in a time that does not depend on which key it is, or is nearly (D16). */
  check(keyText: string, now: Date): KeyCheck;
}

/** The keys of a key file, ready to be checked against. */
export function openKeyRing(entries: readonly KeyEntry[]): KeyRing {
  const ring = entries.map((entry) => ({ entry, hash: Buffer.from(entry.sha256, 'hex') }));
  return {
    check(keyText, now) {
      const presented = Buffer.from(hashApiKey(keyText), 'hex');
      let found: KeyEntry | undefined;
      // Every entry is compared, also after a match: where the loop ends would tell how far down the file the key is.
      for (const { entry, hash } of ring) {
        if (timingSafeEqual(presented, hash)) found = entry;
      }
      return found === undefined ? { kind: 'unknown' } : checkPeriod(found, now);
    },
  };
}

/** Whether any key is valid at `now` or will be later. A server without one has nobody to answer (D16). */
export function hasUsableKey(entries: readonly KeyEntry[], now: Date): boolean {
  return entries.some((entry) => !isExpired(entry, now));
}

/** `from` is the first moment at which a key is valid, `until` the first at which it no longer is. */
export function checkPeriod(entry: KeyEntry, now: Date): KeyCheck {
  if (isExpired(entry, now)) return { kind: 'expired' };
  if (entry.from !== undefined && now.getTime() < Date.parse(entry.from)) return { kind: 'unknown' };
  return { kind: 'valid', id: entry.id, name: entry.name };
}

function isExpired(entry: KeyEntry, now: Date): boolean {
  return entry.until !== undefined && now.getTime() >= Date.parse(entry.until);
}
