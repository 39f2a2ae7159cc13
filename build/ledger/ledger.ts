import { NOTICES, type Notice } from '../../data/report/notice.ts';

export interface SourceAccount {
  read: number;
  kept: number;
  duplicate: number;
  outOfScope: number;
  quarantined: number;
}

/** The count of each outcome that ends a record. */
const COUNT_OF = { duplicate: 'duplicate', 'out-of-scope': 'outOfScope', quarantined: 'quarantined' } as const;

/**
 * The accounts of a build: the outcome of every record of every source. A record is `read` once and then is exactly one
 * of kept, duplicate, out of scope or quarantined; `check` proves it.
 */
export class Ledger {
  readonly #accounts = new Map<string, SourceAccount>();
  #notices: Notice[] = [];

  read(source: string, count = 1): void {
    this.account(source).read += count;
  }

  keep(source: string, count = 1): void {
    this.account(source).kept += count;
  }

  /** Excludes a record: out of scope, quarantined, or a duplicate. */
  exclude(notice: Notice): void {
    const { outcome } = NOTICES[notice.code];
    if (outcome === 'notice' || outcome === 'source') throw new Error(`${notice.code} does not end a record`);
    this.account(notice.source)[COUNT_OF[outcome]]++;
    this.#notices.push(notice);
  }

  /** Adds a notice about a served record, or about a source. */
  note(notice: Notice): void {
    this.account(notice.source);
    this.#notices.push(notice);
  }

  /**
   * Discards the records of a source that could not be read to its end: resets its account, and drops all its notices
   * except those about the source itself.
   */
  discardSource(source: string): void {
    this.#accounts.delete(source);
    this.account(source);
    this.#notices = this.#notices.filter(
      (notice) => notice.source !== source || NOTICES[notice.code].outcome === 'source',
    );
  }

  /** The notices of a source so far, in the order in which they were added. */
  noticesOf(source: string): readonly Notice[] {
    return this.#notices.filter((notice) => notice.source === source);
  }

  /** The account of `source`, opened on first use. */
  account(source: string): SourceAccount {
    let account = this.#accounts.get(source);
    if (account === undefined) {
      account = { read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 };
      this.#accounts.set(source, account);
    }
    return account;
  }

  /** In an order that does not depend on the order of reading. */
  get notices(): readonly Notice[] {
    return this.#notices.toSorted(compareNotices);
  }

  /** @throws {Error} when a record has disappeared or was counted twice: a bug. */
  check(): void {
    for (const [source, { read, kept, duplicate, outOfScope, quarantined }] of this.#accounts) {
      if (read !== kept + duplicate + outOfScope + quarantined) {
        throw new Error(
          `the accounts of ${source} do not add up: read ${read}, kept ${kept}, duplicate ${duplicate}, out of scope ${outOfScope}, quarantined ${quarantined}`,
        );
      }
    }
  }
}

const NOTICE_ORDER = ['source', 'file', 'line', 'code', 'record', 'field', 'found'] as const;

/** Numbers by size, texts by code unit. */
function compareNotices(a: Notice, b: Notice): number {
  const key = NOTICE_ORDER.find((each) => (a[each] ?? '') !== (b[each] ?? ''));
  return key === undefined ? 0 : (a[key] ?? '') < (b[key] ?? '') ? -1 : 1;
}

/** What a notice says, without the record that it is about. */
export type NoticeDetails = Pick<Notice, 'code' | 'field' | 'found' | 'isFoundJson' | 'expected' | 'remedy'>;

/** What is found for a record, or the notice that excludes the record. */
export type Found<Fact> = Fact | { readonly excluded: NoticeDetails };

/** What a source costs so far. Counted, not measured, so that every machine rejects the same sources. */
export interface SourceCost {
  /** Different product references: each is compared with every product. */
  readonly lookups: number;
  /** Different names that match no product. */
  readonly unknownNames: number;
}

const MAX_LOOKUPS = 50_000;

/** A source that excludes a larger share of its records is the wrong file, once it has cost so much. */
const WRONG_FILE_SHARE = 0.9;
const WRONG_FILE_LIMITS = { unknownNames: 20_000, quarantined: 100_000 } as const;

/** The limit that a source exceeds, if any, as a message. Checked after every batch of records. */
export function findExceededLimit(
  { read, outOfScope, quarantined }: SourceAccount,
  { lookups, unknownNames }: SourceCost,
): string | undefined {
  const excluded = outOfScope + quarantined;
  const isCostly = unknownNames > WRONG_FILE_LIMITS.unknownNames || quarantined >= WRONG_FILE_LIMITS.quarantined;
  if (isCostly && excluded > read * WRONG_FILE_SHARE) {
    return `expected deals, got ${excluded} records that cannot be served and hardly any that can; check that the right adapter is configured, or ask for a feed of phones only`;
  }
  if (lookups <= MAX_LOOKUPS) return undefined;
  return `expected at most ${MAX_LOOKUPS} different names and ids of products, got more in ${read} records; ask for the name of the phone alone, without what the deal costs`;
}
