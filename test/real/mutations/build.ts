import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A source in the report of a build, as the READMEs describe it. */
export interface SourceCounts {
  readonly name: string;
  readonly kind: 'cms' | 'feed';
  readonly state: string;
  readonly heldBecause?: string;
  readonly read: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly outOfScope: number;
  readonly quarantined: number;
}

export interface BuildReport {
  readonly sources: readonly SourceCounts[];
  readonly notices: readonly {
    readonly code: string;
    readonly outcome: string;
    readonly source: string;
    readonly count: number;
  }[];
  readonly gates: readonly { readonly gate: string; readonly state: string; readonly detail: string }[];
}

export interface Build {
  readonly status: number;
  readonly stderr: string;
  readonly report: BuildReport | undefined;
}

/** Runs `deals build --json` in a folder with `catalogue.json`; the store is the folder `store` in it. */
export async function build(program: string, folder: string, now: string): Promise<Build> {
  const store = join(folder, 'store');
  const command = [program, 'build', '--config', join(folder, 'catalogue.json'), '--store', store, '--now', now];
  const { status, stdout, stderr } = await run([...command, '--json']);
  return { status, stderr, report: readReport(stdout, store) };
}

function run(command: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { maxBuffer: 64 * 1024 * 1024, env: { PATH: process.env['PATH'] ?? '' }, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ status: code, stdout, stderr });
      },
    );
  });
}

/** The report on stdout, else that of `last-build.json`. */
function readReport(stdout: string, store: string): BuildReport | undefined {
  const texts = [stdout];
  if (existsSync(join(store, 'last-build.json'))) texts.push(readFileSync(join(store, 'last-build.json'), 'utf8'));
  for (const text of texts) {
    if (!text.trimStart().startsWith('{')) continue;
    const { report } = JSON.parse(text) as { report?: BuildReport };
    if (report !== undefined) return report;
  }
  return undefined;
}
