import type { Plan } from '../../data/snapshot/format.ts';
import type { DealGift, MatchEvidence } from '../records/catalogue.ts';

/** What tells entries apart, and the order in which they are published. */
export type EntryKey = readonly (number | string)[];

/** Entries that many deals share, each with a code: its position. */
export class Dictionary<Entry> {
  readonly keyOf: (entry: Entry) => EntryKey;
  readonly #codes = new Map<string, number>();
  readonly #entries: Entry[] = [];

  constructor(keyOf: (entry: Entry) => EntryKey) {
    this.keyOf = keyOf;
  }

  /** The code of an entry; entries with equal keys are one. */
  codeOf(entry: Entry): number {
    const key = JSON.stringify(this.keyOf(entry));
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#entries.push(entry) - 1;
      this.#codes.set(key, code);
    }
    return code;
  }

  /** 0 for none, else 1 + the code. */
  numberOf(entry: Entry | undefined): number {
    return entry === undefined ? 0 : 1 + this.codeOf(entry);
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

/** A file of a feed. */
export interface FeedFile {
  readonly source: string;
  readonly file: string;
}

export interface Cashback {
  readonly type: string;
  readonly valuePence: number;
}

/** What the codes of a deal table stand for, except link templates. */
export class DealDictionaries {
  readonly plans = new Dictionary<Plan>(
    ({ network, contractName, dealType, contractMonths, dataMegabytes, callMinutes, textMessages }) => {
      const sizes = [dataMegabytes, callMinutes, textMessages].map((size) => (size === 'unlimited' ? Infinity : size));
      return [network, contractName, dealType, contractMonths, ...sizes];
    },
  );
  /** Records of the catalogue first, then texts of the feeds. */
  readonly gifts = new Dictionary<DealGift>((gift) => (gift.kind === 'record' ? [0, gift.giftRow] : [1, gift.name]));
  readonly cashbacks = new Dictionary<Cashback>(({ type, valuePence }) => [type, valuePence]);
  readonly pictures = new Dictionary<string>((picture) => [picture]);
  readonly matches = new Dictionary<MatchEvidence>(({ rule, found }) => [rule, found]);
  readonly files = new Dictionary<FeedFile>(({ source, file }) => [source, file]);
}
