import { z } from 'zod';
import { lastBuildSchema, type LastBuild, type Report } from '../../data/report/report.ts';
import { LAST_BUILD_FILE, lastBuildPath } from '../../data/store/layout.ts';
import { ChangingFile } from '../../data/store/regular-file.ts';
import { describeNoticeSummary, describeSource } from './snapshot-report.ts';
import type { LastBuildStatus, RefusedBuild, StatusFault } from './status.ts';

/** The report of a build lists some hundred samples: it is far below this. */
const MAX_REPORT_BYTES = 32_000_000;

const { outcome, startedAt, seconds, current, confirmedAt } = lastBuildSchema.shape;
/** What health and metrics need: known also when the rest of the report cannot be read. */
const factsSchema = z.object({ outcome, startedAt, seconds, current, confirmedAt });

export const BUILD_OUTCOMES = outcome.options;

export type LastBuildFacts = z.infer<typeof factsSchema>;

/** The result of the last build, as far as its report can be read. */
export interface LastBuildRead {
  readonly facts?: LastBuildFacts | undefined;
  readonly lastBuild?: LastBuildStatus;
  readonly fault?: StatusFault;
}

/** The `last-build.json` of a store, parsed once for each build. */
export class LastBuildReader {
  readonly #file: ChangingFile<LastBuildRead>;

  constructor(store: string) {
    this.#file = new ChangingFile(lastBuildPath(store), MAX_REPORT_BYTES, parseReport);
  }

  async read(): Promise<LastBuildRead> {
    try {
      return (await this.#file.read()) ?? {};
    } catch (error) {
      return faulty(error instanceof Error ? error.message : String(error));
    }
  }

  /** Undefined when there was no build, or its report cannot be read. */
  async readFacts(): Promise<LastBuildFacts | undefined> {
    return (await this.read()).facts;
  }
}

function faulty(detail: string): LastBuildRead {
  return { fault: { file: LAST_BUILD_FILE, detail } };
}

function parseReport(text: string): LastBuildRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faulty('Expected JSON, got text that is not.');
  }
  const facts = factsSchema.safeParse(value).data;
  const { success, data } = lastBuildSchema.safeParse(value);
  if (!success) return { facts, ...faulty('Expected the report of a build, got something else.') };
  return { facts, lastBuild: describeLastBuild(data) };
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
