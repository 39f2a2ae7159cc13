import type { Plan } from '../../data/snapshot/format.ts';
import type { DealGift, MatchEvidence } from '../records/catalogue.ts';
import type { PublishedTemplate } from './links.ts';
import type { FeedFile } from './order.ts';
import type { Cashback } from './validate.ts';

/** The entries behind the codes of a deal table. */
export interface DealEntries {
  readonly plans: readonly Plan[];
  readonly gifts: readonly DealGift[];
  readonly cashbacks: readonly Cashback[];
  readonly pictures: readonly string[];
  readonly matches: readonly MatchEvidence[];
  readonly files: readonly FeedFile[];
  readonly linkTemplates: readonly PublishedTemplate[];
}

/** Assigns codes to the parts that deals share, except link templates. */
export class DealDictionaries {
  readonly #plans = new Dictionary<Plan>();
  readonly #gifts = new Dictionary<DealGift>();
  readonly #cashbacks = new Dictionary<Cashback>();
  readonly #pictures = new Dictionary<string>();
  readonly #matches = new Dictionary<MatchEvidence>();
  readonly #files = new Dictionary<FeedFile>();
  readonly entries: Omit<DealEntries, 'linkTemplates'> = {
    plans: this.#plans.entries,
    gifts: this.#gifts.entries,
    cashbacks: this.#cashbacks.entries,
    pictures: this.#pictures.entries,
    matches: this.#matches.entries,
    files: this.#files.entries,
  };

  planCode(plan: Plan): number {
    return this.#plans.codeOf(keyOfPlan(plan), plan);
  }

  giftCode(gift: DealGift): number {
    return this.#gifts.codeOf(gift.kind === 'record' ? `record ${gift.giftRow}` : `text ${gift.name}`, gift);
  }

  cashbackCode(cashback: Cashback): number {
    return this.#cashbacks.codeOf(`${cashback.valuePence} ${cashback.type}`, cashback);
  }

  pictureCode(picture: string): number {
    return this.#pictures.codeOf(picture, picture);
  }

  matchCode(evidence: MatchEvidence): number {
    return this.#matches.codeOf(`${evidence.rule} ${evidence.found}`, evidence);
  }

  fileCode(file: FeedFile): number {
    return this.#files.codeOf(`${file.source}/${file.file}`, file);
  }
}

/** Only the last part, the name, is free text, so no two plans have one key. */
function keyOfPlan({ network, dealType, contractMonths, contractName, ...allowances }: Plan): string {
  const { dataMegabytes, callMinutes, textMessages } = allowances;
  return `${network} ${dealType} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages} ${contractName}`;
}

/** Entries that many deals share, each with a code. */
export class Dictionary<Entry> {
  readonly #numbers = new Map<string, number>();
  readonly #entries: Entry[] = [];

  /** The code of the entry with `key`; entries with equal keys are one. */
  codeOf(key: string, entry: Entry): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#entries.push(entry) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }
}

/** A published dictionary: only used entries, in an order that depends on their content. */
export interface RemappedDictionary<Entry> {
  readonly entries: readonly Entry[];
  /** The new code of each old one; undefined for unused entries. */
  readonly numbers: Uint32Array;
}

/** Sorts the entries of the different codes `used`, so that codes do not depend on the order of the sources. */
export function remapCodes<Entry>(
  entries: readonly Entry[],
  used: readonly number[],
  compare: (a: Entry, b: Entry) => number,
): RemappedDictionary<Entry> {
  const sorted = used.toSorted((a, b) => compare(entries[a] as Entry, entries[b] as Entry));
  const numbers = new Uint32Array(entries.length);
  sorted.forEach((old, position) => (numbers[old] = position));
  return { entries: sorted.map((old) => entries[old] as Entry), numbers };
}
