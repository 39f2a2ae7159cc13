import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AwsClient } from 'aws4fetch';
import { isMissing, tool } from '../../fault/needs.ts';
import { createBucketName, type TestStore } from '../memory-s3.ts';
import { findFreePort, untilListening } from '../ports.ts';

const execute = promisify(execFile);

/** A command that waits for a daemon is killed after this time: it would wait for minutes. */
const COMMAND_MS = 30_000;

/**
 * Starts a real S3 on this machine, in a second and with 130 MB of memory: the gateway of Ceph, with a monitor and a storage
 * daemon that keeps 4 GB at most in memory. Its processes are killed when the thread that started them ends.
 * @returns undefined where the packages of Ceph cannot be had, after it has said so on stderr
 */
export async function startCeph(): Promise<TestStore | undefined> {
  const root = await unpackCeph();
  if (root === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'deals-ceph-'));
  const architecture = readdirSync(join(root, 'usr/lib')).find((name) => name.includes('-linux-gnu')) ?? '';
  const libraries = join(root, 'usr/lib', architecture);
  const config = join(folder, 'ceph.conf');
  const env = {
    PATH: `${root}/usr/bin:${process.env['PATH'] ?? ''}`,
    LD_LIBRARY_PATH: `${libraries}:${libraries}/ceph:${root}/lib/${architecture}`,
    CEPH_CONF: config,
  };
  const run = (command: string, ...args: readonly string[]) => execute(command, args, { env, timeout: COMMAND_MS });
  const daemons: ChildProcess[] = [];
  const start = (...command: readonly string[]) => {
    daemons.push(spawn('setpriv', ['--pdeathsig', 'KILL', ...command, '--foreground'], { env, stdio: 'ignore' }));
  };
  const [monitorPort, port] = [await findFreePort(), await findFreePort()];
  const [fsid, address, map] = [randomUUID(), `[v2:127.0.0.1:${monitorPort}]`, join(folder, 'monmap')];
  const values: Readonly<Record<string, unknown>> = { folder, libraries, fsid, address, port };
  const template = readFileSync(join(import.meta.dirname, 'ceph.conf'), 'utf8');
  writeFileSync(
    config,
    template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => String(values[name])),
  );
  for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
  await run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, map);
  await run('ceph-mon', '--id', 'a', '--mkfs', '--monmap', map);
  start('ceph-mon', '--id', 'a');
  await run('ceph-osd', '--id', '0', '--mkfs');
  start('ceph-osd', '--id', '0');
  start('radosgw', '--name', 'client.rgw');
  await untilListening(port, () => {
    const ended = daemons.find(({ exitCode }) => exitCode !== null);
    if (ended !== undefined) throw new Error(`${ended.spawnargs.join(' ')} ended; see the logs in ${folder}`);
  });
  const credentials = { accessKeyId: 'AKCEPH', secretAccessKey: randomBytes(20).toString('hex') };
  const keys = ['--access-key', credentials.accessKeyId, '--secret', credentials.secretAccessKey];
  await run('radosgw-admin', 'user', 'create', '--uid', 'test', '--display-name', 'test', ...keys);

  const endpoint = `http://127.0.0.1:${port}`;
  const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1' });
  const put = async (path: string, body?: string): Promise<void> => {
    const response = await client.fetch(`${endpoint}/${path}`, { method: 'PUT', body: body ?? null });
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${await response.text()}`);
  };
  return {
    ...credentials,
    endpoint,
    createBucket: async ({ ignoresConditions = false } = {}) => {
      const name = createBucketName();
      await put(name);
      // Ceph 16 ignores conditions in a bucket with versions.
      const versioning = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';
      if (ignoresConditions) await put(`${name}?versioning`, versioning);
      return name;
    },
    stop: async () => {
      const ends = daemons.map((daemon) => once(daemon, 'close'));
      for (const daemon of daemons) daemon.kill('SIGKILL');
      await Promise.all(ends);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
  await execute('apt-get', [...options, ...install, ...PACKAGES]);
  const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  for (const name of files) await execute('dpkg', ['--extract', join(archives, name), join(folder, 'root')]);
}
