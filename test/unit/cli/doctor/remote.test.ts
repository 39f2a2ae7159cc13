import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileStore } from '../../../../build/remote/file-store.ts';
import { HttpStore } from '../../../../build/remote/http-store.ts';
import { BLOB_PREFIX, HEAD_FILE, recordPath, STORE_FILE } from '../../../../build/remote/remote-format.ts';
import { createSigningKey, readTrustedKeys } from '../../../../build/remote/signature.ts';
import { checkPulled, checkRemote, checkRemoteKeys, checkWrites, readPulled } from '../../../../cli/doctor/remote.ts';
import type { NamedResult } from '../../../../cli/doctor.ts';
import type { CheckResult } from '../../../../cli/doctor/result.ts';
import { revisionOf, writePullState } from '../../../support/pull-state.ts';
import { createTemporaryFolder, publishNumber } from '../../build/publish/temporary-store.ts';
import { createKey, createPuller, NOW, openMemoryStore, push } from '../../build/remote/remote-stores.ts';
import { callDeals } from '../call-deals.ts';

const describeAll = (results: readonly CheckResult[]) =>
  results.map(({ state, found, remedy = '' }) => `${state}: ${found}; ${remedy}`);

/** A remote store in a folder with two revisions, and what is needed to read it. */
async function createRemote() {
  const folder = createTemporaryFolder();
  const remote = new FileStore(folder);
  const builder = createTemporaryFolder();
  const key = createKey();
  publishNumber(builder, 1);
  await push(builder, remote, key);
  const { id } = publishNumber(builder, 2);
  await push(builder, remote, key, { leadSeconds: 60 });
  const trusted = readTrustedKeys([key.publicText]);
  const check = (known = 0) => checkRemote(remote, trusted, false, known);
  return { folder, remote, builder, key, id, trusted, check };
}

describe('the keys of a remote store', () => {
  const createFile = (name = 'signing.pem') => join(createTemporaryFolder(), name);

  it('are sound when they can be read, and only the owner can read the private one', () => {
    const file = createFile();
    const { id } = createSigningKey(file);
    const other = createKey();
    const { results, trusted } = checkRemoteKeys([`${file}.pub`, other.publicText], file);
    expect(describeAll(results)).toEqual([
      `ok: trusted: ${id}, ${other.id}; `,
      `ok: ${file}: signs as ${id}, and only its owner can read it; `,
    ]);
    expect([...trusted.keys()]).toEqual([id, other.id]);
  });

  it('of a builder are trusted without being named', () => {
    const file = createFile();
    const { id } = createSigningKey(file);
    expect([...checkRemoteKeys([], file).trusted.keys()]).toEqual([id]);
  });

  it.each([
    [0o604, 'fault', 'everybody on this machine can publish with this key'],
    [0o640, 'warning', 'its group can publish with this key'],
  ])('are not sound in a private file of mode %o', (mode, state, found) => {
    const file = createFile();
    createSigningKey(file);
    chmodSync(file, mode);
    expect(describeAll(checkRemoteKeys([], file).results)).toEqual([`${state}: ${file}: ${found}; chmod 600 ${file}`]);
  });

  it('are a fault in a list that everybody can write to', () => {
    const file = createFile();
    createSigningKey(file);
    chmodSync(`${file}.pub`, 0o646);
    expect(describeAll(checkRemoteKeys([`${file}.pub`], undefined).results)[0]).toBe(
      `fault: ${file}.pub: everybody on this machine can add a trusted key; chmod o-w ${file}.pub`,
    );
  });

  it.each([
    ['missing', undefined],
    ['no key', 'something else\n'],
  ])('are a fault in a file that is %s, and the others count', (_, text) => {
    const file = createFile();
    if (text !== undefined) writeFileSync(file, text);
    const { id, publicText } = createKey();
    const { results, trusted } = checkRemoteKeys([file, publicText], file);
    expect(results.map(({ state }) => state)).toEqual(['fault', 'ok', 'fault']);
    expect([...trusted.keys()]).toEqual([id]);
  });
});

