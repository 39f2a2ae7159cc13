import { stat } from 'node:fs/promises';
import { KeyFileError, readKeyFile, type KeyEntry } from './key-file.ts';

const POLL_MS = 1_000;

export interface KeyFileWatch {
  /** The keys at the start. */
  readonly entries: readonly KeyEntry[];
  /** How long the file has been unreadable or malformed; 0 when it is not. */
  unreadableSeconds(): number;
  close(): void;
}

/**
 * Reads a key file, and later changes of it without a restart (D16). `onChange` gets the keys of each new version. The error
 * of a version that cannot be read goes to `onError` once, and the previous keys stay valid.
 *
 * The file is polled every second: it may be replaced by a rename, or be behind a symbolic link or a network, where a
 * watcher misses changes.
 *
 * @throws {KeyFileError} when the file cannot be read at the beginning.
 */
export async function watchKeyFile(
  file: string,
  onChange: (entries: readonly KeyEntry[]) => void,
  onError: (error: KeyFileError) => void,
  pollMs = POLL_MS,
): Promise<KeyFileWatch> {
  // Taken before the first read: a change between the two is seen at the next look.
  let seen = await versionOf(file);
  const entries = await readKeyFile(file);
  let taken = JSON.stringify(entries);
  let reported: string | undefined;
  let unreadableSince: number | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const version = await versionOf(file);
    // After an error the file is read at every poll: it may have been half written within one tick of its clock.
    if (version === seen && reported === undefined) return;
    try {
      const changed = await readKeyFile(file);
      if (isClosed) return;
      seen = version;
      reported = undefined;
      unreadableSince = undefined;
      // A file that changed while it was read is read again, and may have the same keys.
      if (JSON.stringify(changed) === taken) return;
      taken = JSON.stringify(changed);
      onChange(changed);
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      unreadableSince ??= performance.now();
      if (isClosed || error.message === reported) return;
      reported = error.message;
      // The next sound version is reported even if it equals the one before the error.
      taken = '';
      onError(error);
    }
  }

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      void look().finally(() => {
        if (!isClosed) timer = schedule();
      });
    }, pollMs).unref();
  }

  let timer = schedule();
  return {
    entries,
    unreadableSeconds: () =>
      unreadableSince === undefined ? 0 : Math.floor((performance.now() - unreadableSince) / 1_000),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** Identifies a version of a file, also after a replacement of the same size. */
async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'unreadable';
  }
}
