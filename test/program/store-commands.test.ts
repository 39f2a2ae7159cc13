import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess, type DealsRun } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

const STORE = 'dist/catalogue';

let cwd = '';
let firstId = '';
let secondId = '';

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-cli-store-'));
  process.chdir(cwd);
  firstId = await publish(3, '2026-11-19T02:30:00Z');
  secondId = await publish(4, '2026-11-20T02:30:00Z');
});

afterAll(() => rmSync(cwd, { recursive: true }));

async function publish(dealCount: number, now: string): Promise<string> {
  writeSmallSource(join(cwd, 'data/sample'), dealCount);
  requireSuccess(await deals('build', '--config', 'data/sample/catalogue.json', '--now', now));
  const current: { snapshot: string } = JSON.parse(readFileSync(join(cwd, STORE, 'current.json'), 'utf8'));
  return current.snapshot;
}

function deals(...args: readonly string[]): Promise<DealsRun> {
  return callDeals(args);
}

describe('the store', () => {
  it.each([
    ['the flag', ['--store', STORE], {}],
    ['the environment', [], { DEALS_STORE: STORE }],
    ['the flag before the environment', ['--store', STORE], { DEALS_STORE: 'nowhere' }],
    ['the configuration', ['--config', 'data/sample/catalogue.json'], {}],
    ['the configuration named by the environment', [], { DEALS_CONFIG: 'data/sample/catalogue.json' }],
    ['the environment before the configuration', ['--config', 'nowhere.json'], { DEALS_STORE: STORE }],
    ['the default', [], {}],
  ])('is that of %s', async (_, args, env) => {
    const { exitCode, stdout } = await callDeals(['verify', ...args], env);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(secondId);
  });

  it.each(['query', 'verify', 'rollback'])(
    'without the snapshot that is asked for ends %s with what to do',
    async (name) => {
      const id = '20260101T0000Z-00000000';
      const args = { query: ['/deals/v1/products/', '--snapshot', id], rollback: ['--to', id] }[name] ?? [id];
      const run = await deals(name, ...args, '--store', STORE);
      expect(run).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `deals: ${STORE}: no snapshot "${id}"; deals status lists those there are\n`,
      });
    },
  );
});

describe('deals query', () => {
  it('writes the body alone', async () => {
    const { exitCode, stdout, stderr } = await deals('query', '/deals/v1/products/', '--store', STORE);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe('{"products":[{"id":"101","name":"Acme One 128GB","slug":"acme-one-128gb"}]}');
  });

  it.each([
    ['the current snapshot', [], () => secondId, 4],
    ['an older one', ['first'], () => firstId, 3],
  ])('answers from %s', async (_, which, id, count) => {
    const args = which.length === 0 ? [] : ['--snapshot', id()];
    const { stdout } = await deals(
      'query',
      '/deals/v1/products/?expand=products(deals)',
      '--store',
      STORE,
      '--include',
      ...args,
    );
    const [head, body] = stdout.split('\n\n') as [string, string];
    expect(head.split('\n')).toContain('HTTP/1.1 200');
    expect(head.split('\n')).toContain(`X-Snapshot: ${id()}`);
    expect((JSON.parse(body) as { deals: unknown[] }).deals).toHaveLength(count);
  });

  it.each([
    ['/deals/v1/products/?limt=1', 'unknown-parameter'],
    ['/deals/v1/products/999/', 'unknown-product'],
    ['/deals/v2/products/', 'unknown-path'],
  ])('%s is refused: the problem on stdout, exit code 2', async (target, code) => {
    const { exitCode, stdout } = await deals('query', target, '--store', STORE);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ code });
  });
});

describe('deals verify', () => {
  it('finds a published snapshot sound', async () => {
    expect(await deals('verify', '--store', STORE)).toEqual({
      exitCode: 0,
      stdout: `${secondId}: sound\n`,
      stderr: '',
    });
    expect(await deals('verify', firstId, '--store', STORE)).toMatchObject({ stdout: `${firstId}: sound\n` });
  });

  it('says which file of a snapshot is damaged', async () => {
    const file = join(cwd, STORE, firstId, 'products.ndjson');
    const before = readFileSync(file);
    appendFileSync(file, ' ');
    const text = await deals('verify', firstId, '--store', STORE);
    const json = await deals('verify', firstId, '--store', STORE, '--json');
    writeFileSync(file, before);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain('products.ndjson');
    expect(text.stderr).toMatch(/^deals: .*: [0-9]+ faults?; publish again with deals build\n$/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      snapshot: firstId,
      faults: expect.arrayContaining([expect.any(String)]),
    });
  });
});

