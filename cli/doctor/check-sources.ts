import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { BuildConfig } from '../../build/config.ts';
import { findSourceFiles, type SourceFile } from '../../build/source/find-source-files.ts';
import { findUnmatchedFiles } from '../../build/source/find-unmatched-files.ts';
import { SourceError } from '../../build/source/source-error.ts';
import { describeSpan, fault, ok, warning, type Finding } from './finding.ts';

export interface SourcesCheck {
  readonly findings: readonly Finding[];
  /** The newest time of a source file, if there is any. */
  readonly newestMs: number | undefined;
}

/** The files of every source: there, readable, and of a feed not too old. */
export async function checkSources(config: BuildConfig, now: Date): Promise<SourcesCheck> {
  const sources = [
    ...config.cms.map((source) => ({ ...source, maxAgeMs: Infinity, isNeeded: true })),
    ...config.feeds.map((feed) => ({
      ...feed,
      maxAgeMs: config.freshness.maxUnchangedMs,
      isNeeded: feed.required,
    })),
  ];
  const checked = await Promise.all(sources.map((source) => checkSource(config.folder, source, now)));
  const times = checked.flatMap(({ newestMs }) => newestMs ?? []);
  return {
    findings: checked.map(({ finding }) => finding),
    newestMs: times.length === 0 ? undefined : Math.max(...times),
  };
}

interface WantedSource {
  readonly name: string;
  readonly files: readonly string[];
  readonly maxAgeMs: number;
  /** Without it nothing is published. */
  readonly isNeeded: boolean;
}

interface SourceCheck {
  readonly finding: Finding;
  readonly newestMs?: number;
}

async function checkSource(folder: string, source: WantedSource, now: Date): Promise<SourceCheck> {
  const { name, files: globs, maxAgeMs, isNeeded } = source;
  let files: readonly SourceFile[];
  try {
    files = await findSourceFiles(folder, source);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { finding: fault('sources', `${name}: ${error.message}`, 'mend the link, or `files` of the source') };
  }
  if (files.length === 0) {
    const others = await findUnmatchedFiles(folder, source);
    const found = `${name}: no file matches ${globs.join(', ')} in ${folder}${others.length === 0 ? '' : `, not even ${others.join(', ')}`}`;
    const remedy = 'put its files there, or mend `files` in the configuration';
    return { finding: isNeeded ? fault('sources', found, remedy) : warning('sources', found, remedy) };
  }
  const times: number[] = [];
  for (const { absolutePath, path } of files) {
    try {
      await access(absolutePath, constants.R_OK);
      times.push((await stat(absolutePath)).mtimeMs);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const remedy = `let this user read it: chmod, or chown to the user who builds`;
      return { finding: fault('sources', `${name}: ${path} cannot be read (${code})`, remedy) };
    }
  }
  const newestMs = Math.max(...times);
  const ageMs = Math.max(0, now.getTime() - newestMs);
  const found = `${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, the newest ${describeSpan(ageMs)} old`;
  const finding =
    ageMs > maxAgeMs
      ? warning('sources', found, 'see whether it is still fetched, or raise freshness.maxUnchangedDays')
      : ok('sources', found);
  return { finding, newestMs };
}
