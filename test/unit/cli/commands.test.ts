import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { nameOf } from '../../../cli/console/command.ts';
import { acquireStoreLock } from '../../../data/store/lock.ts';
import { hashApiKey, isWellFormedKey } from '../../../server/keys/api-key.ts';
import { requireSuccess, runDeals, type DealsRun } from '../../harness.ts';
import { listCommands } from '../../support/list-commands.ts';
import { writeSmallSource } from './small-source.ts';

const COMMANDS = await listCommands();
const CONFIG = '--config data/sample/catalogue.json';
const STORE = 'dist/catalogue';

const root = mkdtempSync(join(tmpdir(), 'deals-commands-'));
let folder = '';
let first = '';
let second = '';

/** A folder with sources, and a store with two snapshots of 10 and 11 deals. */
const site = join(root, 'site');

beforeAll(async () => {
  mkdirSync(site);
  process.chdir(site);
  for (const [deals, now] of [
    [10, '2026-11-19T02:30:00Z'],
    [11, '2026-11-20T02:30:00Z'],
  ] as const) {
    // prettier-ignore
    writeSources(deals);
    requireSuccess(await run(`build ${CONFIG} --now ${now}`));
  }
  second = currentId();
  first = readdirSync(STORE).find((name) => name.startsWith('20261119T')) ?? '';
});

beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
  process.chdir(folder);
});

afterEach(() => process.chdir(root));

afterAll(() => {
  process.chdir(tmpdir());
  rmSync(root, { recursive: true });
});

const writeSources = (deals: number): void => writeSmallSource('data/sample', deals);
const currentId = (): string =>
  (JSON.parse(readFileSync(`${STORE}/current.json`, 'utf8')) as { readonly snapshot: string }).snapshot;

/** Runs a command line, in which `{first}` and `{second}` are the snapshots, and a space in a word is `_`. */
function run(line: string, env: Readonly<Record<string, string>> = {}): Promise<DealsRun> {
  const words = line.split(' ').filter((word) => word !== '');
  return runDeals(words.map((word) => fill(word).replaceAll('~', ' ')), env); // prettier-ignore
}

const fill = (text: string): string => text.replaceAll('{first}', first).replaceAll('{second}', second);

/** What a text is to equal: all of it, or what it matches. */
function wanted(expected: string | RegExp): unknown {
  if (typeof expected === 'string') return fill(expected);
  return expect.stringMatching(new RegExp(fill(expected.source), expected.flags));
}

const NO_STORE =
  /^deals: dist\/catalogue: expected a store, found nothing; run deals build first, or name another with --store\n$/;
const NO_CONFIG =
  /^deals: catalogue\.json: expected a configuration, found none; deals init writes one, or name another with --config/;
const NO_KEYS = /see deals keys \w+ --help\n$/;

