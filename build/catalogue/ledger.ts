import { NOTICES, type Notice } from '../../data/report/notice.ts';

interface Account {
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
  readonly #accounts = new Map<string, Account>();
  readonly #notices: Notice[] = [];

  /** Counts `count` records that were read from `source`. */
  read(source: string, count = 1): void {
    this.account(source).read += count;
  }

  keep(source: string, count = 1): void {
    this.account(source).kept += count;
  }

  /** Records that a record ends here: out of scope, quarantined, or the duplicate of another. */
  leaveOut(notice: Notice): void {
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
    this.#notices.push(notice);
  }

  /** Notes something about a record that is served, or about a whole source. */
  note(notice: Notice): void {
    this.account(notice.source);
    this.#notices.push(notice);
  }

  /** The account of `source`, opened on first use. */
  account(source: string): Account {
    let account = this.#accounts.get(source);
    if (account === undefined) {
      account = { read: 0, kept: 0, duplicate: 0, outOfScope: 0, quarantined: 0 };
      this.#accounts.set(source, account);
    }
    return account;
  }

  get notices(): readonly Notice[] {
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
}
