import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { createMachine, type Machine } from './booted-machine.ts';
import { SAMPLE_FOLDER } from './sample-store.ts';

/** What a reader pastes, block by block. */
export function findBlocks(page: string): readonly string[] {
  return Array.from(page.matchAll(/```sh\n([^]*?)```/g), ([, text]) => text ?? '');
}

/** Where the machine finds the packages of this project. */
const PACKAGES = '/walk-packages';

type Change = readonly [from: string, to: string];

/** Lines that cannot be as they stand where there is no network, and what takes their place. */
export const OFFLINE: readonly Change[] = [
  ['apt-get install --yes --no-install-recommends git curl openssl nginx-light', 'type git curl openssl nginx'],
  // What it installs is installed here: the lock file is the same.
  ['npm ci', `cp --archive ${PACKAGES} node_modules`],
];

/** After the block with these words: the sources come from this machine. */
export const LOCAL_SOURCES: Change = [
  'sources.list /etc/deals/fetch/sources.list',
  `sed -i -E 's|https://[a-z]+\\.example\\.com|http://127.0.0.1:9999|' /etc/deals/fetch/sources.list
   echo DEALS_FETCH_PROTO==http >/etc/deals/fetch/fetch.env`,
];

/** Before the first block: the address of the clone, and the hosts of the sources. */
export const BEFORE = `
set -euo pipefail
# systemd-nspawn lays another id of the start over that of the kernel, and the mounts of a unit uncover it; a machine has one.
umount /proc/sys/kernel/random/boot_id
git config --system --add safe.directory '*'
git config --system url./walk/clone.insteadOf https://git.example.com/deals.git
rm -rf /opt/deals* /etc/deals /srv/deals /var/lib/deals
node /walk/sources.mjs &
heading() { echo; echo "== $*"; }
`;

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

/**
 * The script of some blocks, each under a heading.
 * @param moves lines and their replacements; each must be there
 * @param after what is run after a block, by words in it
 */
export function writeWalk(blocks: readonly string[], moves: readonly Change[], after: readonly Change[]): string {
  let moved = blocks;
  for (const [from, to] of moves) {
    if (!moved.some((block) => block.includes(`${from}\n`))) throw new Error(`no line to replace: ${from}`);
    moved = moved.map((block) => block.replace(`${from}\n`, `${to}\n`));
  }
  for (const [words] of after) {
    if (!moved.some((block) => block.includes(words))) throw new Error(`no block with ${words}`);
  }
  return moved
    .map((block) => {
      const then = after.filter(([words]) => block.includes(words)).map(([, script]) => script);
      return [
        `heading '${block.split('\n')[0]?.replaceAll("'", '')}'`,
        'set -x',
        block,
        '{ set +x; } 2>/dev/null',
        ...then,
      ].join('\n');
    })
    .join('\n');
}

/** A machine with a clone of this tree, its packages, and sources. */
export function createWalkMachine(): Machine {
  const machine = createMachine({ [PACKAGES]: realpathSync(join(PROGRAM_ROOT, 'node_modules')) });
  writeClone(join(machine.root, 'walk/clone'));
  writeSources(join(machine.root, 'walk/sources'));
  writeFileSync(join(machine.root, 'walk/sources.mjs'), SOURCES);
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

/** This tree as a clone has it. */
function writeClone(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROGRAM_ROOT,
    encoding: 'utf8',
  });
  mkdirSync(folder, { recursive: true });
  for (const name of files.split('\0').filter((each) => each !== '')) {
    // One that was removed and is not committed yet is still listed.
    try {
      cpSync(join(PROGRAM_ROOT, name), join(folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'all');
}

/** What was written after a heading. */
export function sectionOf(output: string, heading: string): readonly string[] {
  const [, text = ''] = output.split(`== ${heading}\n`);
  return (text.split('\n== ')[0] ?? '').trim().split('\n');
}
