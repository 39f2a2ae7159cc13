import { execFileSync } from 'node:child_process';
import { startNginx, type RunningNginx } from '../support/nginx.ts';
import { findFreePort } from '../support/ports.ts';
import { readDeployed } from './deploy-folder.ts';

/** nginx with the site of the deployment, on free ports and with its own certificate. */
export interface SiteNginx extends RunningNginx {
  readonly tlsPort: number;
  readonly plainPort: number;
}

type Change = readonly [from: string, to: string];

/** What install.sh writes for a server of DEALS_SERVERS. */
const SERVER = 'server 127.0.0.1:8080 max_conns=256 max_fails=1 fail_timeout=2s;';

/**
 * @param ports - those of the servers that it asks
 * @param changes - texts of the site and their replacements, for this test alone
 * @param edge - texts of nginx-edge.conf and their replacements, where it stands beside the site
 */
export async function startSiteNginx(
  ports: readonly number[],
  changes: readonly Change[] = [],
  edge?: readonly Change[],
): Promise<SiteNginx> {
  const [plainPort, tlsPort] = [await findFreePort(), await findFreePort()];
  const servers = ports.map((port) => SERVER.replace('8080', String(port))).join('\n');
  const edgeText = edge === undefined ? '' : replaceAll(readDeployed('nginx-edge.conf'), edge);
  const nginx = await startNginx(tlsPort, (folder) => {
    createCertificate(folder);
    const site = replaceAll(readDeployed('nginx.conf'), [
      [SERVER, servers],
      ...changes,
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen [::]:80;', ''],
      // A small send buffer: the system itself keeps little of what a slow client does not read.
      ['listen 443 ssl http2 sndbuf=64k;', `listen 127.0.0.1:${tlsPort} ssl http2 sndbuf=32k;`],
      ['listen [::]:443 ssl http2 sndbuf=64k;', ''],
      ['/etc/ssl/deals/', `${folder}/`],
      ['/var/log/nginx/', `${folder}/`],
    ]);
    // As Debian's own nginx.conf, which surrounds the site.
    return `gzip on;\n${edgeText.replaceAll('/var/lib/nginx/', `${folder}/`)}\n${site}`;
  });
  return { ...nginx, tlsPort, plainPort };
}

/** @throws {Error} when a text is not in the file */
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
