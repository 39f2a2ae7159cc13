import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csvOf, onlyDeal, readWith } from '../unit/build/feed/reading.ts';

const FEED = { adapter: 'awin', merchants: {} };

/** A real row, which is not part of the project: its folder lies beside the project's. */
const REAL_ROW = new URL('../../../shared/data/awin/awin_telcos_o2_real_row_2017.csv', import.meta.url);
const hasRealRow = existsSync(REAL_ROW);
if (!hasRealRow) console.log('skipped: the real feed is not beside the project (test/real/awin-row.test.ts)');

describe.skipIf(!hasRealRow)('a real row, with its telecom columns taken away', () => {
  it('is read by the rules of its merchant as it was with them', async () => {
    const { parse } = await import('csv-parse/sync');
    const [row = {}] = parse(readFileSync(REAL_ROW), { columns: true, bom: true }) as Record<string, string>[];
    const merchants = {
      [row.merchant_id ?? '']: {
        patterns: {
          product_name: [
            '{productName} at £{upfrontCost} on {contractName} ({contractMonths} Month(s) contract) with {callMinutes} mins; {textMessages} texts; {dataGb} of {*}G data. £{monthlyCost} a month.',
          ],
        },
        constants: { network: 'O2' },
      },
    };
    const columns = Object.keys(row).filter((name) => !name.startsWith('Telcos:'));
    const deal = onlyDeal(await readWith({ ...FEED, merchants }, { 'feed.csv': csvOf(columns, row) }));
    const whole = onlyDeal(await readWith(FEED, { 'feed.csv': readFileSync(REAL_ROW) }));
    const { key, contractName, contractMonths, dataMegabytes, callMinutes, upfrontPence, monthlyPence, link } = whole;
    expect(deal).toMatchObject({
      key,
      contractName,
      contractMonths,
      dataMegabytes,
      callMinutes,
      upfrontPence,
      monthlyPence,
      link,
      // Without the column only the title says it.
      product: { saysNotNew: true },
    });
  });
});