/** A command line in an empty folder, its exit code, and what it says to do next. */
const IN_EMPTY_FOLDER: readonly (readonly [line: string, exitCode: number, said: RegExp])[] = [
  ['', 2, /deals: expected a command; see deals --help\n$/],
  ['bild', 2, /^deals: unknown command 'bild'; did you mean build\?; see deals --help\n$/],
  ['help build', 0, /^Usage: deals build /],
  ['help bild', 2, /Commands:\n {2}init [^]*deals: expected a command; see deals --help\n$/],
  ['init', 0, /Put there:\n[^]*Then:\n {2}deals check site\n/],
  ['build', 2, NO_CONFIG],
  ['build --quiet', 2, NO_CONFIG],
  ['build --config nowhere.json', 2, /^deals: nowhere\.json: .*; deals init --config nowhere\.json writes one, or name/],
  ['build --now today', 2, /argument 'today' is invalid\. Expected a date such as 2026-12-01/],
  ['dev --config nowhere.json', 2, /^deals: nowhere\.json: expected a configuration, found none/],
  ['demo --config nowhere.json', 2, /^deals: nowhere\.json: expected a configuration, found none/],
  ['serve', 2, /^deals: required option '-k, --keys <file>' not specified; see deals serve --help\n$/],
  ['serve --keys keys.json', 2, NO_STORE],
  ['serve --keys k.json --store .', 2, /k\.json: expected a key file, found none; deals keys create --keys k\.json/],
  ['serve --port 80x', 2, /argument '80x' is invalid\. Expected a whole number from 0 to 65535; see deals serve --help\n$/],
  ['serve --public-url ftp://x', 2, /Expected an http or https URL without a query/],
  ['keys', 2, /Commands:\n {2}create [^]*deals: expected a command; see deals keys --help\n$/],
  ['keys add', 2, /^deals: unknown command 'add'; see deals keys --help\n$/],
  ['keys create', 2, /^deals: required option '-k, --keys <file>' not specified; see deals keys create --help\n$/],
  ['keys create --keys k.json', 2, /^deals: required option '-n, --name <who>' not specified; see deals keys create/],
  ['keys create --keys k.json --name a\nb', 2, /^deals: --name: expected 1 to 80 printable characters\n$/],
  ['keys create --keys k.json --name a --until 2020-01-01', 2, /^deals: --until: expected a time to come, got 2020-01-01T/],
  ['keys create --keys k --name a --from 2999-02-01 --until 2999-01-01', 2, /^deals: --until: expected a time after --from 2999-02-01T00:00:00.000Z, got 2999-01-01T00:00:00.000Z\n$/],
  ['keys create --keys k --name a --rate-limit 600/60', 2, /Expected requests per duration such as 600\/1m, or off/],
  ['keys list --keys k.json', 2, /deals keys create --keys k\.json --name website\n$/],
  ['keys list --keys .', 2, /cannot be read: /],
  ['keys list', 2, NO_KEYS],
  ['keys revoke website --keys k.json', 2, /deals keys create --keys k\.json --name website\n$/],
  ['keys revoke --keys k.json', 2, /^deals: missing required argument 'key'; see deals keys revoke --help\n$/],
  ['query', 2, /^deals: missing required argument 'target'; see deals query --help\n$/],
  ['query a b', 2, /^deals: too many arguments for 'query'\. Expected 1 argument but got 2; see deals query --help\n$/],
  ['query /deals/v1/products/', 2, NO_STORE],
  ['explain', 2, /^deals: missing required argument 'record'; see deals explain --help\n$/],
  ['explain 101', 2, NO_STORE],
  ['changes', 2, NO_STORE],
  ['check', 2, /^deals: missing required argument 'source'; see deals check --help\n$/],
  ['check house', 2, NO_CONFIG],
  ['init --feed csv=none.csv', 2, /^deals: none\.csv: expected a file, found nothing\n$/],
  ['init --cms strappi', 2, /Expected one of catalogue, strapi, contentful, wordpress, csv/],
  ['init --feed xyz', 2, /Expected one of deals, awin, google-merchant, csv/],
  ['init --feed Shop=csv', 2, /Expected a lower-case word such as house before the equals sign/],
  ['init --feed a=csv --feed a=csv', 2, /feeds\[1\]\.name: expected a name of its own, got "a"/],
  ['verify', 2, NO_STORE],
  ['verify --store', 2, /^deals: option '-s, --store <folder>' argument missing; see deals verify --help\n$/],
  ['verify --store=', 2, /argument '' is invalid\. Expected some text; see deals verify --help\n$/],
  ['verify --store my~store', 2, /^deals: my store: expected a store, found nothing; run deals build --store 'my store' first,/],
  ['rollback', 2, NO_STORE],
  ['export --format csv', 2, NO_STORE],
  ['status', 2, NO_STORE],
  ['push', 2, /^deals: missing required argument 'url'; see deals push --help\n$/],
  ['pull', 2, /^deals: missing required argument 'url'; see deals pull --help\n$/],
]; // prettier-ignore

