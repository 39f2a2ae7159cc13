import { timingSafeEqual } from 'node:crypto';
import { poll } from '../poll.ts';
import { hashApiKey } from './api-key.ts';
import { KeyFileError, parseKeyFile, readKeyText, type KeyEntry } from './key-file.ts';
import { findRateLimit, Quota, type RateLimit, type RateLimitResult } from './rate-limit.ts';

/** The client of a key. */
export interface ApiClient {
  readonly id: string;
  readonly name: string;
  /** Whether it has the operator role. */
  readonly isOperator?: true;
}

/** The result of a lookup. A key that is revoked or not valid yet is unknown. */
type KeyCheck = ({ readonly kind: 'valid' } & ApiClient) | { readonly kind: 'expired' } | { readonly kind: 'unknown' };

/** Makes the store of the keys of a key file. */
export function createKeyRing(entries: readonly KeyEntry[]) {
  const ring = entries.map((entry) => ({ entry, hash: Buffer.from(entry.sha256, 'hex') }));
  // The digests of found keys: each is compared with all others once. It has at most as many entries as there are keys, and
  // its timing reveals no more than the response. Caching the text would save the 0.6 µs of the digest, but leave every used
  // key in a core file.
  const found = new Map<string, KeyEntry>();
  return {
    /** Looks up a key. The time does not depend on which key it is or resembles (D16). */
    check(keyText: string, now: Date): KeyCheck {
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

/** `from` is the first moment at which a key is valid, `until` the first at which it no longer is. */
export function checkPeriod({ id, name, from, until, operator }: KeyEntry, now: Date): KeyCheck {
  if (until !== undefined && now.getTime() >= Date.parse(until)) return { kind: 'expired' };
  if (from !== undefined && now.getTime() < Date.parse(from)) return { kind: 'unknown' };
  return { kind: 'valid', id, name, ...(operator === undefined ? {} : { isOperator: operator }) };
}

const POLL_MS = 1_000;

interface ServerKeysOptions {
  readonly file: string;
  /** Of every key without its own; absent for no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** The log of the server, which imports this folder. */
  readonly log: (entry: { readonly event: string; readonly count?: number; readonly cause?: string }) => void;
  readonly pollMs?: number;
  readonly now?: (() => Date) | undefined;
}

/**
 * The keys of a server and their quotas. The key file is read every second, so that its changes need no restart (D16): a
 * watcher would miss a rename, a symbolic link or a network. While the file cannot be read, the keys before stay valid.
 */
export class ServerKeys {
  readonly #options: ServerKeysOptions;
  readonly #now: () => Date;
  /** The file as it was taken up. */
  #text = '';
  #store = createKeyRing([]);
  #quotas: ReadonlyMap<string, Quota> = new Map();
  /** The fault of the file as it is, and since when it has one. */
  #fault: { readonly message: string; readonly sinceMs: number } | undefined;
  #endPoll: (() => void) | undefined;

  private constructor(options: ServerKeysOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * @throws {KeyFileError} when the file cannot be read, or none of its keys is or will be valid
   */
  static async open(options: ServerKeysOptions): Promise<ServerKeys> {
    const keys = new ServerKeys(options);
    const entries = keys.#takeUp(await readKeyText(options.file));
    if (entries.every((entry) => checkPeriod(entry, keys.#now()).kind === 'expired'))
      throw new KeyFileError('no-key', options.file, 'expected at least one key that has not expired, found none');
    keys.#endPoll = poll(() => keys.#look(), options.pollMs ?? POLL_MS);
    return keys;
  }

  check(keyText: string): KeyCheck {
    return this.#store.check(keyText, this.#now());
  }

  /** Counts a request of a key; undefined for a key without a limit. */
  count(keyId: string): RateLimitResult | undefined {
    return this.#quotas.get(keyId)?.take();
  }

  /** How long the file has been unreadable or malformed; 0 when it is not. */
  unreadableSeconds(): number {
    return this.#fault === undefined ? 0 : Math.floor((performance.now() - this.#fault.sinceMs) / 1_000);
  }

  close(): void {
    this.#endPoll?.();
  }

  async #look(): Promise<void> {
    const { file, log } = this.#options;
    try {
      const text = await readKeyText(file);
      if (text === this.#text && this.#fault === undefined) return;
      const { length: count } = this.#takeUp(text);
      this.#fault = undefined;
      log({ event: 'keys-taken-up', count });
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      const { message } = error;
      if (message !== this.#fault?.message) log({ event: 'keys-unreadable', cause: message });
      this.#fault = { message, sinceMs: this.#fault?.sinceMs ?? performance.now() };
    }
  }

  /** A quota goes on while its limit is the same. @throws {KeyFileError} when the text is that of no key file */
  #takeUp(text: string): readonly KeyEntry[] {
    const entries = parseKeyFile(this.#options.file, text);
    const quotas = new Map<string, Quota>();
    for (const { id, rateLimit } of entries) {
      const limit = rateLimit === undefined ? this.#options.rateLimit : findRateLimit(rateLimit);
      if (limit === undefined) continue;
      const before = this.#quotas.get(id);
      const isSame = before?.limit.requests === limit.requests && before.limit.seconds === limit.seconds;
      quotas.set(id, isSame ? before : new Quota(limit));
    }
    this.#quotas = quotas;
    this.#text = text;
    this.#store = createKeyRing(entries);
    return entries;
  }
}
