import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { NoticeCode } from '../../../data/report/notice.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What is to become of a hostile source. */
export interface Fate {
  readonly state: 'fresh' | 'failed' | 'absent';
  /** Records that are served. */
  readonly kept: number;
  /** How often each code is given; every other code of the source fails the case. */
  readonly codes: Partial<Readonly<Record<NoticeCode, number | 'some'>>>;
  /** What the first notice of the first code says. */
  readonly says: RegExp | undefined;
}

/** A source that means harm, as it is made when it is tried. */
export interface HostileSource {
  readonly name: string;
  readonly kind: 'feed' | 'cms';
  /** The adapter and its settings. */
  readonly settings: Settings;
  /** Globs, relative to the folder of the source. */
  readonly files: readonly string[];
  /** Puts the source in its folder. */
  write(folder: string): void | Promise<void>;
  readonly fate: Fate;
}

/** Files by name, or what makes them. */
export type HostileFiles =
  | Readonly<Record<string, string | Buffer>>
  | (() => Readonly<Record<string, string | Buffer>> | Promise<Readonly<Record<string, string | Buffer>>>);

/** A feed, of our own format unless `settings` says otherwise. */
export function hostileFeed(
  name: string,
  files: HostileFiles,
  fate: Fate,
  settings: Settings = { adapter: 'deals' },
): HostileSource {
  return { name, kind: 'feed', settings, files: ['*'], write: (folder) => writeFiles(folder, files), fate };
}

/** A CMS export, of our own format unless `settings` says otherwise. */
export function hostileCms(
  name: string,
  files: HostileFiles,
  fate: Fate,
  settings: Settings = { adapter: 'catalogue' },
): HostileSource {
  return { name, kind: 'cms', settings, files: ['*'], write: (folder) => writeFiles(folder, files), fate };
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

export async function writeFiles(folder: string, files: HostileFiles): Promise<void> {
  for (const [name, content] of Object.entries(typeof files === 'function' ? await files() : files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
