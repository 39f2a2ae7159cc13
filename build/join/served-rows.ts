import type { CatalogueRecords } from '../records/catalogue.ts';
import type { DealTable } from './deal-table.ts';
import type { DealEntries } from './dictionaries.ts';
import { joinTemplate, LinkSites } from './links.ts';
import type { FeedFile } from './order.ts';
import { hashOfLink, type ServedDeals } from './served-deals.ts';

/** Deals in order of rank, with the entries behind their codes. */
export interface ComparedDeals {
  readonly table: DealTable;
  readonly rows: Uint32Array;
  readonly entries: DealEntries;
  readonly records: CatalogueRecords;
}

/** What the snapshot being served has of each row of a table; rows that are not compared have zeros and -1. */
export interface ServedRows {
  /** The compared rows in the order of the table, in which the memory of its columns is read fastest. */
  readonly rowsAsRead: Uint32Array;
  /** The hash of the key. */
  readonly hashes: Float64Array;
  /** The row among the served deals, or -1. */
  readonly servedRows: Int32Array;
  /** The row of the served deal that a new deal was under another retailer of the feed, with its link, or -1. */
  readonly formerRows: Int32Array;
  /** 1 where a row has the link that another deal had. */
  readonly hasTakenLink: Uint8Array;
}

/** A new deal of a feed with more retailers is not looked for under each of them. */
const MAX_TRIED_RETAILERS = 64;

/** Finds the served deals with the keys of these deals, and the deals that took the link of another one. */
export function findServedRows({ table, rows, entries, records }: ComparedDeals, served: ServedDeals): ServedRows {
  const { columns } = table;
  const rowsAsRead = rows.slice().sort();
  const hashes = new Float64Array(table.rowCount);
  const servedRows = new Int32Array(table.rowCount).fill(-1);
  /** The link of each row that has got another one since; 0 for all others. */
  const newLinks = new Float64Array(table.rowCount);
  const hasKeptLink = new Uint8Array(served.rowCount);
  const isKept = new Uint8Array(served.rowCount);
  const retailerIds = records.retailers.map(({ record }) => record.id);
  const links = new LinkSites(entries.linkTemplates.map(joinTemplate));
  rowsAsRead.forEach((row) => {
    const { source } = entries.files[columns.file.at(row)] as FeedFile;
    const seed = served.seedOf(source, retailerIds[columns.retailer.at(row)] as string);
    const hash = table.key.hash(row, seed);
    hashes[row] = hash;
    const servedRow = served.find(hash);
    if (servedRow === undefined) return;
    servedRows[row] = servedRow;
    isKept[servedRow] = 1;
    const link = hashOfLink(seed, links.hashAt(columns.linkTemplate.at(row), table.linkPart, row));
    if (served.linkAt(servedRow) === link) hasKeptLink[servedRow] = 1;
    else newLinks[row] = link;
  });
  const formerRows = new Int32Array(table.rowCount).fill(-1);
  rowsAsRead.forEach((row) => {
    if (servedRows[row] !== -1) return;
    const { source } = entries.files[columns.file.at(row)] as FeedFile;
    const seeds = served.seedsOf(source);
    if (seeds.size === 1 || seeds.size > MAX_TRIED_RETAILERS) return;
    for (const seed of seeds.values()) {
      const former = served.find(table.key.hash(row, seed));
      if (former === undefined || isKept[former] === 1) continue;
      const link = hashOfLink(seed, links.hashAt(columns.linkTemplate.at(row), table.linkPart, row));
      if (served.linkAt(former) === link) formerRows[row] = former;
    }
  });
  const holders = served.findHolders(newLinks.filter((link) => link !== 0));
  // A deal that joins another one on its page takes nothing from it. When several deals come to a page, one has taken
  // it.
  const hasTakenLink = new Uint8Array(table.rowCount);
  rows.forEach((row) => {
    const link = newLinks[row] as number;
    const holder = link === 0 ? undefined : served.findHolder(holders, link, servedRows[row] as number);
    if (holder === undefined || isKept[holder] === 0 || hasKeptLink[holder] === 1) return;
    hasTakenLink[row] = 1;
    hasKeptLink[holder] = 1;
  });
  return { rowsAsRead, hashes, servedRows, formerRows, hasTakenLink };
}