describe('in an empty folder', () => {
  it.each(IN_EMPTY_FOLDER)('deals %s ends with exit code %i and says what to do next', async (line, exitCode, said) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stdout + result.stderr).toMatch(said);
    expect(result.stdout + result.stderr).not.toMatch(/^\s+at .*:[0-9]+:[0-9]+/m);
    expect(readdirSync('.')).toEqual(line === 'init' ? ['catalogue.json', 'cms', 'feeds', 'schema'] : []);
  });

  it.each(['build', 'dev', 'check house', 'verify', 'changes', 'rollback', 'query /x', 'explain 101', 'status'])(
    'a misspelt key of the configuration is named by deals %s with the right one',
    async (line) => {
      const cms = [{ name: 'site', adapter: 'catalogue', file: ['x'] }];
      writeFileSync('catalogue.json', JSON.stringify({ cms, feds: [] }));
      const { exitCode, stderr } = await run(line);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('catalogue.json: cms[0].file: unknown key; did you mean "files"?');
      expect(stderr).toContain('catalogue.json: feds: unknown key; did you mean "feeds"?');
    },
  );

  it.each(['query /x', 'explain 101', 'changes', 'verify', 'rollback'])(
    'deals %s needs a snapshot, and names the build with the options that were given',
    async (line) => {
      mkdirSync(STORE, { recursive: true });
      writeSources(3);
      const { exitCode, stderr } = await run(`${line} ${CONFIG}`);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/: expected a published snapshot, found none; run deals build --config data\/sample\/catalogue\.json first\n$/); // prettier-ignore
    },
  );
});

