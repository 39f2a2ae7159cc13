import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilListening } from './ports.ts';

const ENV = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Debian's nginx with one site. */
export interface RunningNginx {
  /** The result of `nginx -t`. */
  readonly checked: { readonly status: number | null; readonly stderr: string };
  /** A file that the site writes to its folder. */
  read(name: string): string;
  /** The bytes on disk of the responses that it buffers. */
  bufferedBytes(): number;
  stop(): Promise<void>;
}

/** Starts nginx, and waits until it listens. @param writeSite - returns the text within `http { }` */
export async function startNginx(port: number, writeSite: (folder: string) => string): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-nginx-'));
  for (const name of TEMPORARY_PATHS) mkdirSync(join(folder, name));
  const paths = TEMPORARY_PATHS.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  const main = `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nevents { worker_connections 512; }`;
  writeFileSync(join(folder, 'nginx.conf'), `${main}\nhttp {\n${paths}\n${writeSite(folder)}\n}\n`);
  const args = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-p', folder];
  const checked = spawnSync('nginx', ['-t', ...args], { env: ENV, encoding: 'utf8' });
  const nginx = spawn('nginx', args, { env: ENV, stdio: 'ignore' });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  await untilListening(port, () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${read('error.log')}`);
  });
  return {
    checked,
    read,
    bufferedBytes: () => measureOpenFiles(nginx.pid ?? 0, join(folder, 'proxy')),
    stop: async () => {
      const closed = once(nginx, 'close');
      nginx.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

/** The bytes of the files below a folder that a process has open. nginx deletes the name of such a file at once. */
function measureOpenFiles(pid: number, folder: string): number {
  const descriptors = readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  return descriptors.reduce((sum, path) => {
    try {
      return readlinkSync(path).startsWith(folder) ? sum + statSync(path).size : sum;
    } catch {
      // The process has closed it.
      return sum;
    }
  }, 0);
}
