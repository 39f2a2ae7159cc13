import type { Plan } from '../../data/snapshot/format.ts';
import type { DealGift, MatchEvidence } from '../records/catalogue.ts';

/** Entries that many deals share, each with a code: its position. */
class Dictionary<Entry> {
  readonly #codes = new Map<string, number>();
  readonly #entries: Entry[] = [];

  /** The code of the entry with `key`; entries with equal keys are one. */
  codeOf(key: string, entry: Entry): number {
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#entries.push(entry) - 1;
      this.#codes.set(key, code);
    }
    return code;
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
  readonly plans = new Dictionary<Plan>();
  readonly gifts = new Dictionary<DealGift>();
  readonly cashbacks = new Dictionary<Cashback>();
  readonly pictures = new Dictionary<string>();
  readonly matches = new Dictionary<MatchEvidence>();
  readonly files = new Dictionary<FeedFile>();
}
