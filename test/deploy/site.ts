import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, untilListening } from '../support/ports.ts';
import type { Received } from '../support/receive.ts';
import { readDeployed } from './deployed.ts';

/** nginx with the site of the deployment, on free ports and with its own certificate. */
export interface Site {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string;
  readonly plainOrigin: string;
  /** The log of the site so far. */
  readLog(): readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** A text of a file of nginx and its replacement. */
type Change = readonly [from: string, to: string];

/** What install.sh writes for a server of DEALS_SERVERS. */
const SERVER = 'server 127.0.0.1:8080 max_conns=256 max_fails=1 fail_timeout=2s;';
const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const ENV = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/**
 * Starts nginx, and waits until it listens.
 *
 * @param ports - those of the servers that it asks
 * @param changes - of the site, for this test alone
 * @param edge - changes of nginx-edge.conf, where it stands beside the site
 * @throws {Error} when `nginx -t` has a warning
 */
export async function startSite(
  ports: readonly number[],
  changes: readonly Change[] = [],
  edge?: readonly Change[],
): Promise<Site> {
  const [plainPort, tlsPort] = [await findFreePort(), await findFreePort()];
  const folder = mkdtempSync(join(tmpdir(), 'deals-nginx-'));
  createCertificate(folder);
  for (const name of TEMPORARY_PATHS) mkdirSync(join(folder, name));
  const site = replaceAll(readDeployed('nginx.conf'), [
    [SERVER, ports.map((port) => SERVER.replace('8080', String(port))).join('\n')],
    ...changes,
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    // A small send buffer: the system itself keeps little of what a slow client does not read.
    ['listen 443 ssl http2 sndbuf=64k;', `listen 127.0.0.1:${tlsPort} ssl http2 sndbuf=32k;`],
    ['listen [::]:443 ssl http2 sndbuf=64k;', ''],
    ['/etc/ssl/deals/', `${folder}/`],
    ['/var/log/nginx/', `${folder}/`],
  ]);
  const edgeText = edge === undefined ? '' : replaceAll(readDeployed('nginx-edge.conf'), edge);
  const paths = TEMPORARY_PATHS.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
  // As Debian's own nginx.conf, which surrounds the site.
  const inside = ['gzip on;', paths, edgeText.replaceAll('/var/lib/nginx/', `${folder}/`), site].join('\n');
  const main = `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nevents { worker_connections 512; }`;
  writeFileSync(join(folder, 'nginx.conf'), `${main}\nhttp {\n${inside}\n}\n`);
  const args = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-p', folder];
  const { stderr } = spawnSync('nginx', ['-t', ...args], { env: ENV, encoding: 'utf8' });
  if (!stderr.includes('test is successful') || /\[(?:warn|emerg|alert)\]/.test(stderr)) throw new Error(stderr);
  const nginx = spawn('nginx', args, { env: ENV, stdio: 'ignore' });
  await untilListening(tlsPort, () => {
    if (nginx.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'));
  });
  return {
    origin: `https://127.0.0.1:${tlsPort}`,
    plainOrigin: `http://127.0.0.1:${plainPort}`,
    readLog: () => {
      const lines = readFileSync(join(folder, 'deals.log'), 'utf8').split('\n');
      // The last may be half written.
      const whole = lines.filter((line) => line.endsWith('}'));
      return whole.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    stop: async () => {
      const closed = once(nginx, 'close');
      nginx.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

function replaceAll(file: string, changes: readonly Change[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the files of nginx have no ${from}`);
    return text.replaceAll(from, to);
  }, file);
}

function createCertificate(folder: string): void {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=deals.example.com -days 2';
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`];
  execFileSync('openssl', ['req', '-x509', ...key.split(' '), ...files], { stdio: 'ignore' });
}

/** Of the connection, the clock and the request, not of the answer. */
const OF_THE_WAY = ['connection', 'keep-alive', 'date', 'server', 'strict-transport-security', 'x-request-id'];

/** A response without what differs from request to request. */
export function comparable({ status, headers, body }: Received) {
  const id = headers['x-request-id'];
  // How long a body is goes with the body, in which the id of the request may be a character longer.
  const ofTheWay = body.length === 0 ? OF_THE_WAY : [...OF_THE_WAY, 'content-length', 'transfer-encoding'];
  const kept = Object.entries(headers).filter(([name]) => !ofTheWay.includes(name));
  const text = body.toString('latin1');
  return {
    status,
    headers: Object.fromEntries(kept),
    hasId: id !== undefined,
    body: id === undefined ? text : text.replaceAll(id, '<id>'),
  };
}
