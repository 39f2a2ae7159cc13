import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildResult } from '../../../build/report/build-result.ts';
import type { NoticeCode } from '../../../data/report/notice.ts';
import { createSources, writeSources } from '../../unit/build/run/write-sources.ts';
import { RunningDeals } from '../run-deals.ts';

/** What is to become of a hostile source. */
export interface Fate {
  readonly state: 'fresh' | 'failed' | 'absent';
  /** Records that are served. */
  readonly kept: number;
  /** How often each code is given; every other code of the source fails the case. */
  readonly codes: Partial<Readonly<Record<NoticeCode, number | 'some'>>>;
  /** What the first notice of the first code says. */
  readonly says?: RegExp | undefined;
}

/** The whole source is set aside, with one notice of this code. */
export function failed(code: NoticeCode, says: RegExp, codes: Fate['codes'] = {}): Fate {
  return { state: 'failed', kept: 0, codes: { [code]: 1, ...codes }, says };
}

/** The source is read to its end, and this is said of its records. */
export function fresh(kept: number, codes: Fate['codes'] = {}, says?: RegExp): Fate {
  return { state: 'fresh', kept, codes, says };
}

export function absent(): Fate {
  return { state: 'absent', kept: 0, codes: { 'source-missing': 1 }, says: /expected a file that matches/ };
}

type Files = Readonly<Record<string, string | Buffer>>;

/** A source that means harm, as it is made when it is tried. */
export interface HostileSource {
  readonly name: string;
  readonly kind: 'feed' | 'cms';
  /** Files by name, or what makes them, or puts them into the folder of the source itself. */
  readonly files: Files | ((folder: string) => Files | void | Promise<Files>);
  readonly fate: Fate;
  /** The adapter and its settings. */
  readonly settings: object;
  /** Relative to the folder of the source. */
  readonly globs: readonly string[];
  /** Whether it is built by itself, since it takes as much of the machine as a source may. */
  readonly isAlone: boolean;
  /** Whether it is one of those that stand for their kind in the first tier. */
  readonly isFirst: boolean;
}

type More = Partial<Pick<HostileSource, 'settings' | 'globs' | 'isAlone' | 'isFirst'>>;

/** A feed, of our own format unless `more` says otherwise. */
export function hostileFeed(name: string, files: HostileSource['files'], fate: Fate, more: More = {}): HostileSource {
  const defaults = { settings: { adapter: 'deals' }, globs: ['*'], isAlone: false, isFirst: false };
  return { name, kind: 'feed', files, fate, ...defaults, ...more };
}

/** A CMS export, of our own format unless `more` says otherwise. */
export function hostileCms(name: string, files: HostileSource['files'], fate: Fate, more: More = {}): HostileSource {
  return { ...hostileFeed(name, files, fate, { settings: { adapter: 'catalogue' }, ...more }), kind: 'cms' };
}

/** The name of a hostile source in the configuration: its position, since names are sentences. */
export const sourceNameOf = (position: number): string => `hostile-${position}`;

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
 * Builds the sound catalogue and feeds with hostile sources beside them, in a process of its own. A feed of which
 * everything is faulty is held, unless it is small: that is the gate's own promise, so the settings let it pass.
 */
export async function buildHostile(hostile: readonly HostileSource[]): Promise<MeasuredBuild> {
  const root = mkdtempSync(join(tmpdir(), 'deals-hostile-'));
  try {
    const sources = createSources();
    const { config } = sources;
    const configured = hostile.map(({ kind, settings, globs }, position) => {
      const name = sourceNameOf(position);
      return { kind, settings: { name, files: globs.map((glob) => `hostile/${name}/${glob}`), ...settings } };
    });
    const of = (kind: string) => configured.filter((each) => each.kind === kind).map(({ settings }) => settings);
    config['cms'] = [...(config['cms'] as object[]), ...of('cms')];
    config['feeds'] = [...of('feed'), ...(config['feeds'] as object[])];
    config['gates'] = { minRows: 4, maxQuarantined: 1 };
    const path = await writeSources(join(root, 'site'), sources);
    for (const [position, { files }] of hostile.entries()) {
      const folder = join(root, 'site/hostile', sourceNameOf(position));
      mkdirSync(folder, { recursive: true });
      const made = (typeof files === 'function' ? await files(folder) : files) ?? {};
      for (const [name, content] of Object.entries(made)) writeFileSync(join(folder, name), content);
    }
    return await measureBuild(root, path);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Without a CMS source that cannot be read it would be refused, and nothing said of the others. */
async function measureBuild(folder: string, config: string): Promise<MeasuredBuild> {
  const file = join(folder, 'measure.json');
  // Where it does not come to its end.
  writeFileSync(file, 'NaN');
  const words = ['build', '--config', config, '--now', '2026-11-20T02:30:00Z', '--json', '--accept', 'unread'];
  const env = { MEASURE_FILE: file };
  const build = new RunningDeals(words, { node: ['--import', MEASURE], cwd: folder, env, timeoutMs: HANGS_AFTER_MS });
  const { exitCode, stdout, stderr } = await build.ended;
  const result = stdout.startsWith('{') ? (JSON.parse(stdout) as BuildResult) : undefined;
  return { exitCode, signal: build.signal, stderr, result, peakBytes: Number(readFileSync(file, 'utf8')) };
}
