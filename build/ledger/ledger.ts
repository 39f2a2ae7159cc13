import { compareCodeUnits } from '../../data/record/id.ts';
import { NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';

/** The notices of a source that was not read to its end, has no file, or is held. */
export const UNREAD_CODES: ReadonlySet<NoticeCode> = new Set([
  'source-missing',
  'source-unreadable',
  'source-malformed',
  'source-too-large',
  'old-file',
  'missing-column',
  'carried-forward',
  'not-carried',
  'withdrawn',
]);

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

  /** The sources that were not read to their end, or have no file, each once. */
  listUnread(): readonly string[] {
    return [...new Set(this.#notices.filter(({ code }) => UNREAD_CODES.has(code)).map(({ source }) => source))];
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

  /** Sorted by source, file, line, code and record, so that reports do not depend on the order of reading. */
  get notices(): readonly Notice[] {
    return this.#notices.toSorted(compareNoticeOrder);
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

function compareNoticeOrder(a: Notice, b: Notice): number {
  return (
    compareCodeUnits(a.source, b.source) ||
    compareCodeUnits(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareCodeUnits(a.code, b.code) ||
    compareCodeUnits(a.record ?? '', b.record ?? '') ||
    compareCodeUnits(a.field ?? '', b.field ?? '') ||
    compareCodeUnits(a.found ?? '', b.found ?? '')
  );
}

/** What a notice says, without the record that it is about. */
export type NoticeDetails = Pick<Notice, 'code' | 'field' | 'found' | 'isFoundJson' | 'expected' | 'remedy'>;

/** What is found for a record, or the notice that excludes the record. */
export type Found<Fact> = Fact | { readonly excluded: NoticeDetails };
