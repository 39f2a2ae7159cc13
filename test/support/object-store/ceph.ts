import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StoreCredentials } from '../aws-signature.ts';
import { findFreePort, untilListening } from '../ports.ts';

/** A command that waits for a daemon is killed after this time: it would wait for minutes. */
const COMMAND_MS = 30_000;

/** A monitor, a storage daemon that keeps its objects in memory, and an S3 gateway. */
export interface RunningCeph {
  readonly port: number;
  /** Sends a signal to the gateway. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Adds a user of S3, who may do nothing that a policy does not allow. */
  addUser(name: string, credentials: StoreCredentials): Promise<void>;
  /** Ends all processes and removes what they have written. */
  stop(): Promise<void>;
}

/**
 * Starts a Ceph with one user of S3, `owner`. Its processes are killed when the thread that started them ends.
 *
 * @param root the folder of the unpacked packages
 */
export async function startCeph(root: string, owner: StoreCredentials): Promise<RunningCeph> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-ceph-'));
  const libraries = librariesOf(root);
  const config = join(folder, 'ceph.conf');
  const env = {
    PATH: `${root}/usr/bin:${process.env['PATH'] ?? ''}`,
    LD_LIBRARY_PATH: `${libraries}:${libraries}/ceph:${libraries.replace('/usr/lib/', '/lib/')}`,
    CEPH_CONF: config,
  };
  const run = async (command: string, ...args: readonly string[]): Promise<void> => {
    await promisify(execFile)(command, args, { env, timeout: COMMAND_MS });
  };
  const daemons: ChildProcess[] = [];
  const start = (...command: readonly string[]): ChildProcess => {
    const output = openSync(join(folder, `${command[0]}.out`), 'w');
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], { env, stdio: ['ignore', output, output] });
    closeSync(output);
    daemons.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    for (const daemon of daemons.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      const closed = once(daemon, 'close');
      daemon.kill('SIGKILL');
      await closed;
    }
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    const fsid = randomUUID();
    const [monitorPort, port] = [await findFreePort(), await findFreePort()];
    const address = `[v2:127.0.0.1:${monitorPort}]`;
    writeFileSync(config, configOf({ folder, libraries, fsid, address, port }));
    for (const name of ['mon', 'osd']) mkdirSync(join(folder, name));
    const map = join(folder, 'monmap');
    await run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, map);
    await run('ceph-mon', '--id', 'a', '--mkfs', '--monmap', map);
    start('ceph-mon', '--id', 'a', '--foreground');
    await run('ceph-osd', '--id', '0', '--mkfs');
    start('ceph-osd', '--id', '0', '--foreground');
    const gateway = start('radosgw', '--name', 'client.rgw', '--foreground');
    await untilListening(port, () => {
      const ended = daemons.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
      if (ended !== undefined) throw new Error(`${ended.spawnargs.join(' ')} ended`);
    });
    const addUser = (name: string, { accessKeyId, secretAccessKey }: StoreCredentials): Promise<void> => {
      const keys = ['--access-key', accessKeyId, '--secret', secretAccessKey];
      return run('radosgw-admin', 'user', 'create', '--uid', name, '--display-name', name, ...keys);
    };
    await addUser('test', owner);
    return {
      port,
      addUser,
      signal: (signal) => {
        gateway.kill(signal);
      },
      stop,
    };
  } catch (error) {
    const logs = readdirSync(folder).filter((name) => /\.(?:log|out)$/.test(name));
    const ends = logs.map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(-1000)}`);
    await stop();
    throw new Error(`Ceph has not started\n${ends.join('\n')}`, { cause: error });
  }
}

/** The folder of shared libraries, which has the name of the architecture. */
function librariesOf(root: string): string {
  const names = readdirSync(join(root, 'usr/lib'));
  const name = names.find((candidate) => candidate.includes('-linux-gnu'));
  if (name === undefined) throw new Error(`${root}/usr/lib: expected a folder *-linux-gnu, got ${names.join(', ')}`);
  return join(root, 'usr/lib', name);
}

interface CephPlaces {
  readonly folder: string;
  readonly libraries: string;
  /** The id of the cluster. */
  readonly fsid: string;
  /** Of the monitor. */
  readonly address: string;
  /** Of S3. */
  readonly port: number;
}

/** The configuration of the smallest Ceph. The intervals make it start in 0.7 s instead of 12 s. */
function configOf({ folder, libraries, fsid, address, port }: CephPlaces): string {
  return `
[global]
fsid = ${fsid}
mon host = ${address}
public addr = 127.0.0.1
ms bind ipv6 = false
auth cluster required = none
auth service required = none
auth client required = none
# Encryption needs a key, which no side has without authentication.
ms mon client mode = crc
paxos propose interval = 0.01
paxos min wait = 0
objecter tick interval = 0.1

mon data = ${folder}/mon
mon data avail warn = 2
mon data avail crit = 1
mon allow pool size one = true
mon max pg per osd = 1000
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0

osd class dir = ${libraries}/rados-classes
erasure code dir = ${libraries}/ceph/erasure-code
plugin dir = ${libraries}/ceph
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
crash dir = ${folder}/crash
run dir = ${folder}
admin socket =
pid file =

[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw dns name = 127.0.0.1
rgw thread pool size = 64
rgw override bucket index max shards = 1
`;
}
