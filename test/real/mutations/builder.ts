import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../../data/report/report.ts';
import { parseLines, type ServedDeal } from '../../support/served-deals.ts';
import { HeldDeals } from '../../fault/publish/held-deals.ts';
import { requireSuccess } from '../../harness.ts';

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
  end(): Promise<void>;
}

export async function createBuilder(): Promise<Builder> {
  const held = await HeldDeals.start();
  return {
    build: async (folder, now, ...more) => {
      const store = join(folder, 'store');
      const config = ['--config', join(folder, 'catalogue.json'), '--store', store];
      const { exitCode, stdout, stderr } = await held.run('build', ...config, '--now', now, '--json', ...more);
      return { status: exitCode ?? -1, stderr, report: readReport(stdout, store) };
    },
    readDeals: async (folder) => {
      const words = ['export', '--store', join(folder, 'store'), '--format', 'ndjson'];
      return parseLines<ServedDeal>(requireSuccess(await held.run(...words)).stdout);
    },
    end: () => held.kill(),
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
