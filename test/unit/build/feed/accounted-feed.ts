import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { keepEvery } from '../../../../build/check.ts';
import { readFeed } from '../../../../build/read-feed.ts';
import type { PreviousSources } from '../../../../build/feed/feed-checks.ts';
import { readConfig } from '../../../../build/config/config.ts';
import { Ledger, type SourceAccount } from '../../../../build/ledger/ledger.ts';
import type { DealRecord } from '../../../../data/record/deal.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import { NOW } from './reading.ts';

/** What became of a feed, with accounts that add up. */
export interface AccountedFeed {
  readonly deals: readonly DealRecord[];
  readonly lines: readonly number[];
  readonly notices: readonly Notice[];
  readonly account: SourceAccount;
  /** Why it was not read to its end. */
  readonly fault: Notice | undefined;
}

/** Reads files by the settings of a feed as a configuration has them, and keeps every deal; the accounts are checked. */
export async function readAccounted(
  settings: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string | Buffer>>,
  earlier: PreviousSources = [],
): Promise<AccountedFeed> {
  const folder = await mkdtemp(join(tmpdir(), 'deals-feed-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const file = join(folder, 'catalogue.json');
  const feed = { name: 'feed', files: ['feed*'], ...settings };
  const cms = [{ name: 'site', adapter: 'catalogue', files: ['site.json'] }];
  await writeFile(file, JSON.stringify({ cms, feeds: [feed] }));
  const config = await readConfig(file);

  const ledger = new Ledger();
  const deals: DealRecord[] = [];
  const lines: number[] = [];
  let fault: Notice | undefined;
  for (const each of config.feeds) {
    const reader = { folder, now: NOW, currency: 'GBP', earlier, ledger };
    const { state } = await readFeed(each, keepEvery('feed', ledger), reader, (batch) => {
      deals.push(...batch.deals.map(({ deal }) => deal));
      lines.push(...batch.deals.map(({ origin }) => origin.line));
    });
    if (state === 'failed') fault = ledger.noticesOf('feed').at(-1);
  }
  ledger.check();
  return { deals, lines, notices: ledger.notices, account: ledger.account('feed'), fault };
}

/** The only deal of a feed; fails the test with the notices when there is not exactly one. */
export function onlyDeal({ deals, notices }: AccountedFeed): DealRecord {
  const [deal] = deals;
  if (deal === undefined || deals.length > 1) throw new Error(`expected one deal, got ${JSON.stringify(notices)}`);
  return deal;
}

/** The only notice of a feed. */
export function onlyNotice({ notices }: AccountedFeed): Notice {
  const [notice] = notices;
  if (notice === undefined || notices.length > 1)
    throw new Error(`expected one notice, got ${JSON.stringify(notices)}`);
  return notice;
}
