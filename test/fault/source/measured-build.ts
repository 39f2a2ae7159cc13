import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '../../../build/report/build-result.ts';
import { RunningDeals } from '../run-deals.ts';

/**
 * Told by the process itself as it ends: no other process can see the peak of one that is gone. VmHWM is its own, while
 * `maxRSS` begins with that of the process that started it.
 */
const MEASURE = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeFileSync } from 'node:fs';
  process.on('exit', () => {
    const [, kilobytes] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
    writeFileSync(process.env.MEASURE_FILE, String(kilobytes * 1024));
  });
`)}`;

/** A build that waits for something that never comes. */
const HANGS_AFTER_MS = 120_000;

export interface MeasuredBuild {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** What it printed with `--json`; undefined when that is no JSON. */
  readonly result: BuildResult | undefined;
  readonly peakBytes: number;
}

/**
 * Runs `deals build --json` in a process of its own, and measures it. Without a CMS source that cannot be read it would be
 * refused, and nothing said of the others.
 */
export async function measureBuild(folder: string, config: string, now: string): Promise<MeasuredBuild> {
  const measureFile = join(folder, 'measure.json');
  const build = new RunningDeals(['build', '--config', config, '--now', now, '--json', '--accept', 'unread'], {
    node: ['--import', MEASURE],
    cwd: folder,
    env: { MEASURE_FILE: measureFile },
    timeoutMs: HANGS_AFTER_MS,
  });
  const { exitCode, stdout, stderr } = await build.ended;
  return {
    exitCode,
    signal: build.signal,
    stderr,
    result: parseResult(stdout),
    peakBytes: readPeak(measureFile),
  };
}

function parseResult(stdout: string): BuildResult | undefined {
  try {
    return JSON.parse(stdout) as BuildResult;
  } catch {
    return undefined;
  }
}

function readPeak(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // It did not come to its end.
    return NaN;
  }
}
