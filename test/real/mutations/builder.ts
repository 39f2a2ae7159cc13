import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../data/report/report.ts';
import { parseLines, type ServedDeal } from '../../support/served-deals.ts';
import { DEALS } from '../../fault/program.ts';

export interface Build {
  readonly status: number;
  readonly stderr: string;
  readonly report: Report | undefined;
}

/** The compiled command in a process that stays, which saves a start of Node for each of hundreds of builds. */
export interface Builder {
  /** Runs `deals build --json` in a folder with `catalogue.json`; the store is the folder `store` in it. */
  build(folder: string, now: string, ...more: readonly string[]): Promise<Build>;
  /** What the store of a folder serves. */
  readDeals(folder: string): Promise<ServedDeal[]>;
  end(): void;
}

export function createBuilder(): Builder {
  // Without the loader of the tests: the program is compiled.
  const child = fork(join(import.meta.dirname, 'builder-process.mjs'), [DEALS], {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process of the builds has ended')));
  ended.catch(() => undefined);
  const run = async (...words: readonly string[]) => {
    child.send(words);
    const [ran] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return ran as { readonly status: number; readonly stdout: string; readonly stderr: string };
  };
  return {
    build: async (folder, now, ...more) => {
      const store = join(folder, 'store');
      const config = ['--config', join(folder, 'catalogue.json'), '--store', store];
      const { status, stdout, stderr } = await run('build', ...config, '--now', now, '--json', ...more);
      return { status, stderr, report: readReport(stdout, store) };
    },
    readDeals: async (folder) => {
      const { status, stdout, stderr } = await run('export', '--store', join(folder, 'store'), '--format', 'ndjson');
      if (status !== 0) throw new Error(`deals export: ${stderr}`);
      return parseLines<ServedDeal>(stdout);
    },
    end: () => child.disconnect(),
  };
}

/** The report on stdout, else that of `last-build.json`. */
function readReport(stdout: string, store: string): Report | undefined {
  const last = join(store, 'last-build.json');
  for (const text of [stdout, existsSync(last) ? readFileSync(last, 'utf8') : '']) {
    if (!text.trimStart().startsWith('{')) continue;
    const { report } = JSON.parse(text) as { report?: Report };
    if (report !== undefined) return report;
  }
  return undefined;
}
