import { compareCodeUnits } from '../../data/record/id.ts';
import { NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import type { SourceLocation } from '../source/record.ts';

/** What a source takes up beside its bytes: objects, and places in lists and maps. Measured, on 64 bits. */
export const OBJECT_BYTES = 200;

/** What is said of a source that was not read to its end, has no file, or is held. */
const UNREAD_CODES: ReadonlySet<NoticeCode> = new Set([
  'source-missing',
  'source-unreadable',
  'source-malformed',
  'source-too-large',
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

/**
 * The accounts of a build: what became of every record of every source. A record is `read` once and then ends in
 * exactly one of kept, duplicate, out of scope or quarantined; `check` proves it.
 */
export class Ledger {
  readonly #accounts = new Map<string, SourceAccount>();
  readonly #heldBytes = new Map<string, number>();
  #notices: Notice[] = [];
  #isSorted = true;

  /** A ledger that begins with the same entries; what is entered in one is not in the other. */
  fork(): Ledger {
    const fork = new Ledger();
    for (const [source, account] of this.#accounts) fork.#accounts.set(source, { ...account });
    for (const [source, bytes] of this.#heldBytes) fork.#heldBytes.set(source, bytes);
    fork.#notices = [...this.#notices];
    fork.#isSorted = this.#isSorted;
    return fork;
  }

  /** Counts `count` records that were read from `source`. */
  read(source: string, count = 1): void {
    this.account(source).read += count;
  }

  keep(source: string, count = 1): void {
    this.account(source).kept += count;
  }

  /** Records that a record ends here: out of scope, quarantined, or the duplicate of another. */
  exclude(notice: Notice): void {
    const account = this.account(notice.source);
    switch (NOTICES[notice.code].outcome) {
      case 'duplicate':
        account.duplicate++;
        break;
      case 'out-of-scope':
        account.outOfScope++;
        break;
      case 'quarantined':
        account.quarantined++;
        break;
      case 'notice':
      case 'source':
        throw new Error(`${notice.code} does not end a record`);
    }
    this.#add(notice);
  }

  /** Notes something about a record that is served, or about a whole source. */
  note(notice: Notice): void {
    this.account(notice.source);
    this.#add(notice);
  }

  /** Takes a notice of an earlier build again: as the end of its record, or as a note. */
  replay(notice: Notice): void {
    const { outcome } = NOTICES[notice.code];
    if (outcome === 'notice' || outcome === 'source') this.note(notice);
    else this.exclude(notice);
  }

  /**
   * Forgets every record of a source that could not be read to its end: its account is zero again, and of its notices
   * only those about the whole source stay. What it would have served is not served, so there is nothing to account for.
   */
  discardSource(source: string): void {
    this.#accounts.delete(source);
    this.#heldBytes.delete(source);
    this.account(source);
    this.#notices = this.#notices.filter(
      (notice) => notice.source !== source || NOTICES[notice.code].outcome === 'source',
    );
  }

  /** What has been said of a source so far, in the order in which it was said. */
  noticesOf(source: string): readonly Notice[] {
    return this.#notices.filter((notice) => notice.source === source);
  }

  /** About what is held of the notices of a source, in bytes. */
  heldBytes(source: string): number {
    return this.#heldBytes.get(source) ?? 0;
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

  /** In order of source, file, line, code and record, so that reports do not depend on who was read first. */
  get notices(): readonly Notice[] {
    if (!this.#isSorted) {
      this.#notices.sort(compareNoticeOrder);
      this.#isSorted = true;
    }
    return this.#notices;
  }

  /** @throws {Error} when a record of some source has disappeared or was counted twice: a bug. */
  check(): void {
    for (const [source, { read, kept, duplicate, outOfScope, quarantined }] of this.#accounts) {
      if (read !== kept + duplicate + outOfScope + quarantined) {
        throw new Error(
          `the accounts of ${source} do not add up: read ${read}, kept ${kept}, duplicate ${duplicate}, out of scope ${outOfScope}, quarantined ${quarantined}`,
        );
      }
    }
  }

  #add(notice: Notice): void {
    this.#notices.push(notice);
    this.#heldBytes.set(notice.source, this.heldBytes(notice.source) + sizeOfNotice(notice));
    this.#isSorted = false;
  }
}

/** Its texts, and the object with its keys. */
function sizeOfNotice(notice: Notice): number {
  let bytes = OBJECT_BYTES;
  for (const value of Object.values(notice)) bytes += typeof value === 'string' ? value.length : OBJECT_BYTES / 4;
  return bytes;
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

/** What is wrong with a record, apart from which record it is. */
export type NoticeDetails = Pick<Notice, 'code' | 'field' | 'found' | 'expected' | 'remedy'>;

const MAX_FOUND_LENGTH = 80;

/** The notice of a finding about the record `record` at `origin`. */
export function createNotice(finding: NoticeDetails, record: string, origin: SourceLocation): Notice {
  const { source, file, line, list } = origin;
  return { ...finding, record, source, file, line, ...(list === undefined ? {} : { list }) };
}

/** `feeds/house.csv:418`, where a person looks for a row of a feed. */
export function formatFileAndLine(origin: SourceLocation): string {
  return `${origin.file}:${origin.line}`;
}

/** A text from outside, cut so that it fits a report. */
export function truncateText(text: string): string {
  return text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH - 1)}…` : text;
}

/** The same, quoted for a sentence. */
export function quoteTruncated(text: string): string {
  return JSON.stringify(truncateText(text));
}
