import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = import.meta.dirname;

/**
 * Installs the packages of the peers beside them, unless they are there as the lock file has them. They are no
 * dependencies of the project: only who runs these cases needs them, and a compiler for SQLite where no binary fits.
 */
export async function installPeers(): Promise<void> {
  const [locked, installed] = await Promise.all([
    readTime(join(FOLDER, 'package-lock.json')),
    // Written last: only after a compilation that went well.
    readTime(join(FOLDER, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node')),
  ]);
  if (installed > locked) return;
  process.stderr.write('installing the peers; compiling SQLite may take two minutes\n');
  await run('npm', ['ci']);
  // The one package of them whose install script is needed.
  await run('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false']);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { cwd: FOLDER });
}

/** When a file was last changed; 0 for one that is not there. */
async function readTime(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}
