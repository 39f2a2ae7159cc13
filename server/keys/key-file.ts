import { randomBytes } from 'node:crypto';
import { existsSync, fchmodSync, fchownSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { quoteForShell } from '../../data/quote-for-shell.ts';
import { createFolderDurably, replaceDurably } from '../../data/store/durable-file.ts';
import { tryLock, type FileLock } from '../../data/store/lock.ts';
import { readRegularFile, writeAll } from '../../data/store/regular-file.ts';
import { createApiKey, hashApiKey, redactKeys } from './api-key.ts';
import { isKeyRateLimit } from './rate-limit.ts';

const timeSchema = z.iso.datetime('expected a time such as "2026-12-01T00:00:00Z"');

/** A stored key: its hash and its facts. */
const keyEntrySchema = z.strictObject({
  /** Names the key in lists and logs. Not a secret. */
  id: z.string().regex(/^[0-9a-f]{8}$/, 'expected eight hex digits'),
  /** The client. */
  name: z.string().regex(/^[^\p{C}]{1,80}$/u, 'expected 1 to 80 printable characters'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits in lower case, the SHA-256 of a key'),
  from: timeSchema.optional(),
  until: timeSchema.optional(),
  /** Replaces the rate limit of the server; `off` for none. */
  rateLimit: z.string().refine(isKeyRateLimit, 'expected "off", or a limit such as "600/1m"').optional(),
  /** The operator role. */
  operator: z.literal(true, 'expected true, or nothing').optional(),
  createdAt: timeSchema,
});

const keyFileSchema = z.strictObject({
  keys: z
    .array(keyEntrySchema)
    .refine(
      (keys) =>
        (['id', 'sha256'] as const).every((field) => new Set(keys.map((key) => key[field])).size === keys.length),
      'expected no two keys with one id or one hash',
    ),
});

export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** What is wrong with a key file, for the operator. It never quotes a value of the file, which may be a key. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
  /** `no-key`: no client could use a server without a key that is or will be valid (D16). */
  readonly code: 'missing-file' | 'unreadable-file' | 'malformed-file' | 'locked-file' | 'no-key';
  readonly file: string;

  constructor(code: KeyFileError['code'], file: string, fault: string) {
    super(`${file}: ${fault}`);
    this.code = code;
    this.file = file;
  }

  /** What an operator can do about it; undefined where the message says it. */
  get remedy(): string | undefined {
    if (this.code !== 'missing-file' && this.code !== 'no-key') return undefined;
    return `deals keys create --keys ${quoteForShell(this.file)} --name website`;
  }
}

/** @throws {KeyFileError} when the file is missing, cannot be read, or is not a key file. */
export async function readKeyFile(file: string): Promise<readonly KeyEntry[]> {
  return parseKeyFile(file, await readKeyText(file));
}

/** What an operator says of a key. */
type KeyFacts = Pick<KeyEntry, 'name' | 'rateLimit' | 'operator'> & {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
};

/**
 * Adds a key to the file, which is made if there is none, and returns the key itself. It cannot be read again later
 * (D16).
 *
 * @throws {KeyFileError}
 */
export async function addKey(
  file: string,
  { name, from, until, rateLimit, operator }: KeyFacts,
  now: Date,
): Promise<{ readonly keyText: string; readonly entry: KeyEntry }> {
  const keyText = createApiKey();
  createFolderDurably(dirname(file));
  const keys = await changeKeyFile(file, (before) => {
    const entry = {
      id: randomBytes(4).toString('hex'),
      name,
      sha256: hashApiKey(keyText),
      from: from?.toISOString(),
      until: until?.toISOString(),
      rateLimit,
      operator,
      createdAt: now.toISOString(),
    };
    return [...before, entry];
  });
  return { keyText, entry: keys.at(-1) as KeyEntry };
}

/**
 * Removes every key that `isRevoked` picks, and returns them. A revoked key is unknown to a server from then on.
 *
 * @throws {KeyFileError}
 */
export async function removeKeys(file: string, isRevoked: (entry: KeyEntry) => boolean): Promise<readonly KeyEntry[]> {
  // Without a key file there is none to lock.
  await readKeyFile(file);
  let removed: readonly KeyEntry[] = [];
  await changeKeyFile(file, (keys) => {
    removed = keys.filter(isRevoked);
    return keys.filter((key) => !isRevoked(key));
  });
  return removed;
}

/** Whether `name` can be the name of a key. */
export function isKeyName(name: string): boolean {
  return keyEntrySchema.shape.name.safeParse(name).success;
}

/** Reads, changes and replaces the file while holding its lock, so that no change of another command is lost. */
async function changeKeyFile(
  file: string,
  change: (keys: readonly KeyEntry[]) => readonly KeyEntry[],
): Promise<readonly KeyEntry[]> {
  const lock = lockKeyFile(file);
  try {
    const keys = change(existsSync(file) ? await readKeyFile(file) : []);
    replaceFile(file, `${JSON.stringify({ keys }, undefined, 2)}\n`);
    return keys;
  } finally {
    lock.release();
  }
}

/** @param file for the message @throws {KeyFileError} when the text is that of no key file */
export function parseKeyFile(file: string, text: string): readonly KeyEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text.
    throw new KeyFileError('malformed-file', file, 'expected JSON, got text that is not');
  }
  const parsed = keyFileSchema.safeParse(value);
  if (parsed.success) return parsed.data.keys;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  // Of the file, messages quote unknown words alone.
  throw new KeyFileError('malformed-file', file, redactKeys(faults.join('; ')));
}

/** @throws {KeyFileError} when the file is missing, or cannot be read */
export async function readKeyText(file: string): Promise<string> {
  try {
    return readRegularFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code !== 'ENOENT') throw new KeyFileError('unreadable-file', file, `cannot be read: ${code}`);
    throw new KeyFileError('missing-file', file, 'expected a key file, found none');
  }
}

/** Locks `<file>.lock`. @throws {KeyFileError} while another command has the lock */
function lockKeyFile(file: string): FileLock {
  const lock = tryLock(`${file}.lock`);
  if (lock !== undefined) return lock;
  throw new KeyFileError('locked-file', file, 'another command is changing it; try again when it has ended');
}

/** Replaces the file in one step: a reader sees the old keys or the new ones, never a part. */
function replaceFile(file: string, text: string): void {
  const before = statSync(file, { throwIfNoEntry: false });
  // A rename onto a symbolic link would replace the link, and leave the file that it names as it was.
  const target = before === undefined ? file : realpathSync(file);
  replaceDurably(target, (descriptor) => {
    // The file stays readable for the server, which may read it by its owner or by its group.
    if (before !== undefined) fchownSync(descriptor, before.uid, before.gid);
    fchmodSync(descriptor, before === undefined ? 0o600 : before.mode & 0o7777);
    writeAll(descriptor, Buffer.from(text));
  });
}
