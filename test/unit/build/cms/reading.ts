import { expect, onTestFinished } from 'vitest';
import { UnpackedImages } from '../../../../build/cms/adapter.ts';
import type { EntityType } from '../../../../build/cms/fields.ts';
import { readCms } from '../../../../build/read-source.ts';
import type { BuildConfig } from '../../../../build/config/config.ts';
import { Ledger, type SourceAccount } from '../../../../build/ledger/ledger.ts';
import type { CmsReading, CmsRecords } from '../../../../build/source/record.ts';
import { NOTICES, type Notice } from '../../../../data/report/notice.ts';
import { expectPart, expectParts } from '../cases.ts';
import { writeSources, type Files } from '../write-sources.ts';

export type { Files };

export interface SiteReading extends CmsReading {
  readonly notices: readonly Notice[];
  readonly account: SourceAccount;
  readonly unpacked: UnpackedImages;
  readonly config: BuildConfig;
}

/** Reads one CMS source, named `site`, from files on the disk through a configuration that is checked. */
export async function readSite(files: Files, source: object): Promise<SiteReading> {
  const config = await writeSources(files, { cms: [{ name: 'site', ...source }] });
  const ledger = new Ledger();
  const unpacked = new UnpackedImages();
  onTestFinished(() => unpacked.remove());
  const reading = await readCms(config, ledger, unpacked);
  ledger.keep('site', countRecords(reading.records));
  ledger.check();
  return { ...reading, notices: ledger.notices, account: ledger.account('site'), unpacked, config };
}

function countRecords(records: CmsRecords): number {
  return Object.values(records).reduce((sum, list: readonly unknown[]) => sum + list.length, 0);
}

/** The notices of records that are not served. */
export function leftOutOf({ notices }: SiteReading): readonly Notice[] {
  return notices.filter(({ code }) => ['quarantined', 'out-of-scope'].includes(NOTICES[code].outcome));
}

/** The codes of all notices, sorted. */
export function codesOf({ notices }: SiteReading): readonly string[] {
  return notices.map(({ code }) => code).toSorted();
}

/** What is expected of a reading. In a part, null is no value, and other keys may be there. */
export interface ExpectedReading {
  readonly state?: string;
  /** A part of each notice. */
  readonly notices?: readonly object[];
  /** A part of the first product; null is no product. */
  readonly product?: object | null;
  /** A part of each record of a list. */
  readonly records?: Readonly<Partial<Record<EntityType, readonly object[]>>>;
  readonly account?: Partial<SourceAccount>;
  /** Texts that are in no record and no notice. */
  readonly absent?: readonly string[];
}

export function expectReading(
  { config: _config, ...site }: SiteReading,
  { state = 'fresh', notices = [], product, records = {}, account = {}, absent = [] }: ExpectedReading,
): void {
  expect(site.states).toMatchObject([{ state }]);
  expectParts(site.notices, notices);
  for (const [list, expected] of Object.entries(records)) {
    expectParts(
      site.records[list as EntityType].map(({ record }) => record),
      expected,
    );
  }
  const [first] = site.records.products;
  if (product === null) expect(first).toBeUndefined();
  else if (product !== undefined) expectPart(first?.record ?? expect.fail('expected a product'), product);
  expect(site.account).toMatchObject(account);
  for (const text of absent) expect(JSON.stringify(site)).not.toContain(text);
}
