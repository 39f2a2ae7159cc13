import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isMissing, tool } from '../../fault/needs.ts';

const run = promisify(execFile);

/** The programs, and what they load from packages that may be installed already. */
const PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-base', 'ceph-common'];

/** Where the packages are unpacked, once for all runs: 260 MB. */
const FOLDER = resolve(process.env['OBJECT_STORE_FOLDER'] ?? join(import.meta.dirname, '../../../dist/ceph'));

/**
 * Downloads and unpacks the packages of Ceph from Debian (69 MB), unless that is done. Nothing is installed, and root is
 * not needed.
 *
 * @returns the folder that stands for `/`; undefined where the packages cannot be had, after it has said so on stderr
 */
export async function unpackCeph(): Promise<string | undefined> {
  if (existsSync(FOLDER)) return FOLDER;
  if (isMissing('an object store', ...['apt-get', 'dpkg', 'setpriv'].map(tool))) return undefined;
  mkdirSync(dirname(FOLDER), { recursive: true });
  const partial = mkdtempSync(`${FOLDER}-`);
  try {
    await unpackInto(partial);
    renameSync(join(partial, 'root'), FOLDER);
    return FOLDER;
  } catch (error) {
    // Another process has done the same in the meantime.
    if (existsSync(FOLDER)) return FOLDER;
    const [reason] = /^E: .*/m.exec(String(error)) ?? [String(error)];
    isMissing('an object store', { name: `Debian's packages ${PACKAGES.join(', ')} (${reason})`, isThere: false });
    return undefined;
  } finally {
    rmSync(partial, { recursive: true });
  }
}

async function unpackInto(folder: string): Promise<void> {
  const archives = join(folder, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  // Without locks it runs beside another apt-get, and without root: it changes no file but those of `folder`.
  const options = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1'];
  const install = ['install', '--yes', '--download-only', '--reinstall', '--no-install-recommends'];
  await run('apt-get', [...options, ...install, ...PACKAGES]);
  const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  for (const name of files) await run('dpkg', ['--extract', join(archives, name), join(folder, 'root')]);
}
