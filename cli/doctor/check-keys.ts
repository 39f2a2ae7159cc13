import { stat } from 'node:fs/promises';
import { KeyFileError, readKeyFile, type KeyEntry } from '../../server/key/key-file.ts';
import { checkPeriod } from '../../server/key/key-ring.ts';
import { describeSpan, fault, ok, skipped, warning, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;

/** A key that ends within this time is worth a word. */
const SOON_MS = 14 * DAY_MS;

const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;

export async function checkKeys(file: string | undefined, now: Date): Promise<readonly Finding[]> {
  if (file === undefined) {
    return [skipped('keys', 'no key file was named', 'name it with --keys, or in DEALS_KEYS')];
  }
  let entries: readonly KeyEntry[];
  try {
    entries = await readKeyFile(file);
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return [fault('keys', error.message, remedyOf(error, file))];
  }
  const findings = [...(await checkMode(file)), ...checkEntries(file, entries, now)];
  return findings.length > 0 ? findings : [ok('keys', `${file}: ${entries.length} keys, for nobody else to read`)];
}

function remedyOf({ issue }: KeyFileError, file: string): string {
  switch (issue.code) {
    case 'missing-file':
      return `deals keys create --keys ${file} --name website`;
    case 'unreadable-file':
      return 'let the user who serves read it: chown, or a group for both';
    case 'malformed-file':
    case 'locked-file':
      return 'mend it, or put the last good copy in its place; a running server keeps the keys that it has';
  }
}

async function checkMode(file: string): Promise<readonly Finding[]> {
  const { mode } = await stat(file);
  if ((mode & OTHERS_WRITE) !== 0) {
    return [fault('keys', `${file}: everybody on this machine can add a key`, `chmod 600 ${file}`)];
  }
  if ((mode & OTHERS_READ) !== 0) {
    return [warning('keys', `${file}: everybody on this machine can read who has keys`, `chmod 600 ${file}`)];
  }
  return [];
}

function checkEntries(file: string, entries: readonly KeyEntry[], now: Date): readonly Finding[] {
  const create = `deals keys create --keys ${file} --name`;
  const alive = entries.filter((entry) => checkPeriod(entry, now).kind !== 'expired');
  if (alive.length === 0) {
    return [fault('keys', `${file}: no key that has not expired; deals serve does not start`, `${create} website`)];
  }
  const ending = alive.flatMap(({ id, name, until }): Finding[] => {
    const leftMs = until === undefined ? Infinity : Date.parse(until) - now.getTime();
    if (leftMs > SOON_MS) return [];
    const found = `the key ${id} of ${name} ends in ${describeSpan(leftMs)}`;
    return [warning('keys', found, `${create} ${JSON.stringify(name)}, give it out, then revoke ${id}`)];
  });
  const isOperated = alive.some(({ operator }) => operator === true);
  return isOperated
    ? ending
    : [
        ...ending,
        warning('keys', `${file}: no key is an operator, so nobody sees /status/`, `${create} operator --operator`),
      ];
}
