import type { Plan } from '../../data/snapshot/format.ts';
import type { DealGift, MatchWay } from './catalogue.ts';
import type { Renumbered } from './deal-table.ts';
import { Dictionary } from './dictionary.ts';
import type { Cashback } from './judge-deal.ts';
import type { PublishedTemplate } from './link-table.ts';
import type { FeedFile } from './order-deals.ts';

/** What the numbers in a table of deals stand for. */
export interface DealEntries {
  readonly plans: readonly Plan[];
  readonly gifts: readonly DealGift[];
  readonly cashbacks: readonly Cashback[];
  readonly pictures: readonly string[];
  readonly matches: readonly MatchWay[];
  readonly files: readonly FeedFile[];
  readonly linkTemplates: readonly PublishedTemplate[];
}

/** Numbers what deals share, but for the templates of their links. */
export class DealDictionaries {
  readonly #plans = new Dictionary<Plan>();
  readonly #gifts = new Dictionary<DealGift>();
  readonly #cashbacks = new Dictionary<Cashback>();
  readonly #pictures = new Dictionary<string>();
  readonly #matches = new Dictionary<MatchWay>();
  readonly #files = new Dictionary<FeedFile>();
  readonly entries: Omit<DealEntries, 'linkTemplates'> = {
    plans: this.#plans.entries,
    gifts: this.#gifts.entries,
    cashbacks: this.#cashbacks.entries,
    pictures: this.#pictures.entries,
    matches: this.#matches.entries,
    files: this.#files.entries,
  };

  get heldBytes(): number {
    const all = [this.#plans, this.#gifts, this.#cashbacks, this.#pictures, this.#matches, this.#files];
    return all.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  numberOfPlan(plan: Plan): number {
    return this.#plans.numberOf(keyOfPlan(plan), plan);
  }

  numberOfGift(gift: DealGift): number {
    return this.#gifts.numberOf(gift.kind === 'record' ? `record ${gift.giftRow}` : `text ${gift.name}`, gift);
  }

  numberOfCashback(cashback: Cashback): number {
    return this.#cashbacks.numberOf(`${cashback.valuePence} ${cashback.type}`, cashback);
  }

  numberOfPicture(picture: string): number {
    return this.#pictures.numberOf(picture, picture);
  }

  numberOfMatch(way: MatchWay): number {
    return this.#matches.numberOf(`${way.rule} ${way.found}`, way);
  }

  numberOfFile(file: FeedFile): number {
    return this.#files.numberOf(`${file.source}/${file.file}`, file);
  }

  /** Enters all of `entries`: what a column of their numbers has to hold instead. */
  addAll(entries: Omit<DealEntries, 'linkTemplates'>): Omit<Renumbered, 'linkTemplate'> {
    return {
      plan: Uint32Array.from(entries.plans, (plan) => this.numberOfPlan(plan)),
      gift: optional(entries.gifts.map((gift) => this.numberOfGift(gift))),
      cashback: optional(entries.cashbacks.map((cashback) => this.numberOfCashback(cashback))),
      picture: optional(entries.pictures.map((picture) => this.numberOfPicture(picture))),
      match: Uint32Array.from(entries.matches, (way) => this.numberOfMatch(way)),
      file: Uint32Array.from(entries.files, (file) => this.numberOfFile(file)),
    };
  }
}

/** In a column where 0 is none, entry n is n + 1. */
function optional(numbers: readonly number[]): Uint32Array {
  return Uint32Array.from([0, ...numbers.map((number) => 1 + number)]);
}

/** The parts in an order in which no two plans have one key: only the last, the name, is free text. */
function keyOfPlan({ network, dealType, contractMonths, contractName, ...allowances }: Plan): string {
  const { dataMegabytes, callMinutes, textMessages } = allowances;
  return `${network} ${dealType} ${contractMonths} ${dataMegabytes} ${callMinutes} ${textMessages} ${contractName}`;
}
