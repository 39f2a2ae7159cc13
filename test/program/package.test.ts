import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMissing } from '../fault/needs.ts';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { endOf, requireSuccess, untilAddress, type DealsRun } from '../unit/cli/run-deals.ts';

/** What a fresh clone has, as far as packing reads it. */
const CLONED =
  '.npmrc CHANGELOG.md LICENSE README.md build cli data package-lock.json package.json server test tsconfig.json';

/** What lies in a clone in which people worked. */
const LEFT_BEHIND = ['dist/js/cli/removed-command.js', 'dist/demo-key.txt', 'dist/catalogue/current.json', '.env'];

/** Of which the compiled program has 0.4 MB, and the sample 0.33. */
const MAX_BYTES = 1_000_000;

const { version } = JSON.parse(readFileSync(join(PROGRAM_ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const REGISTRY = {
  name: 'the npm registry',
  isThere: spawnSync('npm', ['view', 'zod', 'name'], { env: npmEnvironment(), timeout: 30_000 }).status === 0,
};

/** The pictures of the sample are rendered. */
const RENDERING = { timeout: 120_000 };

let folder = '';
let tarball = '';
let packed: readonly string[] = [];

/** As from a shell: npm hands its own settings on to the tests that it runs. */
function npmEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !/^(?:npm_|DEALS_|NODE_ENV)/i.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-package-'));
  const clone = join(folder, 'clone');
  for (const name of CLONED.split(' ')) cpSync(join(PROGRAM_ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(PROGRAM_ROOT, 'node_modules'), join(clone, 'node_modules'));
  for (const name of LEFT_BEHIND) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    writeFileSync(join(clone, name), '');
  }
  execFileSync('npm', ['run', '--silent', 'package', '--', '--pack-destination', folder], {
    cwd: clone,
    env: npmEnvironment(),
    stdio: 'pipe',
  });
  tarball = join(folder, `mobile-deals-catalogue-${version}.tgz`);
  packed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run package', () => {
  it('packs the compiled program, pages, schemas, the sample, the installation and the pages about them, and nothing else', () => {
    const places = packed.map((path) =>
      path
        .replace(/^package\//, '')
        .replace(/^(build\/init\/examples|build\/init\/templates|dist\/js|data\/sample|server\/page)\/.*$/, '$1')
        .replace(/^(dist\/schema|data\/spec|server\/deploy)\/[^/]+$/, '$1'),
    );
    expect([...new Set(places)].sort().join(' ')).toBe(
      'CHANGELOG.md LICENSE README.md build/init/examples build/init/templates build/match/phones.json data/sample data/spec dist/js dist/schema npm-shrinkwrap.json package.json server/deploy server/page',
    );
  });

  it('packs of code only what was compiled just now, in less than a megabyte', () => {
    const sources = ['build', 'cli', 'data', 'server'].flatMap((area) =>
      readdirSync(join(PROGRAM_ROOT, area), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `package/dist/js/${area}/${name.replace(/\.ts$/, '.js')}`),
    );
    expect(packed.filter((path) => path.startsWith('package/dist/js/')).sort()).toEqual(sources.sort());
    expect(packed.filter((path) => path.endsWith('.ts'))).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(MAX_BYTES);
  });
});

describe.skipIf(isMissing('the installed package', REGISTRY))('the installed package, in an empty folder', () => {
  let prefix = '';
  let cwd = '';
  let before: readonly string[] = [];

  const listInstalled = (): readonly string[] => readdirSync(prefix, { recursive: true, encoding: 'utf8' }).toSorted();
  const start = (args: readonly string[], at: string) =>
    spawn(join(prefix, 'bin/deals'), args, { cwd: at, env: { PATH: process.env['PATH'] ?? '' } });
  const deals = async (...args: readonly string[]): Promise<DealsRun> => endOf(start(args, cwd));

  beforeAll(() => {
    prefix = join(folder, 'prefix');
    cwd = join(folder, 'empty');
    mkdirSync(prefix);
    mkdirSync(cwd);
    execFileSync('npm', ['install', '--global', '--ignore-scripts', '--prefix', prefix, tarball], {
      cwd,
      env: npmEnvironment(),
      stdio: 'pipe',
    });
    before = listInstalled();
  }, 300_000);

  it('says its version, writes a configuration, builds, makes a key, explains and finds nothing to mend', async () => {
    expect(await deals('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
    requireSuccess(await deals('init'));
    requireSuccess(await deals('build'));
    requireSuccess(await deals('keys', 'create', '--keys', 'keys.json', '--name', 'website', '--operator'));
    expect(requireSuccess(await deals('explain', '90001')).stdout).toContain('Example One');
    expect(requireSuccess(await deals('status', '--keys', 'keys.json')).stdout).toMatch(/^state +fine\n/);
  });

  /** Starts a server, asks for these with the key, ends it, and returns what it announced and the statuses. */
  const askStarted = async (
    args: readonly string[],
    cwd: string,
    targetsOf: (said: string) => readonly [key: string, urls: readonly string[]],
  ) => {
    const child = start(args, cwd);
    const ended = endOf(child);
    const [key, urls] = targetsOf((await untilAddress(child)).trim());
    const answers = await Promise.all(urls.map((url) => fetch(url, { headers: { 'x-api-key': key } })));
    child.kill('SIGTERM');
    expect((await ended).exitCode).toBe(0);
    return answers.map(({ status }) => status);
  };

  it('serves the interface and its pages', async () => {
    const key = requireSuccess(await deals('keys', 'create', '--keys', 'serve.json', '--name', 'a')).stdout.trim();
    const paths = ['/deals/v1/products/', '/', '/explore/', '/docs/', '/status/', '/openapi.json', '/health/ready'];
    const serve = ['serve', '--keys', 'serve.json', '--port', '0'];
    const statuses = await askStarted(serve, cwd, (url) => [key, paths.map((path) => url + path)]);
    expect(statuses).toEqual(paths.map(() => 200));
  });

  it('shows its sample in a folder without a configuration, and keeps store and key there', RENDERING, async () => {
    const empty = join(folder, 'demo');
    mkdirSync(empty);
    const statuses = await askStarted(['demo', '--port', '0'], empty, (said) => {
      const [, key = '', target = ''] = /^curl -g -H 'x-api-key: (\S+)' '(\S+)'$/m.exec(said) ?? [];
      return [key, [target]];
    });
    expect(statuses).toEqual([200]);
    const left = readdirSync(join(empty, 'dist')).filter((name) => !name.endsWith('.lock'));
    expect(left.sort()).toEqual(['demo', 'demo-key.txt', 'demo-keys.json']);
  });

  it('writes nothing into its own folder', () => {
    expect(listInstalled()).toEqual(before);
  });
});
