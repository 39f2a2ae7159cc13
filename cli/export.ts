import { createWriteStream, existsSync, openSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { removeBestEffort } from '../data/store/durable-file.ts';
import { newPath } from '../data/store/layout.ts';
import { readManifest } from '../data/store/snapshots.ts';
import { findFileError, isSystemError } from '../data/store/system-error.ts';
import { CommandError, defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { describeSystemError } from './console/errors.ts';
import { CONFIG, option, requireSnapshot, STORE, type StoreOptions } from './console/options.ts';
import type { Output } from './console/output.ts';
import { EXPORT_FORMAT_NAMES, writeDeals, type ExportFormatName } from './export-records.ts';

interface ExportOptions extends StoreOptions {
  readonly format: ExportFormatName;
  readonly snapshot?: string;
  readonly output?: string;
}

/** Writes the deals of a snapshot as flat records. */
export const createExportCommand = defineCommand<ExportOptions>({
  name: 'export',
  description: 'write the deals of a snapshot as flat records, for analysis engines and spreadsheets',
  options: [
    option('-f, --format <format>', 'NDJSON for engines, CSV for spreadsheets')
      .choices(EXPORT_FORMAT_NAMES)
      .makeOptionMandatory(),
    STORE,
    CONFIG,
    option('--snapshot <id>', 'export this snapshot (default: the current one)'),
    option('-o, --output <file>', 'the file to write, replaced when all is written (default: stdout)'),
  ],
  note: 'A damaged snapshot ends with exit code 1. data/spec/export.md describes the columns.',
  examples: [
    'deals export --format csv --output deals.csv',
    'deals export --format ndjson --store dist/catalogue | grep -c \'"condition":"new"\'',
  ],
  run: exportDeals,
});

async function exportDeals({ output }: Context, options: ExportOptions): Promise<ExitCode> {
  const { store, id } = await requireSnapshot(options, options.snapshot);
  const manifest = readManifest(store, id);
  const chunks = writeDeals(store, manifest, options.format);
  if (options.output === undefined) {
    await writeToStdout(output, chunks);
    return EXIT.ok;
  }
  const bytes = await writeToFile(options.output, chunks);
  output.lines([`${options.output}: ${manifest.counts.deals} deals of ${id}, ${bytes} bytes`]);
  return EXIT.ok;
}

async function writeToStdout(output: Output, chunks: Iterable<Buffer>): Promise<void> {
  let isBegun = false;
  try {
    for (const chunk of chunks) {
      isBegun = true;
      if (!(await output.longResult(chunk))) return;
    }
  } catch (error) {
    if (isBegun) output.warn('The records on stdout are not complete: do not use them.');
    throw error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Writes a new file beside `path` and puts it in its place when it is whole. Returns its size in bytes. */
async function writeToFile(path: string, chunks: Iterable<Buffer>): Promise<number> {
  const target = resolveTarget(path);
  const temporary = newPath(dirname(target));
  const end = (signal: NodeJS.Signals): void => {
    removeBestEffort(temporary);
    // The signal has no other handler now, so it ends the process.
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    // Opened before the first chunk is made: a fault in that must not be overtaken by the creation of the file.
    const fd = openSync(temporary, 'wx');
    await pipeline(chunks, createWriteStream(temporary, { fd, flush: true }));
    renameSync(temporary, target);
    return statSync(target).size;
  } catch (error) {
    removeBestEffort(temporary);
    // A snapshot that cannot be read is a `SnapshotError`.
    if (!isSystemError(error)) throw error;
    const message = `${path}: cannot be written: ${describeSystemError(error)}; nothing was changed`;
    throw new CommandError(EXIT.failed, message);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** The file that a path names, also through a link. @throws {CommandError} for what a file cannot replace */
function resolveTarget(path: string): string {
  if (!existsSync(path)) {
    const folder = dirname(path);
    if (existsSync(folder)) return path;
    throw new CommandError(EXIT.usage, `--output: expected a file in a folder that exists; there is no ${folder}`);
  }
  const fault = findFileError(path, statSync(path));
  if (fault === undefined) return realpathSync(path);
  throw new CommandError(EXIT.usage, `--output: ${fault.message}; redirect stdout to write to a pipe or a device`);
}
