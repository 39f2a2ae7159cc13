import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { formatCsv } from '../../support/csv.ts';
import { SAMPLE } from './enlarged-sample.ts';

/**
 * The lines of an Awin download with all its columns, some four kilobytes each: the rows of the sample again and again,
 * each time a penny dearer.
 */
export function* streamAwinFeed(rowCount: number): Generator<string> {
  const file = gunzipSync(readFileSync(join(SAMPLE, 'feeds/awin/datafeed.csv.gz')));
  const rows = parse(file, { columns: true }) as Readonly<Record<string, string>>[];
  const columns = Object.keys(rows[0] ?? {});
  yield formatCsv(columns, []).trimEnd();
  for (let number = 0; number < rowCount; number++) {
    const row = rows[number % rows.length] as Readonly<Record<string, string>>;
    const monthly = row['Telcos:month_cost'] ?? '';
    const dearer = (Number(monthly) + Math.floor(number / rows.length) / 100).toFixed(2);
    const id = String(40_000_000_000 + number);
    const moved = {
      ...row,
      aw_deep_link: (row['aw_deep_link'] ?? '').replace(/p=\d+/, `p=${id}`),
      aw_product_id: id,
      merchant_product_id: String(50_000_000 + number),
      'Telcos:month_cost': dearer,
      'Telcos:deal_cost_json': (row['Telcos:deal_cost_json'] ?? '')
        .replaceAll(`"${monthly}"`, `"${dearer}"`)
        .replace(/"tco_inc_vat":"[^"]*"/, '"tco_inc_vat":""'),
    };
    yield formatCsv(columns, [moved]).slice(columns.join(',').length + 1, -1);
  }
}
