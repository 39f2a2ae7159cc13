import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lastBuildSchema, type LastBuild, type Report } from '../../data/report/report.ts';
import { readRegularText } from '../../data/store/regular-file.ts';
import { describeNotice, describeSource } from './describe-notice.ts';
import type { LastBuildStatus, RefusedBuild, StatusFault } from './status.ts';

const FILE = 'last-build.json';

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_BYTES = 32_000_000;

/** What the last build came to, as far as its report can be read. */
export interface LastBuildRead {
  readonly lastBuild?: LastBuildStatus;
  readonly fault?: StatusFault;
}

/** The `last-build.json` of a store, which is read once for each build. */
export class LastBuildReports {
  readonly #file: string;
  #version = '';
  #read: LastBuildRead = {};

  constructor(store: string) {
    this.#file = join(store, FILE);
  }

  async read(): Promise<LastBuildRead> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#file, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version !== this.#version) {
        this.#read = size > MAX_BYTES ? tooLarge(size) : parse(await readRegularText(this.#file));
        this.#version = version;
      }
      return this.#read;
    } catch (error) {
      this.#version = '';
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      return { fault: { file: FILE, detail: error instanceof Error ? error.message : String(error) } };
    }
  }
}

function tooLarge(bytes: bigint): LastBuildRead {
  return { fault: { file: FILE, detail: `Expected at most ${MAX_BYTES} bytes, got ${bytes}.` } };
}

function parse(text: string): LastBuildRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: { file: FILE, detail: 'Expected JSON, got text that is not.' } };
  }
  const { success, data } = lastBuildSchema.safeParse(value);
  if (!success) return { fault: { file: FILE, detail: 'Expected the report of a build, got something else.' } };
  return { lastBuild: describeLastBuild(data) };
}

function describeLastBuild({ report, acceptCommand, ...facts }: LastBuild): LastBuildStatus {
  return facts.outcome === 'refused' && report !== undefined
    ? { ...facts, refused: describeRefused(report, acceptCommand) }
    : facts;
}

function describeRefused({ sources, gates, notices, goneNotices }: Report, acceptCommand?: string): RefusedBuild {
  return {
    sources: sources.map(describeSource),
    gates: gates.filter(({ state }) => state !== 'passed'),
    notices: notices.map(describeNotice),
    goneNotices,
    ...(acceptCommand === undefined ? {} : { acceptCommand }),
  };
}
