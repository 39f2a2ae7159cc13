import { execFile, fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A source in the report of a build, as the READMEs describe it. */
interface SourceCounts {
  readonly name: string;
  readonly kind: 'cms' | 'feed';
  readonly state: string;
  readonly heldBecause?: string;
  readonly read: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly outOfScope: number;
  readonly quarantined: number;
  /** The parts of a feed that are not served from its file. */
  readonly held?: readonly object[];
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

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command `deals`, one at a time. */
export interface Builder {
  /** Runs `deals build --json` in a folder with `catalogue.json`; the store is the folder `store` in it. */
  build(folder: string, now: string, ...more: readonly string[]): Promise<Build>;
  end(): void;
}

/** `isSpawned`: a process for each command, as it is used; otherwise one process runs one after the other. */
export function createBuilder(program: string, isSpawned: boolean): Builder {
  const worker = isSpawned ? undefined : startWorker(program);
  return {
    async build(folder, now, ...more) {
      const store = join(folder, 'store');
      const words = [
        'build',
        '--config',
        join(folder, 'catalogue.json'),
        '--store',
        store,
        '--now',
        now,
        '--json',
        ...more,
      ];
      const { status, stdout, stderr } = await (worker === undefined ? spawn(program, words) : ask(worker, words));
      return { status, stderr, report: readReport(stdout, store) };
    },
    end: () => worker?.disconnect(),
  };
}

function startWorker(program: string): ChildProcess {
  // Without the loader of the tests: the program is compiled.
  return fork(join(import.meta.dirname, 'build-worker.mjs'), [program], {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '' },
  });
}

function ask(worker: ChildProcess, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`deals ${words.join(' ')}: the process has ended`));
    worker.once('exit', onExit);
    worker.once('message', (ran) => {
      worker.off('exit', onExit);
      resolve(ran as Ran);
    });
    worker.send(words);
  });
}

function spawn(program: string, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words],
      { maxBuffer: 64 * 1024 * 1024, env: { PATH: process.env['PATH'] ?? '' }, timeout: 60_000 },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
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
