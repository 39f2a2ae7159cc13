import { brotliCompressSync, gzipSync, type BrotliOptions, type ZlibOptions } from 'node:zlib';
import { constants } from 'node:zlib';
import { openInProcess } from '../in-process.ts';
import { readCaseOptions } from '../bench-data.ts';
import { line, reportLines, summarise, timeOf, type BenchLine } from '../report-lines.ts';

/** Bytes and time of each effort for pages of deals: the table in server/http/compression.ts. */
const { data, scale } = readCaseOptions();
const SIZES = scale === 'full' ? [2_048, 24_576, 80_000, 262_144, 1_000_000, 20_000_000] : [2_048, 24_576];
/** Efforts of more than a second for a body are not tried on the larger ones. */
const MAX_MS = 3_000;

const brotli = (quality: number): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 },
});
const gzip = (level: number): ZlibOptions => ({ level });
const EFFORTS: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ...[1, 4, 6, 9].map((level) => [`gzip ${level}`, (body: Buffer) => gzipSync(body, gzip(level))] as const),
  ...[1, 3, 4, 5, 9, 11].map(
    (quality) => [`br ${quality}`, (body: Buffer) => brotliCompressSync(body, brotli(quality))] as const,
  ),
];

const { read } = await openInProcess(data.store(scale === 'full' ? '120k' : '20k'));
const whole = Buffer.from(read('/deals/v1/products/?expand=deals&limit=100').body);
const lines: BenchLine[] = [];
const isTooSlow = new Set<string>();
for (const size of SIZES) {
  // Repeated when the store is small; the window of no encoder here reaches back so far.
  const body = Buffer.concat(Array.from({ length: Math.ceil(size / whole.length) }, () => whole)).subarray(0, size);
  for (const [name, encode] of EFFORTS) {
    if (isTooSlow.has(name)) continue;
    const repeats = size < 1_000_000 ? 9 : 3;
    let encodedBytes = 0;
    const times = summarise(
      Array.from({ length: repeats }, () => timeOf(() => (encodedBytes = encode(body).byteLength))),
    );
    if (times.median * 20 > MAX_MS) isTooSlow.add(name);
    lines.push({
      ...line(`${name} of ${size} bytes`, 'shown', 'ms', times),
      effort: { name, bodyBytes: size, encodedBytes },
    });
  }
}
reportLines(lines);