describe('every command', () => {
  const NAMES = COMMANDS.map((command) => [nameOf(command), command] as const);

  it.each(NAMES)('%s shows its help on stdout: all flags, and two examples at its end', async (name, command) => {
    const help = await run(`${name.slice('deals'.length)} --help`);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^Usage: ${name}[ |]`));
    for (const { long, description } of command.options) {
      expect(help.stdout).toContain(` ${long ?? ''}`);
      expect(description).not.toBe('');
    }
    expect(help.stdout).toMatch(/\nExamples:\n {2}\$ deals .+\n {2}\$ deals .+\n$/);
  });

  /** Every flag with two letters changed about, which makes another word of it. */
  const MISSPELT = COMMANDS.flatMap((command) =>
    command.options.flatMap(({ long }) => {
      const [, before = '', one = '', other = ''] = /^(--.+)(.)(.)$/.exec(long ?? '') ?? [];
      return one === other ? [] : [[`${nameOf(command)} ${before}${other}${one}`, long ?? ''] as const];
    }),
  );

  it.each(MISSPELT)('%s is refused, with the right flag: %s', async (line, flag) => {
    const { exitCode, stdout, stderr } = await run(line.slice('deals '.length));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    // An option that is required is missed first.
    if (/^deals: required option '[^']+' not specified; see deals /.test(stderr)) return;
    expect(stderr).toMatch(/^deals: unknown option '--[a-z-]+'; did you mean .*\?; see deals .*--help\n$/);
    expect(stderr).toMatch(new RegExp(`[ ]${flag}[,?]`));
    expect(readdirSync('.')).toEqual([]);
  });

  it('takes a wrong value from the environment as wrong, too', async () => {
    const { exitCode, stderr } = await run('serve --keys k', { DEALS_PORT: 'http' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("value 'http' from env 'DEALS_PORT' is invalid. Expected a whole number from 0 to 65535");
  });
});

/** A command line in a copy of the site, and what comes of it. */
interface Row {
  readonly line: string;
  readonly given?: () => void | Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode?: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
  /** A part of the result of `--json`. */
  readonly json?: object;
  /** What is current afterwards; without it the second snapshot. */
  readonly current?: string | RegExp;
  /** What is in the folder afterwards, beside the sources and the store. */
  readonly files?: readonly string[];
}

const GARBLED = (): void => appendFileSync(`${STORE}/${first}/products.ndjson`, ' ');
const POINT_AT_FIRST = (): void => writeFileSync(`${STORE}/current.json`, `{"snapshot":"${first}"}\n`);
const IN_EURO = (): void => {
  const text = readFileSync('data/sample/catalogue.json', 'utf8');
  writeFileSync('data/sample/catalogue.json', text.replace('{', '{ "currency": { "code": "EUR", "label": "€" },'));
};
const UNDER_LOCK = (): void => {
  const lock = acquireStoreLock(STORE);
  onTestFinished(() => lock.release());
};
const ANY = /^/;
const ONLY_PROGRESS = /^(?:(?!deals:)[a-z].*\n)*$/;

const ROWS: Readonly<Record<string, Row>> = {
  'init says what to put where, and what to run next': {
    line: 'init --cms strapi --feed awin --config shop/deals.json',
    stdout: /^shop\/deals\.json: written[^]* {2}shop\/cms\/site\/\n {4}one export of Strapi [^]* {2}shop\/feeds\/awin\/\n {4}[^]*\n {2}deals check site --config shop\/deals\.json\n[^]* {2}deals dev --config shop\/deals\.json\n/,
    files: ['shop'],
  },
  'init leaves a configuration that is there as it is': {
    line: 'init --config data/sample/catalogue.json',
    exitCode: 2,
    stderr: 'deals: data/sample/catalogue.json: is there already, and stays as it is; name another with --config, or remove it first\n',
  },
  'build publishes: the report on stdout, progress as plain lines on stderr': {
    given: () => writeSources(12),
    line: `build ${CONFIG} --now 2026-11-21`,
    stdout: /house \(deals\): 12 read, 12 kept, 0 duplicate, 0 out of scope, 0 quarantined\nPublished 20261121T0000Z-\w+: 1 products, 12 deals, .+\.\n$/,
    stderr: /^reading house\n/m,
    current: /^20261121T0000Z-/,
  },
  'build publishes nothing new when nothing has changed': {
    line: `build ${CONFIG} --now 2026-11-21T02:30:00Z`,
    stdout: /^Nothing has changed: {second} is still current/m,
    stderr: ANY,
  },
  'build when quiet writes nothing unless something is wrong': {
    given: () => writeSources(12),
    line: `build ${CONFIG} --now 2026-11-21 --quiet`,
    current: /^20261121T/,
  },
  'build as JSON writes the whole result and nothing else on stdout': {
    given: () => writeSources(12),
    line: `build ${CONFIG} --now 2026-11-21 --json --quiet`,
    json: { outcome: 'published', counts: { products: 1, deals: 12 }, report: { sources: [{ name: 'site' }, { name: 'house', read: 12, kept: 12 }] } },
    current: /^20261121T/,
  },
  'build on a dry run writes nothing': {
    given: () => writeSources(12),
    line: `build ${CONFIG} --now 2026-11-21 --dry-run`,
    stdout: /Without --dry-run: Published/,
    stderr: ANY,
  },
  'build puts the store where the environment says': {
    line: 'build --quiet',
    env: { DEALS_STORE: 'other', DEALS_CONFIG: 'data/sample/catalogue.json' },
    files: ['other'],
  },
  'build that is refused ends with the line that publishes it all the same, quoted for a shell': {
    given: () => {
      IN_EURO();
      cpSync('data/sample', 'night shop', { recursive: true });
    },
    line: `build --config night~shop/catalogue.json --store ${STORE} --now 2026-11-21`,
    exitCode: 3,
    stderr: /to publish all the same: deals build --config '.+\/night shop\/catalogue\.json' --store \S+\/dist\/catalogue --accept currency\n/,
    files: ['night shop'],
  },
  'build that is refused says why and how it is accepted, and JSON on stdout': {
    given: IN_EURO,
    line: `build ${CONFIG} --now 2026-11-21 --quiet --json`,
    exitCode: 3,
    stderr: /^deals: Refused: currency, .*\nto publish all the same: .*\ngate currency refused: .*\n$/,
    json: { outcome: 'refused', attention: [expect.stringMatching(/^currency, /)] },
  },
  'build publishes what is accepted': {
    given: IN_EURO,
    line: `build ${CONFIG} --now 2026-11-21 --accept currency --quiet`,
    current: /^20261121T/,
  },
  'build needs a gate that exists': {
    line: `build ${CONFIG} --accept lost-deal`,
    exitCode: 2,
    stderr: /^deals: --accept: expected <gate> or <gate>:<source> with a gate of .+, got "lost-deal"\n$/,
  },
  'build ends with 75 while another build is running': {
    given: UNDER_LOCK,
    line: `build ${CONFIG} --quiet`,
    exitCode: 75,
    stderr: /^deals: .+: another build or rollback, whose process .+ names, is running; nothing was done\./,
  },
  'build that holds a feed says that, what was lost, and how it is taken as it is': {
    given: () => writeSources(4),
    line: `build ${CONFIG} --now 2026-11-21`,
    exitCode: 4,
    stdout: /^Held: house, lost, 7 of 11 deals are gone \(63\.6 %, at most 45 %\); its 11 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30 at the latest\n[^]*to take house as it is now: deals build --config \S+\/data\/sample\/catalogue\.json --accept lost:house\n/,
    stderr: ANY,
    current: /^20261121T/,
  },
  'query writes the body alone': {
    line: `query /deals/v1/products/ --store ${STORE}`,
    stdout: '{"products":[{"id":"101","name":"Acme One 128GB","slug":"acme-one-128gb"}]}',
  },
  'query --include writes the status and the headers': {
    line: 'query /deals/v1/products/?expand=products(deals) --include',
    stdout: /^HTTP\/1\.1 200\n[^]*\nX-Snapshot: {second}\n[^]*deal\/10"/,
  },
  'query --snapshot answers from an older one': {
    line: 'query /deals/v1/products/?expand=products(deals) --include --snapshot {first}',
    stdout: /\nX-Snapshot: {first}\n(?![^]*deal\/10")/,
  },
  'query that is refused: the problem on stdout': {
    line: 'query /deals/v1/products/?limt=1',
    exitCode: 2,
    json: { code: 'unknown-parameter' },
  },
  'query of a snapshot that there is none of': {
    line: 'query /deals/v1/products/ --snapshot 20260101T0000Z-00000000',
    exitCode: 2,
    stderr: `deals: ${STORE}: no snapshot "20260101T0000Z-00000000"; deals status lists those there are\n`,
  },
  'verify finds the current snapshot sound': { line: 'verify', stdout: '{second}: sound\n' },
  'verify takes the flag before the environment': {
    line: `verify --store ${STORE}`,
    env: { DEALS_STORE: 'nowhere' },
    stdout: '{second}: sound\n',
  },
  'verify takes the store of the configuration': { line: `verify ${CONFIG}`, stdout: '{second}: sound\n' },
  'verify says which file is damaged': {
    given: GARBLED,
    line: 'verify {first}',
    exitCode: 1,
    stdout: /products\.ndjson/,
    stderr: /^deals: {first}: [0-9]+ faults?; publish again with deals build\n$/,
  },
  'verify of a snapshot that there is none of': {
    line: 'verify 20260101T0000Z-00000000',
    exitCode: 2,
    stderr: `deals: ${STORE}: no snapshot "20260101T0000Z-00000000"; deals status lists those there are\n`,
  },
  'rollback goes to the snapshot before, and says what was and what is': {
    line: 'rollback',
    stdout: 'before:  {second}\ncurrent: {first}\n',
    stderr: 'The next build publishes the sources again: mend, exclude or hold back what is wrong first.\n',
    current: '{first}',
  },
  'rollback goes to the snapshot that it is told, forward too, and says so as JSON': {
    given: POINT_AT_FIRST,
    line: 'rollback --to {second} --json',
    json: { outcome: 'switched' },
  },
  'rollback to the current snapshot': { line: 'rollback --to {second}', stdout: 'current already: {second}\n' },
  'rollback from the first has nowhere to go': {
    given: POINT_AT_FIRST,
    line: 'rollback',
    exitCode: 2,
    stderr: `deals: ${STORE}: expected a snapshot that was published before {first}, found none; deals status lists those there are\n`,
    current: '{first}',
  },
  'rollback refuses a damaged one': {
    given: GARBLED,
    line: 'rollback',
    exitCode: 1,
    stdout: /products\.ndjson: expected SHA-256/,
    stderr: /^deals: {first}: [0-9]+ faults?; nothing was changed: {second} is current\. Name another/,
  },
  'rollback ends with 75 while a build is running': {
    given: UNDER_LOCK,
    line: 'rollback',
    exitCode: 75,
    stderr: /is running; nothing was done\. Try again when it has ended\.\n$/,
  },
  'changes shows what is new': { line: 'changes', stdout: /{first}[^]*D-10/ },
  'serve on a port that is taken': {
    given: takeKeyAndPort,
    line: 'serve --keys keys.json --port {port}',
    exitCode: 1,
    stderr: /^deals: listen EADDRINUSE: .*; end the program that has it, or choose another port\n$/,
    files: ['keys.json', 'keys.json.lock'],
  },
  'serve on an address of another machine': {
    given: takeKeyAndPort,
    line: 'serve --keys keys.json --port 0 --host 192.0.2.1',
    exitCode: 1,
    stderr: /; give --host an address of this machine\n$/,
    files: ['keys.json', 'keys.json.lock'],
  },
  'check of a source that there is none of': {
    line: `check hause ${CONFIG}`,
    exitCode: 2,
    stderr: /no source "hause"; did you mean "house"\?/,
  },
  'export of a snapshot that there is none of': {
    line: 'export --format csv --snapshot 20260101T0000Z-00000000',
    exitCode: 2,
    stderr: /no snapshot/,
  },
  'export in another format': { line: 'export --format xlsx', exitCode: 2, stderr: /Allowed choices are ndjson, csv/ },
  'export in no format': { line: 'export', exitCode: 2, stderr: /required option '-f, --format <format>' not specified/ },
  'keys list of a file that is no JSON': {
    given: () => writeFileSync('keys.json', '{"keys": ['),
    line: 'keys list --keys keys.json',
    exitCode: 2,
    stderr: 'deals: keys.json: expected JSON, got text that is not\n',
    files: ['keys.json'],
  },
  'serve without a usable key': {
    given: () => {
      const old = { id: '0a1b2c3d', name: 'old', sha256: '0'.repeat(64), createdAt: '2019-01-01T00:00:00Z', until: '2020-01-01T00:00:00Z' };
      writeFileSync('keys.json', JSON.stringify({ keys: [old] }));
    },
    line: 'serve --keys keys.json --port 0',
    exitCode: 2,
    stderr: /keys\.json: expected at least one key that has not expired, found none[^]*deals keys create --keys keys\.json/,
    files: ['keys.json'],
  },
}; // prettier-ignore

let takenPort = 0;

async function takeKeyAndPort(): Promise<void> {
  requireSuccess(await run('keys create --keys keys.json --name website'));
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void other.close());
  takenPort = (other.address() as AddressInfo).port;
}

describe('in a folder with sources and a store of two snapshots', () => {
  beforeEach(() => cpSync(site, folder, { recursive: true, preserveTimestamps: true }));

  it.each(Object.entries(ROWS))('%s', async (_, row) => {
    await row.given?.();
    const result = await run(row.line.replace('{port}', String(takenPort)), row.env);
    expect(result.exitCode, result.stderr).toBe(row.exitCode ?? 0);
    expect(row.json === undefined ? result.stdout : '').toEqual(wanted(row.stdout ?? ''));
    expect(row.json === undefined ? {} : JSON.parse(result.stdout)).toMatchObject(row.json ?? {});
    expect(result.stderr).toEqual(wanted(row.stderr ?? ONLY_PROGRESS));
    expect(currentId()).toEqual(wanted(row.current ?? '{second}'));
    expect(readdirSync('.').filter((name) => name !== 'data' && name !== 'dist')).toEqual(row.files ?? []);
  });
});

describe('deals keys', () => {
  interface KeyFile {
    readonly keys: { id: string; name: string; sha256: string; from?: string; until?: string }[];
  }
  const keyFile = (): KeyFile => JSON.parse(readFileSync('keys.json', 'utf8')) as KeyFile;
  const create = (line = '--name website') => run(`keys create --keys keys.json ${line}`);
  const list = (line = '') => run(`keys list --keys keys.json ${line}`);

  it('create prints the key alone on stdout, and stores its hash alone, for its owner', async () => {
    const { exitCode, stdout, stderr } = await create();
    const keyText = stdout.trimEnd();
    expect([exitCode, stdout]).toEqual([0, `${keyText}\n`]);
    expect(isWellFormedKey(keyText)).toBe(true);
    expect(keyFile().keys).toMatchObject([{ name: 'website', sha256: hashApiKey(keyText) }]);
    expect(stderr).toBe(`keys.json: added the key ${keyFile().keys[0]?.id} of website. It is not shown again.\n`);
    expect(statSync('keys.json').mode & 0o777).toBe(0o600);
    expect(readFileSync('keys.json', 'utf8')).not.toContain(keyText.slice(6));
  });

  it.each([
    ['--from 2026-12-01', { from: '2026-12-01T00:00:00.000Z' }],
    ['--until 2999-01-01T12:00:00+02:00', { until: '2999-01-01T10:00:00.000Z' }],
    ['--rate-limit 60/1m', { rateLimit: '60/1m' }],
    ['--rate-limit off', { rateLimit: 'off' }],
    ['--operator', { operator: true }],
  ])('create %s is in the file and in the list', async (flags, facts) => {
    await create();
    await create(`--name partner ${flags}`);
    expect(keyFile().keys[1]).toMatchObject(facts);
    const { keys } = JSON.parse((await list('--json')).stdout) as KeyFile;
    expect(keys).toEqual([expect.not.objectContaining(facts), expect.objectContaining({ name: 'partner', ...facts })]);
    expect((await list()).stdout).toContain(
      ` ${Object.keys(facts).includes('operator') ? 'operator' : Object.values(facts)[0]} `,
    );
  });

  it('list shows every key with its state, and neither key nor hash', async () => {
    const { stdout: keyText } = await create();
    await create('--name partner --from 2999-01-01');
    const file = keyFile();
    file.keys.push({ ...file.keys[0]!, id: '00000000', name: 'old', sha256: hashApiKey('old'), until: '2020-01-01T00:00:00Z' }); // prettier-ignore
    writeFileSync('keys.json', JSON.stringify(file));
    const { stdout } = await list();
    expect(stdout).toMatch(
      /^id +name +state .*\n\S+ +website +valid .*\n\S+ +partner +not yet valid .*\n\S+ +old +expired /,
    );
    const json = await list('--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ keys: [{ state: 'valid' }, { state: 'not yet valid' }, { state: 'expired' }] }); // prettier-ignore
    for (const { sha256 } of file.keys) expect(stdout + json.stdout).not.toContain(sha256);
    expect(stdout + json.stdout).not.toContain(keyText.slice(6, -1));
  });

  it.each([
    ['its id', () => keyFile().keys[0]?.id ?? ''],
    ['its name', () => 'website'],
    ['the key itself, where it leaked', (keyText: string) => keyText],
  ])('revoke removes a key by %s', async (_, nameKey) => {
    const { stdout } = await create();
    await create('--name partner');
    const id = keyFile().keys[0]?.id;
    const revoked = await run(`keys revoke ${nameKey(stdout.trimEnd())} --keys keys.json`);
    expect(revoked).toEqual({ exitCode: 0, stdout: '', stderr: `keys.json: revoked the key ${id} of website\n` });
    expect(keyFile().keys).toMatchObject([{ name: 'partner' }]);
  });

  it('revoke removes nothing when the name is not clear, and does not repeat what may be a key', async () => {
    await create();
    await create();
    const ids = keyFile().keys.map(({ id }) => id);
    for (const [name, told] of [
      ['deals_secret', 'holds no such key; deals keys list shows those there are'],
      ['website', `2 keys have this name; give an id: ${ids.join(', ')}`],
    ]) {
      const result = await run(`keys revoke ${name} --keys keys.json`);
      expect(result).toEqual({ exitCode: 2, stdout: '', stderr: `deals: keys.json: ${told}\n` });
    }
    expect(keyFile().keys).toHaveLength(2);
  });
});