describe('deals rollback', () => {
  const current = () =>
    (JSON.parse(readFileSync(join(cwd, STORE, 'current.json'), 'utf8')) as { snapshot: string }).snapshot;
  const point = (id: string) => writeFileSync(join(cwd, STORE, 'current.json'), `{"snapshot":"${id}"}\n`);
  afterEach(() => point(secondId));

  it('makes the snapshot before the current one current, and says what was and what is', async () => {
    expect(await deals('rollback', '--store', STORE)).toEqual({
      exitCode: 0,
      stdout: `before:  ${secondId}, 1 products, 4 deals\ncurrent: ${firstId}, 1 products, 3 deals\n`,
      stderr: 'The next build publishes the sources again: mend, exclude or hold back what is wrong first.\n',
    });
    expect(current()).toBe(firstId);
    expect(await deals('status', '--store', STORE)).toMatchObject({
      stdout: expect.stringMatching(
        new RegExp(`^${secondId} .*rolled back from\\n${firstId} .*current$`, 'm'),
      ) as string,
    });
  });

  it('goes to the snapshot it is told, forward too, and says so as JSON', async () => {
    point(firstId);
    const { exitCode, stdout } = await deals('rollback', '--to', secondId, '--store', STORE, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      outcome: 'switched',
      snapshot: secondId,
      before: firstId,
      current: secondId,
      counts: { before: { products: 1, deals: 3 }, current: { products: 1, deals: 4 } },
    });
    expect(current()).toBe(secondId);
  });

  it('has nothing to do where that is current already', async () => {
    expect(await deals('rollback', '--to', secondId, '--store', STORE)).toEqual({
      exitCode: 0,
      stdout: `current already: ${secondId}\n`,
      stderr: '',
    });
  });

  it('has nowhere to go from the first', async () => {
    point(firstId);
    expect(await deals('rollback', '--store', STORE)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `deals: ${STORE}: expected a snapshot that was published before ${firstId}, found none; deals status lists those there are\n`,
    });
  });

  it('refuses one that is damaged, and changes nothing', async () => {
    const file = join(cwd, STORE, firstId, 'products.ndjson');
    const before = readFileSync(file);
    appendFileSync(file, ' ');
    const text = await deals('rollback', '--store', STORE);
    const json = await deals('rollback', '--store', STORE, '--json');
    writeFileSync(file, before);
    expect(text.exitCode).toBe(1);
    expect(text.stdout).toContain('products.ndjson: expected SHA-256');
    expect(text.stderr).toMatch(
      new RegExp(`^deals: ${firstId}: [0-9]+ faults?; nothing was changed: ${secondId} is current. Name another`),
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'damaged', snapshot: firstId, current: secondId });
    expect(current()).toBe(secondId);
  });

  it('waits for no build: while one is running it ends with exit code 75', async () => {
    const lock = acquireStoreLock(join(cwd, STORE));
    const run = await deals('rollback', '--store', STORE);
    lock.release();
    expect(run).toMatchObject({ exitCode: 75, stdout: '' });
    expect(run.stderr).toMatch(/is running; nothing was done\. Try again when it has ended\.\n$/);
    expect(current()).toBe(secondId);
  });

  it('mends a current.json that cannot be read, when it is told what to write there', async () => {
    writeFileSync(join(cwd, STORE, 'current.json'), '{"snapshot":');
    expect(await deals('rollback', '--store', STORE)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await deals('rollback', '--to', secondId, '--store', STORE)).toEqual({
      exitCode: 0,
      stdout: `before:  none that can be read\ncurrent: ${secondId}, 1 products, 4 deals\n`,
      stderr: '',
    });
  });
});

describe('after a rollback', () => {
  const AFTER = 'after';
  const build = (dealCount: number, now: string) => {
    writeSmallSource(join(cwd, 'data/sample'), dealCount);
    return deals('build', '--config', 'data/sample/catalogue.json', '--store', AFTER, '--now', now, '--json');
  };

  it('the next build goes by the snapshot being served, and is the newest of all', async () => {
    for (const [day, dealCount] of [6, 7, 8].entries()) {
      requireSuccess(await build(dealCount, `2026-11-0${day + 1}T02:30:00Z`));
    }
    const { stdout: listed } = await deals('status', '--store', AFTER, '--json');
    const [third, , first] = (JSON.parse(listed) as { snapshots: { id: string }[] }).snapshots.map(({ id }) => id);
    requireSuccess(await deals('rollback', '--to', first ?? '', '--store', AFTER));

    // The sources still say what was rolled back: that is published again.
    const again = JSON.parse((await build(8, '2026-11-04T02:30:00Z')).stdout) as Record<string, unknown>;
    expect(again).toMatchObject({ outcome: 'published', comparedWith: { snapshot: first } });
    const [manifest, bad] = [again['snapshot'], third].map(
      (id) =>
        JSON.parse(readFileSync(join(cwd, AFTER, String(id), 'manifest.json'), 'utf8')) as {
          readonly files: Readonly<Record<string, unknown>>;
        },
    );
    expect(manifest).toMatchObject({ sequence: 4, previous: first });
    // Its price histories are those of another day.
    expect(manifest?.files['deals.ndjson']).toEqual(bad?.files['deals.ndjson']);

    // From there, the one before is not one that was rolled back from.
    expect(await deals('rollback', '--store', AFTER)).toMatchObject({
      stdout: `before:  ${String(again['snapshot'])}, 1 products, 8 deals\ncurrent: ${first ?? ''}, 1 products, 6 deals\n`,
    });
  });

  it('a build that finds what is being served changes nothing of what is served', async () => {
    const contentHashOf = (id: unknown): unknown => {
      const manifest = JSON.parse(readFileSync(join(cwd, AFTER, String(id), 'manifest.json'), 'utf8')) as object;
      return 'contentHash' in manifest ? manifest.contentHash : undefined;
    };
    const { stdout: listed } = await deals('status', '--store', AFTER, '--json');
    const first = (JSON.parse(listed) as { snapshots: { id: string }[] }).snapshots.at(-1)?.id ?? '';
    requireSuccess(await deals('rollback', '--to', first, '--store', AFTER));
    const same = JSON.parse((await build(6, '2026-11-05T02:30:00Z')).stdout) as Record<string, unknown>;
    expect(contentHashOf(same['current'])).toBe(contentHashOf(first));
  });
});
