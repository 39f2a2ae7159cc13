import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXPORT_FORMAT_NAMES } from '../../../cli/export/formats.ts';
import { readCaseOptions } from '../bench-data.ts';
import { line, reportLines, type BenchLine } from '../report-lines.ts';
import { MEGABYTE, runDeals } from '../server-process.ts';

/** What an export of a million deals takes, into a file. */
const { data } = readCaseOptions();
const file = join(data.folder, 'export');
const lines: BenchLine[] = [];
for (const format of EXPORT_FORMAT_NAMES) {
  const args = ['export', '--format', format, '--store', data.store('1m'), '--output', file];
  const { seconds, peakBytes, stdout } = await runDeals(args);
  const [, dealCount, byteCount] = /: (\d+) deals of .*, (\d+) bytes$/m.exec(stdout) ?? [];
  if (dealCount === undefined) throw new Error(`expected the number of deals, got ${stdout}`);
  const note = `${dealCount} deals, ${Math.round(Number(byteCount) / MEGABYTE)} MB`;
  lines.push(
    line(`export of 1M deals as ${format}`, '< 10', 's', seconds, note),
    line('the same, memory at its peak', '< 200', 'MB', peakBytes / MEGABYTE),
  );
}
await rm(file);
reportLines(lines);
