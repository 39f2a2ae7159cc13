import { spawnSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deal, HEADER } from '../../unit/build/run/write-sources.ts';
import { absent, failed, fresh, hostileCms, hostileFeed, type Fate, type HostileSource } from './hostile-source.ts';

const SOUND = `${HEADER}\n${deal('D-1', '101', 'new', 'phone-barn', '31.00')}\n`;

/** A feed that is made by hand. */
function onDisk(name: string, files: readonly string[], write: (folder: string) => void, fate: Fate): HostileSource {
  return { ...hostileFeed(name, {}, fate), files, write };
}

/** A file that takes no room on the disk, and reads as NULs. */
function writeSparse(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

export const DISK_CASES: readonly HostileSource[] = [
  onDisk('a FIFO for a feed', ['feed.csv'], (folder) => void spawnSync('mkfifo', [join(folder, 'feed.csv')]), absent()),
  onDisk('a link to a device', ['*.csv'], (folder) => symlinkSync('/dev/zero', join(folder, 'feed.csv')), absent()),
  onDisk(
    'a link out of the folder',
    ['*.csv'],
    (folder) => symlinkSync('/etc/passwd', join(folder, 'feed.csv')),
    failed('source-unreadable', /feed\.csv: expected a file in ".*", got a link to "\/etc\/passwd"/),
  ),
  onDisk(
    'a link out of the folder by way of a folder',
    ['**/*'],
    (folder) => symlinkSync('/etc', join(folder, 'etc')),
    absent(),
  ),
  onDisk(
    'a folder that leads to itself',
    ['**/*.csv'],
    (folder) => {
      writeFileSync(join(folder, 'feed.csv'), SOUND);
      symlinkSync('.', join(folder, 'a'));
    },
    fresh(1),
  ),
  onDisk(
    'an escape sequence of a terminal in the name of a file',
    ['*'],
    (folder) => writeFileSync(join(folder, '\x1b[2J\nfeed.csv'), 'x'),
    failed('missing-column', /expected the columns/, { 'unknown-column': 1 }),
  ),
  onDisk(
    'a file of 40 GB of nothing',
    ['*.csv'],
    (folder) => writeSparse(join(folder, 'feed.csv'), 40e9),
    failed('source-too-large', /feed\.csv: expected at most 4000000000 bytes/),
  ),
  {
    ...hostileCms(
      'an export of 90 MB of nothing',
      {},
      failed('source-unreadable', /site\.json:1: .*UTF-16 or no text/),
    ),
    write: (folder) => writeSparse(join(folder, 'site.json'), 90e6),
  },
];
