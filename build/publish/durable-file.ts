import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes all of `bytes`. A write may be short and says so only in its result, so it is repeated until nothing is left.
 * These calls are synchronous: what a crash can interrupt is then one fixed series of system calls, which a test can
 * cut at each.
 */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) {
    const written = writeSync(descriptor, bytes, offset);
    if (written === 0) throw new Error(`wrote ${offset} of ${bytes.length} bytes: the disk takes no more`);
    offset += written;
  }
}

/** Makes the entries of a folder (new files, renames) survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates `path`, which must not exist; `write` fills it, and its content is on the disk when this returns. */
export function createDurably(path: string, write: (descriptor: number) => void): void {
  const descriptor = openSync(path, 'wx');
  try {
    write(descriptor);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces `path` in one step: a reader finds the old text or the new, also after a power cut. */
export function replaceDurably(path: string, text: string, temporaryPath: string): void {
  createDurably(temporaryPath, (descriptor) => writeAll(descriptor, Buffer.from(text)));
  renameSync(temporaryPath, path);
  syncFolder(dirname(path));
}
