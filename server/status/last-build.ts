import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { lastBuildSchema, type LastBuild, type Report } from '../../data/report/report.ts';
import { readRegularText } from '../../data/store/regular-file.ts';
import { describeNoticeSummary, describeSource } from './snapshot-report.ts';
import type { LastBuildStatus, RefusedBuild, StatusFault } from './status.ts';

const LAST_BUILD_FILE = 'last-build.json';

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_REPORT_BYTES = 32_000_000;

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
    this.#file = join(store, LAST_BUILD_FILE);
  }

  async read(): Promise<LastBuildRead> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#file, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version !== this.#version) {
        this.#read = size > MAX_REPORT_BYTES ? tooLarge(size) : parseReport(await readRegularText(this.#file));
        this.#version = version;
      }
      return this.#read;
    } catch (error) {
      this.#version = '';
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
      return { fault: { file: LAST_BUILD_FILE, detail: error instanceof Error ? error.message : String(error) } };
    }
  }
}

function tooLarge(bytes: bigint): LastBuildRead {
  return { fault: { file: LAST_BUILD_FILE, detail: `Expected at most ${MAX_REPORT_BYTES} bytes, got ${bytes}.` } };
}

function parseReport(text: string): LastBuildRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: { file: LAST_BUILD_FILE, detail: 'Expected JSON, got text that is not.' } };
  }
  const { success, data } = lastBuildSchema.safeParse(value);
  if (!success)
    return { fault: { file: LAST_BUILD_FILE, detail: 'Expected the report of a build, got something else.' } };
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
    notices: notices.map(describeNoticeSummary),
    goneNotices,
    ...(acceptCommand === undefined ? {} : { acceptCommand }),
  };
}

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_FACTS_BYTES = 16_000_000;

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

export type LastBuildFacts = z.infer<typeof factsSchema>;

/** The `last-build.json` of a store, which is parsed once for each build. */
export class LastBuildReader {
  readonly #file: string;
  #version = '';
  #facts: LastBuildFacts | undefined;

  constructor(store: string) {
    this.#file = join(store, 'last-build.json');
  }

  /** What the last build came to; undefined when there was none, or nobody can tell. */
  async read(): Promise<LastBuildFacts | undefined> {
    try {
      const { ino, size, mtimeNs } = await stat(this.#file, { bigint: true });
      const version = [ino, size, mtimeNs].join(' ');
      if (version !== this.#version) {
        this.#facts =
          size > MAX_FACTS_BYTES ? undefined : factsSchema.parse(JSON.parse(await readRegularText(this.#file)));
        this.#version = version;
      }
      return this.#facts;
    } catch {
      this.#version = '';
      return undefined;
    }
  }
}
