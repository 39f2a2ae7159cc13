import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need } from '../fault/needs.ts';

/**
 * A machine with systemd of its own, whose disk is this one's with its own writes in memory above it.
 */
export interface Machine {
  /** Its disk, seen from here. */
  readonly root: string;
  /** Boots it, runs a script of bash as root to its end, and turns it off. */
  run(script: string): Promise<{ readonly status: number | undefined; readonly output: string }>;
  remove(): void;
}

const UNIT = `[Unit]
Description=The script of a test
DefaultDependencies=yes
After=basic.target dbus.service
[Service]
Type=oneshot
Environment=HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin npm_config_offline=true
ExecStart=/bin/bash /walk/script
ExecStopPost=/bin/bash -c 'echo $EXIT_STATUS >/walk/status; systemctl --no-block poweroff'
StandardOutput=file:/walk/output
StandardError=inherit
[Install]
WantedBy=walk.target
`;

const TARGET = '[Unit]\nRequires=basic.target\nWants=walk.service\nAfter=basic.target\nAllowIsolate=yes\n';

/** Whether a disk can be laid over another one and a machine booted from it: not within every container. */
export const boot: Need = { name: 'a machine to boot (root, systemd-nspawn, overlay)', isThere: canBoot() };

function canBoot(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/systemd-nspawn') || !existsSync('/lib/systemd/systemd'))
    return false;
  try {
    createMachine().remove();
    return true;
  } catch {
    return false;
  }
}

/** Folders of this machine by their path there: what it mounts as /tmp hides ours. */
type Folders = Readonly<Record<string, string>>;

/** A machine whose network leads nowhere. @param lent - what it may read of this one */
export function createMachine(lent: Folders = {}): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'deals-machine-'));
  const [memory, root] = [join(folder, 'memory'), join(folder, 'root')];
  mkdirSync(memory);
  mkdirSync(root);
  const mounted: string[] = [];
  const mount = (at: string, ...args: readonly string[]): void => {
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
  const started = new Set<ChildProcess>();
  return {
    root,
    run: (script) => runOn(root, script, lent, (child) => started.add(child)),
    remove: () => {
      // One that is still on when a test gives up.
      for (const child of started) child.kill('SIGKILL');
      remove();
    },
  };
}

async function runOn(root: string, script: string, lent: Folders, onStart: (child: ChildProcess) => void) {
  const walk = join(root, 'walk');
  mkdirSync(walk, { recursive: true });
  writeFileSync(join(walk, 'script'), script);
  writeFileSync(join(walk, 'output'), '');
  rmSync(join(walk, 'status'), { force: true });
  chmodSync(walk, 0o755);
  writeFileSync(join(root, 'etc/systemd/system/walk.service'), UNIT);
  writeFileSync(join(root, 'etc/systemd/system/walk.target'), TARGET);
  const machine = ['--directory', root, '--register=no', '--keep-unit', '--link-journal=no', '--machine=deals'];
  const quiet = ['--resolv-conf=off', '--timezone=off', '--console=pipe'];
  const binds = Object.entries(lent).map(([there, here]) => `--bind-ro=${here}:${there}`);
  const words = [...machine, ...quiet, '--private-network', ...binds, '--boot', 'systemd.unit=walk.target'];
  const child = spawn('systemd-nspawn', words, { stdio: ['ignore', 'pipe', 'pipe'] });
  onStart(child);
  let console = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (console += String(text)));
  await once(child, 'close');
  const status = existsSync(join(walk, 'status')) ? readFileSync(join(walk, 'status'), 'utf8').trim() : '';
  return {
    status: status === '' ? undefined : Number(status),
    output: status === '' ? console : readFileSync(join(walk, 'output'), 'utf8'),
  };
}