describe('a remote store', () => {
  it('is sound when a trusted key has signed its newest record and its manifest can be read', async () => {
    const { remote, id, check } = await createRemote();
    const { results, newest, snapshotBytes } = await check();
    expect(describeAll(results)).toEqual([
      expect.stringMatching(`^ok: ${remote.url}: revision 2, ${id}, published at ${NOW.toISOString()} by `),
    ]);
    expect([newest?.revision, newest?.snapshot]).toEqual([2, id]);
    expect(snapshotBytes).toBeGreaterThan(1_000);
  });

  it('without anything is a fault for a server, and a first step for a builder', async () => {
    const remote = new FileStore(createTemporaryFolder());
    const check = async (isBuilder: boolean) => (await checkRemote(remote, new Map(), isBuilder, 0)).results;
    expect(await check(false)).toMatchObject([
      { state: 'fault', found: expect.stringContaining('nothing was pushed') },
    ]);
    expect(await check(true)).toMatchObject([
      { state: 'warning', remedy: `deals push ${remote.url} publishes the first snapshot` },
    ]);
  });

  it('that holds something else is a fault', async () => {
    const { folder, check } = await createRemote();
    writeFileSync(join(folder, STORE_FILE), '{"format":2}');
    expect((await check()).results).toMatchObject([
      { state: 'fault', found: expect.stringContaining('expected {"format":1}') },
    ]);
  });

  it('that does not answer is a fault, and says who goes on', async () => {
    const remote = new HttpStore('http://127.0.0.1:9');
    expect((await checkRemote(remote, new Map(), false, 0)).results).toMatchObject([
      { state: 'fault', remedy: expect.stringContaining('servers serve what they have') },
    ]);
  });

  it('is read without a trusted key, and nothing is said of its records', async () => {
    const { remote } = await createRemote();
    const { results, newest } = await checkRemote(remote, new Map(), false, 0);
    expect(results).toMatchObject([{ state: 'skipped', remedy: expect.stringContaining('--trust') }]);
    expect(newest).toBeUndefined();
  });

  it('whose records a stranger has signed is a fault', async () => {
    const { remote } = await createRemote();
    const { results, newest } = await checkRemote(remote, readTrustedKeys([createKey().publicText]), false, 0);
    expect(results.map(({ state }) => state)).toEqual(['warning', 'fault']);
    expect(results[0]?.found).toContain('revision 2: no trusted key has signed it');
    expect(newest).toBeUndefined();
  });

  it('with a newer record of a stranger is a warning, and the trusted one counts', async () => {
    const { folder, remote, builder, check } = await createRemote();
    publishNumber(builder, 3);
    await push(builder, remote, createKey(), { acceptsNotFastForward: true });
    writeFileSync(join(folder, HEAD_FILE), '{"revision":2}');
    const { results, newest } = await check();
    expect(results.map(({ state }) => state)).toEqual(['warning', 'ok']);
    expect(newest?.revision).toBe(2);
  });

  it.each([
    ['lost', undefined, 'names no revision, and 2 is the newest'],
    ['behind', '{"revision":1}', 'names revision 1, and 2 is the newest'],
    ['damaged', '{', 'names no revision, and 2 is the newest'],
  ])('whose head is %s is a warning, and its newest record is found', async (_, head, found) => {
    const { folder, check } = await createRemote();
    if (head === undefined) rmSync(join(folder, HEAD_FILE));
    else writeFileSync(join(folder, HEAD_FILE), head);
    const { results, newest } = await check();
    expect(results).toMatchObject([{ state: 'ok' }, { state: 'warning', found: expect.stringContaining(found) }]);
    expect(newest?.revision).toBe(2);
  });

  it('that has lost the record that was accepted last is a warning', async () => {
    const { folder, check } = await createRemote();
    rmSync(join(folder, recordPath(2)));
    writeFileSync(join(folder, HEAD_FILE), '{"revision":1}');
    expect((await check(2)).results).toMatchObject([
      { state: 'warning', found: expect.stringContaining('revision 1 is the newest, and 2 was there before') },
    ]);
  });

  it('without the manifest of its newest record is a fault, with the command that mends it', async () => {
    const { folder, check } = await createRemote();
    rmSync(join(folder, BLOB_PREFIX), { recursive: true });
    expect((await check()).results).toMatchObject([
      { state: 'fault', remedy: expect.stringContaining('deals push --repair') },
    ]);
  });
});

describe('what a push needs of a remote store', () => {
  it('is there, and the probe leaves nothing behind', async () => {
    const { folder, remote } = await createRemote();
    expect(await checkWrites(remote)).toMatchObject({ state: 'ok' });
    const { remote: bucket, objects } = await openMemoryStore();
    expect(await checkWrites(bucket)).toMatchObject({ state: 'ok' });
    expect([existsSync(join(folder, 'probe')) && [...objects.keys()], objects.size]).toEqual([[], 0]);
  });

  it('is a fault where the store ignores conditions', async () => {
    const { remote } = await openMemoryStore({ ignoresConditions: true });
    expect(await checkWrites(remote)).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('ignores them'),
      remedy: expect.stringContaining('--single-writer'),
    });
  });

  it('is a fault where the store may not be written to', async () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, 'probe'), 'a file in the place of a folder');
    expect(await checkWrites(new FileStore(folder))).toMatchObject({ state: 'fault' });
  });
});

