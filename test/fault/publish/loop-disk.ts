import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool, type Need } from '../needs.ts';

const DISK_BYTES = 64 * 1024 * 1024;

/** EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32): the file system takes nothing more, as when the power goes. */
const SHUTDOWN = 0x80_04_58_7d;

/** What becomes of the journal in memory when the power goes: it is written, or it is lost too. */
export const POWER_CUTS = { 'with the journal written': 1, 'with the journal lost': 2 } as const;
export type PowerCut = keyof typeof POWER_CUTS;

export const LOOP_DISK_NEEDS: readonly Need[] = [
  root,
  tool('mkfs.ext4'),
  tool('mount'),
  tool('perl'),
  { name: 'a loop device', isThere: existsSync('/dev/loop-control') },
];

/** A disk of its own, ext4 in a file, of which the power can be cut. */
export class LoopDisk {
  readonly folder: string;
  readonly #image: string;

  constructor(root: string, name: string) {
    this.folder = join(root, name);
    this.#image = join(root, `${name}.img`);
    mkdirSync(this.folder);
    writeFileSync(this.#image, '');
    truncateSync(this.#image, DISK_BYTES);
    run('mkfs.ext4', '-q', '-F', this.#image);
    this.#mount();
  }

  /** Writes what is there to the disk, so that a cut takes only what comes after. */
  sync(): void {
    run('sync', '-f', this.folder);
  }

  /** Cuts the power, and starts again: what was not on the disk is gone. */
  cut(how: PowerCut): void {
    const shutdown = `open(my $d, "<", $ARGV[0]) or die $!; ioctl($d, ${SHUTDOWN}, pack("L", $ARGV[1])) or die $!`;
    run('perl', '-e', shutdown, this.folder, String(POWER_CUTS[how]));
    run('umount', this.folder);
    this.#mount();
  }

  remove(): void {
    run('umount', this.folder);
    rmSync(this.#image);
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.folder);
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: SYSTEM_PATH } });
}

/** With the programs of root, which is not always on the PATH of a test. */
const SYSTEM_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
