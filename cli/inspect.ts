import { join } from 'node:path';
import { readLines } from '../data/store/lines.ts';
import { compareCodeUnits } from '../data/record/id.ts';
import { NumberColumn, TextColumn } from '../data/snapshot/column.ts';
import { SNAPSHOT_FILES, type SnapshotFile } from '../data/snapshot/format.ts';
import { readRegularFile } from '../data/store/regular-file.ts';
import { loadSnapshot } from '../server/snapshot/load-snapshot.ts';
import { EXIT, type Context, type ExitCode } from './console/command.ts';
import { defineCommand, readOptions, requireSnapshot, type ReadOptions } from './console/options.ts';
import { formatJson, formatTable } from './console/output.ts';

/** Shows the bytes of each part of a snapshot. */
export const createInspectCommand = defineCommand<ReadOptions, [id?: string]>({
  name: 'inspect',
  description: 'show what takes the bytes of a snapshot: each file, column and dictionary',
  arguments: [['[snapshot]', 'its id (default: the current one)']],
  options: readOptions(),
  examples: ['deals inspect --store dist/catalogue', 'deals inspect --store dist/catalogue --json'],
  run: inspect,
});

async function inspect({ output }: Context, options: ReadOptions, wantedId?: string): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options, wantedId);
  const size = await measureSnapshot(store, id);
  output.result(options.json === true ? formatJson(size) : describeSize(size));
  return EXIT.ok;
}

function describeSize({ snapshot, bytes, files, pictures }: SnapshotSize): string {
  const overview = formatTable(
    [snapshot, 'bytes', 'share', 'lines'],
    files.map((file) => [file.file, file.bytes, share(file.bytes, bytes), file.lines]),
  );
  const total = `${bytes} bytes in all, and ${pictures.bytes} in ${pictures.count} pictures\n`;
  return [overview, total, ...files.filter(({ keys }) => keys.length > 0).map(describeFile)].join('\n');
}

function describeFile({ file, bytes, keys }: FileSize): string {
  const rest = bytes - keys.reduce((sum, key) => sum + key.bytes, 0);
  return formatTable(
    [file, 'bytes', 'share', 'entries', 'in memory'],
    [
      ...keys.map((key) => [key.key, key.bytes, share(key.bytes, bytes), key.entries ?? '', key.memoryBytes ?? '']),
      ['names and punctuation', rest, share(rest, bytes), '', ''],
    ],
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)}%`;
}

/** The bytes of one key in all lines of a file: a column of deals, a dictionary, an expansion of products. */
interface KeySize {
  readonly key: string;
  /** Of the values as JSON, without names, commas and braces. */
  readonly bytes: number;
  /** Values of a column, or entries of a dictionary. Absent without an array. */
  readonly entries?: number;
  /** The memory of a column in a server. */
  readonly memoryBytes?: number;
}

export interface FileSize {
  readonly file: SnapshotFile;
  readonly bytes: number;
  readonly lines: number;
  readonly keys: readonly KeySize[];
}

export interface SnapshotSize {
  readonly snapshot: string;
  readonly bytes: number;
  readonly files: readonly FileSize[];
  /** The rendered pictures of the snapshot. Other snapshots may share them. */
  readonly pictures: { readonly count: number; readonly bytes: number };
}

/** @throws {SnapshotError} for a missing or damaged snapshot */
export async function measureSnapshot(store: string, id: string): Promise<SnapshotSize> {
  const { manifest, index } = await loadSnapshot(store, id, { publicUrl: '' });
  const files: FileSize[] = [];
  for (const file of SNAPSHOT_FILES) {
    const measured = measureFile(join(store, id, file));
    files.push({
      file,
      bytes: manifest.files[file].bytes,
      lines: measured.lines,
      keys: file === 'deals.ndjson' ? measured.keys.map((size) => addMemory(size, index.deals)) : measured.keys,
    });
  }
  const pictures = [...index.pictures.values()];
  return {
    snapshot: id,
    bytes: sum(files.map(({ bytes }) => bytes)),
    files,
    pictures: { count: pictures.length, bytes: sum(pictures.map(({ bytes }) => bytes)) },
  };
}

/** The sums over all lines of a file for each key, largest first. */
function measureFile(path: string): { readonly lines: number; readonly keys: readonly KeySize[] } {
  const sizes = new Map<string, { bytes: number; entries: number | undefined }>();
  let lines = 0;
  for (const line of valuesOf(path)) {
    lines++;
    for (const [key, value] of Object.entries(JSON.parse(line.toString()) as Readonly<Record<string, unknown>>)) {
      const size = sizes.get(key) ?? { bytes: 0, entries: undefined };
      size.bytes += Buffer.byteLength(JSON.stringify(value));
      if (Array.isArray(value)) size.entries = (size.entries ?? 0) + value.length;
      sizes.set(key, size);
    }
  }
  const keys = [...sizes].map(([key, { bytes, entries }]) => ({
    key,
    bytes,
    ...(entries === undefined ? {} : { entries }),
  }));
  return { lines, keys: keys.sort((a, b) => b.bytes - a.bytes || compareCodeUnits(a.key, b.key)) };
}

function valuesOf(path: string): Iterable<Buffer> {
  return path.endsWith('.ndjson') ? readLines(path) : [Buffer.from(readRegularFile(path))];
}

function addMemory(size: KeySize, columns: object): KeySize {
  const column = new Map<string, unknown>(Object.entries(columns)).get(size.key);
  const isColumn = column instanceof NumberColumn || column instanceof TextColumn;
  return isColumn ? { ...size, memoryBytes: column.byteLength } : size;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
