import { spawnSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import { absent, failed, fresh, hostileCms, hostileFeed, type HostileSource } from './hostile-source.ts';
import { rowOf } from './texts.ts';

const link = (target: string, name: string) => (folder: string) => symlinkSync(target, join(folder, name));

/** A file that takes no room on the disk, and reads as NULs. */
export const sparse = (name: string, bytes: number) => (folder: string) => {
  writeFileSync(join(folder, name), '');
  truncateSync(join(folder, name), bytes);
};

const fifo = (folder: string) => void spawnSync('mkfifo', [join(folder, 'feed.csv')]);

/** What lies on the disk in place of a file. */
export const DISK_CASES: readonly HostileSource[] = [
  hostileFeed('a FIFO for a feed', fifo, absent(), { globs: ['feed.csv'], isFirst: true }),
  hostileFeed('a link to a device', link('/dev/zero', 'feed.csv'), absent(), { globs: ['*.csv'] }),
  hostileFeed(
    'a link out of the folder',
    link('/etc/passwd', 'feed.csv'),
    failed('source-unreadable', /feed\.csv: expected a file in ".*", got a link to "\/etc\/passwd"/),
    { globs: ['*.csv'] },
  ),
  hostileFeed('a link out of the folder by way of a folder', link('/etc', 'etc'), absent(), { globs: ['**/*'] }),
  hostileFeed(
    'a folder that leads to itself',
    (folder) => {
      link('.', 'a')(folder);
      return { 'feed.csv': `${HEADER}\n${rowOf('D-1')}\n` };
    },
    fresh(1),
    { globs: ['**/*.csv'], isFirst: true },
  ),
  hostileFeed(
    'an escape sequence of a terminal in the name of a file',
    { '\x1b[2J\nfeed.csv': 'x' },
    failed('missing-column', /expected the columns/, { 'unknown-column': 1 }),
  ),
  hostileFeed(
    'a file of 40 GB of nothing',
    sparse('feed.csv', 40e9),
    failed('source-too-large', /feed\.csv: expected at most 4000000000 bytes/),
  ),
  hostileCms(
    'an export of 90 MB of nothing',
    sparse('site.json', 90e6),
    failed('source-unreadable', /site\.json:1: .*UTF-16 or no text/),
    { isAlone: true },
  ),
];
