import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { createMachine, type Machine } from './booted-machine.ts';

const SAMPLE_FOLDER = join(PROGRAM_ROOT, 'data/sample');

/** Where the machine finds the packages of this project: `npm ci` there has no network. */
const PACKAGES = '/walk-packages';
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

/** Before the first block: nothing of a catalogue is there, and the hosts of the sources are. */
const BEFORE = `
set -euo pipefail
# systemd-nspawn lays another id of the start over that of the kernel, and the mounts of a unit uncover it; a machine has one.
umount /proc/sys/kernel/random/boot_id
cd /root
node /walk/sources.mjs &
heading() { echo; echo "== $*"; }
`;

/** What the guide cannot say as it stands where there is no network. */
const OFFLINE = [['apt-get install --yes --no-install-recommends curl', 'type curl']] as const;

/** What happens to a machine between two blocks of the guide: a script, after the block with these words. */
export type Events = Readonly<Record<string, string>>;

/** The script of the blocks of a page that a reader pastes, each under its first line as a heading. */
export function writeWalk(page: string, events: Events): string {
  let blocks = Array.from(page.matchAll(/```sh\n([^]*?)```/g), ([, text]) => text ?? '');
  for (const [from, to] of OFFLINE) {
    if (!blocks.some((block) => block.includes(from))) throw new Error(`no line to replace: ${from}`);
    blocks = blocks.map((block) => block.replace(`${from} openssl unzip nginx-light`, `${to} openssl unzip nginx`));
  }
  const left = new Set(Object.keys(events));
  const walked = blocks.map((block) => {
    const then = Object.entries(events).filter(([words]) => block.includes(words) && left.delete(words));
    const heading = `heading '${block.split('\n')[0]?.replaceAll("'", '')}'`;
    return [heading, block, ...then.map(([, script]) => script)].join('\n');
  });
  if (left.size > 0) throw new Error(`no block with ${[...left].join(', ')}`);
  return [BEFORE, ...walked].join('\n');
}

/** A machine with two versions of the package, the packages that they need, and sources. */
export function createWalkMachine(): Machine {
  const machine = createMachine({ [PACKAGES]: realpathSync(join(PROGRAM_ROOT, 'node_modules')) });
  const root = join(machine.root, 'root');
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: PROGRAM_ROOT, stdio: 'pipe' });
  run('npm', 'run', '--silent', 'package', '--', '--pack-destination', root);
  run('tar', '-xzf', join(root, 'mobile-deals-catalogue-1.0.0.tgz'), '-C', root);
  const manifest = join(root, 'package/package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "1.0.0"', '"version": "1.0.1"'));
  run('tar', '-czf', join(root, 'mobile-deals-catalogue-1.0.1.tgz'), '-C', root, 'package');
  run('rm', '-r', join(root, 'package'));
  run('bash', '-c', 'rm -rf "$0"/opt/deals* "$0"/{etc,srv,var/lib}/deals "$0"/etc/nginx/conf.d/deals*', machine.root);
  writeSources(join(machine.root, 'walk/sources'));
  writeFileSync(join(machine.root, 'walk/sources.mjs'), SOURCES);
  writeFileSync(join(machine.root, 'usr/local/sbin/npm'), NPM, { mode: 0o755 });
  return machine;
}

/** Runs a walk to its end. @throws {Error} with the last lines when it fails */
export async function walk(machine: Machine, script: string): Promise<string> {
  const { status, output } = await machine.run(script);
  if (status !== 0) throw new Error(`the walk ended with ${status ?? 'no status'}: ${output.slice(-3_000)}`);
  return output;
}

function writeSources(folder: string): void {
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  // The export of the CMS as one file.
  const whole: Record<string, unknown[]> = {};
  for (const name of readdirSync(join(SAMPLE_FOLDER, 'cms')).filter((each) => each.endsWith('.json'))) {
    const part = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'cms', name), 'utf8')) as Record<string, unknown[]>;
    for (const [key, records] of Object.entries(part)) whole[key] = [...(whole[key] ?? []), ...records];
  }
  write('export/deals.json', JSON.stringify(whole));
  mkdirSync(join(folder, 'feeds'));
  cpSync(join(SAMPLE_FOLDER, 'feeds/house/deals.csv'), join(folder, 'feeds/deals.csv'));
  mkdirSync(join(folder, 'apikey/0123'), { recursive: true });
  cpSync(join(SAMPLE_FOLDER, 'feeds/awin/datafeed.csv.gz'), join(folder, 'apikey/0123/feed.csv.gz'));
}

/** What was written after a heading. */
export function sectionOf(output: string, heading: string): readonly string[] {
  const [, text = ''] = output.split(`== ${heading}\n`);
  return (text.split('\n== ')[0] ?? '').trim().split('\n');
}