describe('a store that is pulled', () => {
  const at = new Date(NOW.getTime() + 90_000);

  it('is sound when it has switched to the newest record', async () => {
    const { remote, key, id, check } = await createRemote();
    const store = createTemporaryFolder();
    const puller = createPuller(store, remote, key);
    await puller.look();
    const { newest } = await check();
    expect(describeAll(checkPulled(readPulled(store), newest, NOW))).toEqual([
      `ok: no revision is current, and revision 2 follows at ${newest?.activateAt}; `,
    ]);
    const { state } = readPulled(store);
    writePullState(store, { ...state, ...(state?.announced === undefined ? {} : { current: state.announced }) });
    expect(describeAll(checkPulled(readPulled(store), newest, at))).toEqual([`ok: revision 2, ${id}, is current; `]);
  });

  it('is behind while it has not accepted the newest record', async () => {
    const { check } = await createRemote();
    const store = createTemporaryFolder();
    const current = revisionOf({ revision: 1 });
    writePullState(store, { announced: current, current, lastContactAt: NOW.toISOString() });
    expect(checkPulled(readPulled(store), (await check()).newest, NOW)).toMatchObject([
      { state: 'warning', found: 'revision 2 is published, and 1 was accepted here' },
    ]);
  });

  it('has the warnings of the page /status/', () => {
    const store = createTemporaryFolder();
    const lastFailure = { at: NOW.toISOString(), step: 'disk', message: 'no space left on device' } as const;
    writePullState(store, { lastFailure, lastContactAt: NOW.toISOString() });
    expect(checkPulled(readPulled(store), undefined, NOW)).toMatchObject([
      {
        state: 'warning',
        found: expect.stringContaining('no space left'),
        remedy: expect.stringContaining('make room'),
      },
    ]);
  });

  it('with a damaged pull.json is a fault, and one that was never pulled is nothing', () => {
    const store = createTemporaryFolder();
    expect(checkPulled(readPulled(store), undefined, NOW)).toEqual([]);
    writeFileSync(join(store, 'pull.json'), '{');
    expect(checkPulled(readPulled(store), undefined, NOW)).toMatchObject([
      { state: 'fault', found: expect.stringContaining('pull.json: expected what deals pull has accepted') },
    ]);
  });
});

describe('deals doctor --remote', () => {
  async function examine(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { exitCode, stdout, stderr } = await callDeals(['doctor', '--port', '0', '--json', ...args], env);
    expect(stderr).toBe('');
    const { findings, next } = JSON.parse(stdout) as { findings: readonly NamedResult[]; next: string };
    const statesOf = (...checks: readonly NamedResult['check'][]) =>
      findings.filter(({ check }) => checks.includes(check)).map(({ check, state }) => `${check} ${state}`);
    return { exitCode, findings, next, statesOf };
  }
  const REMOTE_CHECKS = ['remote-keys', 'remote', 'remote-write', 'pull'] as const;

  it('of a server says what is there, what is missing here, and what is next', async () => {
    const { remote, key, id } = await createRemote();
    const store = createTemporaryFolder();
    const options = ['--store', store, '--remote', remote.url];
    const first = await examine(options, { DEALS_TRUST: key.publicText });
    expect(first.statesOf(...REMOTE_CHECKS)).toEqual(['remote-keys ok', 'remote ok']);
    expect(first.next).toBe(`snapshot: run deals pull ${remote.url} --trust ${key.publicText} --store ${store}`);
    expect(first.findings.find(({ check }) => check === 'disk')?.found).toContain('the published one needs');
    await createPuller(store, remote, key).look();
    const second = await examine(options, { DEALS_TRUST: key.publicText });
    expect(second.statesOf('pull').length).toBeGreaterThan(0);
    expect(existsSync(join(store, id))).toBe(true);
    expect(second.findings.find(({ check }) => check === 'disk')?.found).not.toContain('the published one needs');
  });

  it('of a server without a store says how to get one', async () => {
    const { remote, key } = await createRemote();
    const store = join(createTemporaryFolder(), 'none');
    const { next } = await examine(['--store', store, '--remote', remote.url, '--trust', key.publicText]);
    expect(next).toMatch(/^store: run deals pull file:\S+ --trust ed25519:\S+ --store \S+ first/);
  });

  it('of a builder also tries what a push does', async () => {
    const { remote, builder } = await createRemote();
    const file = join(createTemporaryFolder(), 'signing.pem');
    const other = createSigningKey(file);
    publishNumber(builder, 3);
    await push(builder, remote, other, { acceptsNotFastForward: true });
    const { statesOf } = await examine(['--store', builder, '--remote', remote.url, '--signing-key', file]);
    expect(statesOf(...REMOTE_CHECKS)).toEqual(['remote-keys ok', 'remote ok', 'remote-write ok']);
  });

  it.each([
    ['gopher://a', []],
    ['http://127.0.0.1:9', ['--signing-key']],
  ])('%s is a fault, and the other checks run', async (url, flags) => {
    const file = join(createTemporaryFolder(), 'signing.pem');
    createSigningKey(file);
    const store = createTemporaryFolder();
    publishNumber(store, 1);
    const signing = flags.flatMap((flag) => [flag, file]);
    const { exitCode, statesOf } = await examine(['--store', store, '--remote', url, ...signing]);
    expect([exitCode, statesOf('remote'), statesOf('snapshot')[0]]).toEqual([1, ['remote fault'], 'snapshot ok']);
  });

  it('is missed where a store is pulled, and not where it is built', async () => {
    const store = createTemporaryFolder();
    publishNumber(store, 1);
    expect((await examine(['--store', store])).statesOf(...REMOTE_CHECKS)).toEqual([]);
    writePullState(store, { lastContactAt: new Date().toISOString() });
    expect((await examine(['--store', store])).statesOf(...REMOTE_CHECKS)).toEqual(['remote skipped', 'pull ok']);
  });
});
