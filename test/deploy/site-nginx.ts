import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../contract/serve.ts';
import { readDeployed } from './deploy-folder.ts';

const ENV = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/** nginx with the site that is shipped, on ports of its own and with a certificate of its own. */
export interface SiteNginx {
  readonly tlsPort: number;
  readonly plainPort: number;
  /** What `nginx -t` said of it. */
  readonly checked: { readonly status: number | null; readonly said: string };
  accessLog(): string;
  stop(): Promise<void>;
}

/** @param changes - what the test needs otherwise: text of the site, and what takes its place */
export async function startSiteNginx(upstreamPort: number, changes: readonly Change[] = []): Promise<SiteNginx> {
  const folder = mkdtempSync(join(tmpdir(), 'deals-site-'));
  const [plainPort, tlsPort] = [await findFreePort(), await findFreePort()];
  createCertificate(folder);
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'deals.conf'),
    moveSite(readDeployed('nginx.conf'), { upstreamPort, plainPort, tlsPort, folder }, changes),
  );
  writeFileSync(join(folder, 'nginx.conf'), describeMachine(folder));
  const args = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-p', folder];
  const { status, stderr } = spawnSync('nginx', ['-t', ...args], { env: ENV, encoding: 'utf8' });
  const nginx = spawn('nginx', args, { env: ENV, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  nginx.stderr.on('data', (text) => (said += String(text)));
  await until(async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${said}`);
    return isListening(tlsPort);
  });
  return {
    tlsPort,
    plainPort,
    checked: { status, said: stderr },
    accessLog: () => readFileSync(join(folder, 'deals.log'), 'utf8'),
    stop: async () => {
      const closed = once(nginx, 'close');
      nginx.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
}

type Change = readonly [from: string, to: string];

interface Place {
  readonly upstreamPort: number;
  readonly plainPort: number;
  readonly tlsPort: number;
  readonly folder: string;
}

/** The site as it is shipped, but for ports, certificate and logs; each must be there to be replaced. */
function moveSite(
  site: string,
  { upstreamPort, plainPort, tlsPort, folder }: Place,
  changes: readonly Change[],
): string {
  const moves: readonly Change[] = [
    ...changes,
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${upstreamPort};`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${tlsPort} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/ssl/deals/', `${folder}/`],
    ['/var/log/nginx/', `${folder}/`],
  ];
  let moved = site;
  for (const [from, to] of moves) {
    if (!moved.includes(from)) throw new Error(`nginx.conf has no ${from}`);
    moved = moved.replaceAll(from, to);
  }
  return moved;
}

/** What the machine's own nginx.conf says around a site. */
function describeMachine(folder: string): string {
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  gzip on;
  include ${folder}/deals.conf;
}
`;
}

function createCertificate(folder: string): void {
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${folder}/privkey.pem`,
  ];
  const subject = ['-subj', '/CN=deals.example.com', '-days', '2', '-out', `${folder}/fullchain.pem`];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
