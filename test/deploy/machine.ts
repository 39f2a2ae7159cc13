import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM_ROOT } from '../fault/program.ts';
import type { Need } from '../fault/needs.ts';

/**
 * A machine with systemd of its own, whose disk is this one's with its own writes in memory above it, and whose network
 * leads nowhere. It has two versions of the package, and the hosts of the sources.
 */
export interface Machine {
  /** Boots it, runs a script of bash as root to its end, and turns it off. @throws {Error} with the last lines when it fails */
  walk(script: string): Promise<string>;
  remove(): void;
}

/** Where the machine finds the packages of this project: `npm ci` there has no network. */
const PACKAGES = '/walk-packages';

const UNIT = `[Unit]
After=basic.target dbus.service
[Service]
Type=oneshot
Environment=HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin npm_config_offline=true
ExecStart=/bin/bash /walk/script
ExecStopPost=/bin/bash -c 'echo $EXIT_STATUS >/walk/status; systemctl --no-block poweroff'
StandardOutput=file:/walk/output
StandardError=inherit
`;
const TARGET = '[Unit]\nRequires=basic.target\nWants=walk.service\nAfter=basic.target\nAllowIsolate=yes\n';
const NPM = `#!/bin/sh\n[ "$1 $2" = 'ci --omit=dev' ] && [ -e npm-shrinkwrap.json ] && cp --archive ${PACKAGES} node_modules\n`;

/** The hosts of sources.list stand on this port, without TLS. */
const SOURCES = `
import { createServer } from 'node:http';
import { createReadStream, existsSync } from 'node:fs';
createServer((req, res) => {
  const file = '/walk/sources' + new URL(req.url, 'http://a').pathname;
  if (existsSync(file)) createReadStream(file).pipe(res);
  else res.writeHead(404).end();
}).listen(9999, '127.0.0.1');
`;

/** Whether a disk can be laid over another one and a machine booted from it: not within every container. */
export const boot: Need = { name: 'a machine to boot (root, systemd-nspawn, overlay)', isThere: canBoot() };

function canBoot(): boolean {
  const programs = ['/usr/bin/systemd-nspawn', '/lib/systemd/systemd'];
  if (process.getuid?.() !== 0 || !programs.every((path) => existsSync(path))) return false;
  try {
    mountDisk().remove();
    return true;
  } catch {
    return false;
  }
}

/** A disk in memory over that of this machine. */
function mountDisk(): { readonly root: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'deals-machine-'));
  const [memory, root] = [join(folder, 'memory'), join(folder, 'root')];
  const mounted: string[] = [];
  const mount = (at: string, ...args: readonly string[]): void => {
    mkdirSync(at);
    execFileSync('mount', [...args, at], { stdio: 'pipe' });
    mounted.unshift(at);
  };
  const remove = (): void => {
    for (const at of mounted) execFileSync('umount', ['--lazy', at], { stdio: 'pipe' });
    rmSync(folder, { recursive: true });
  };
  try {
    mount(memory, '-t', 'tmpfs', '-o', 'size=4g,mode=755', 'tmpfs');
    for (const name of ['upper', 'work']) mkdirSync(join(memory, name));
    const layers = `lowerdir=/,upperdir=${memory}/upper,workdir=${memory}/work`;
    mount(root, '-t', 'overlay', '-o', layers, 'overlay');
  } catch (error) {
    remove();
    throw error;
  }
  return { root, remove };
}

export function createMachine(): Machine {
  const { root, remove } = mountDisk();
  const at = (path: string): string => join(root, path);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: PROGRAM_ROOT, stdio: 'pipe' });
  run('npm', 'run', '--silent', 'package', '--', '--pack-destination', at('root'));
  run('tar', '-xzf', at('root/mobile-deals-catalogue-1.0.0.tgz'), '-C', at('root'));
  run('sed', '-i', 's/"version": "1.0.0"/"version": "1.0.1"/', at('root/package/package.json'));
  run('tar', '-czf', at('root/mobile-deals-catalogue-1.0.1.tgz'), '-C', at('root'), 'package');
  run('rm', '-r', at('root/package'));
  run('bash', '-c', 'rm -rf "$0"/opt/deals* "$0"/{etc,srv,var/lib}/deals "$0"/etc/nginx/conf.d/deals*', root);
  writeSources(at('walk/sources'));
  writeFileSync(at('walk/sources.mjs'), SOURCES);
  writeFileSync(at('usr/local/sbin/npm'), NPM, { mode: 0o755 });
  writeFileSync(at('etc/systemd/system/walk.service'), UNIT);
  writeFileSync(at('etc/systemd/system/walk.target'), TARGET);
  let started: ChildProcess | undefined;
  return {
    walk: async (script) => {
      writeFileSync(at('walk/script'), script);
      const machine = ['--directory', root, '--register=no', '--keep-unit', '--link-journal=no', '--machine=deals'];
      const quiet = ['--resolv-conf=off', '--timezone=off', '--console=pipe', '--private-network'];
      // What it mounts as /tmp hides ours.
      const lent = `--bind-ro=${realpathSync(join(PROGRAM_ROOT, 'node_modules'))}:${PACKAGES}`;
      const child = spawn('systemd-nspawn', [...machine, ...quiet, lent, '--boot', 'systemd.unit=walk.target']);
      started = child;
      child.stdin.end();
      let console = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (console += String(text)));
      await once(child, 'close');
      const [status, output] = ['walk/status', 'walk/output'].map((name) =>
        existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined,
      );
      if (status?.trim() === '0' && output !== undefined) return output;
      throw new Error(`the walk ended with ${status ?? 'no status'}: ${(output ?? console).slice(-3_000)}`);
    },
    remove: () => {
      // One that is still on when a test gives up.
      started?.kill('SIGKILL');
      remove();
    },
  };
}

/** The export of the CMS as one file, and two feeds of the sample, where the addresses of sources.list have them. */
function writeSources(folder: string): void {
  const sample = join(PROGRAM_ROOT, 'data/sample');
  const whole: Record<string, unknown[]> = {};
  for (const name of readdirSync(join(sample, 'cms')).filter((each) => each.endsWith('.json'))) {
    const part = JSON.parse(readFileSync(join(sample, 'cms', name), 'utf8')) as Record<string, unknown[]>;
    for (const [key, records] of Object.entries(part)) whole[key] = [...(whole[key] ?? []), ...records];
  }
  mkdirSync(join(folder, 'export'), { recursive: true });
  writeFileSync(join(folder, 'export/deals.json'), JSON.stringify(whole));
  cpSync(join(sample, 'feeds/house/deals.csv'), join(folder, 'feeds/deals.csv'));
  cpSync(join(sample, 'feeds/awin/datafeed.csv.gz'), join(folder, 'apikey/0123/feed.csv.gz'));
}
