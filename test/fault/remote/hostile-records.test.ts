import { randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { createSigningKey, readSigningKey, type SigningKey } from '../../../build/remote/signature.ts';
import { EXIT } from '../../../cli/console/command.ts';
import type { PullState } from '../../../data/store/pull-state.ts';
import { startMemoryS3, type MemoryS3 } from '../../support/memory-s3.ts';
import { requireSuccess, type DealsRun } from '../../unit/cli/run-deals.ts';
import { readCurrentId, RemoteSite, runHere } from './remote-site.ts';

const MAX_REVISION = 999_999_999_999;

const memory = await startMemoryS3();
let site: RemoteSite;
/** The snapshot that is published, and that the server has. */
let old: string;

beforeEach(async () => {
  site = await RemoteSite.create(memory);
  site.publish();
  requireSuccess(await site.push());
  requireSuccess(await site.pull('server'));
  old = site.publish();
  requireSuccess(await site.push());
  requireSuccess(await site.pull('server'));
});
afterEach(() => site.remove());
afterAll(() => memory.stop());

function objects(): ReturnType<MemoryS3['objects']> {
  return memory.objects(site.bucket);
}

function put(key: string, body: string | Buffer): void {
  objects().set(`uk/${key}`, {
    body: Buffer.from(body),
    modified: new Date(),
    etag: randomBytes(8).toString('hex'),
    headers: {},
  });
}

function get(key: string): string {
  return objects().get(`uk/${key}`)?.body.toString() ?? '';
}

function recordKey(revision: number): string {
  return `switch/${String(revision).padStart(12, '0')}.json`;
}

interface Signed {
  readonly text: string;
  readonly signatures: readonly { readonly key: string; readonly value: string }[];
}

/** The fields of the newest sound record. */
function fieldsOf(revision: number): Record<string, unknown> {
  return JSON.parse((JSON.parse(get(recordKey(revision))) as Signed).text) as Record<string, unknown>;
}

function signatureOf(text: string, { id, privateKey }: SigningKey) {
  return { key: id, value: sign(null, Buffer.from(text), privateKey).toString('base64') };
}

function signText(text: string, ...keys: readonly SigningKey[]): string {
  return JSON.stringify({ text, signatures: keys.map((key) => signatureOf(text, key)) });
}

function readState(server = 'server'): PullState {
  return JSON.parse(readFileSync(`${site.server(server)}/pull.json`, 'utf8')) as PullState;
}

function own(): SigningKey {
  return readSigningKey(site.signingKey);
}

let strangers = 0;
function stranger(): SigningKey {
  return createSigningKey(site.server(`stranger-${++strangers}.pem`));
}

/** A revision 3 as the builder could have published it, but for some fields. */
function third(change: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...fieldsOf(2), revision: 3, ...change });
}

/** What can lie at revision 3, and what the refusal says. */
const RECORDS: readonly (readonly [what: string, body: () => string | Buffer, refusal: string])[] = [
  ['signed by a stranger', () => signText(third(), stranger()), 'no trusted key'],
  [
    'signed by a stranger in the name of the trusted key',
    () => JSON.stringify({ text: third(), signatures: [{ ...signatureOf(third(), stranger()), key: own().id }] }),
    'no trusted key',
  ],
  ['signed by two strangers', () => signText(third(), stranger(), stranger()), 'no trusted key'],
  ['without a signature', () => JSON.stringify({ text: third(), signatures: [] }), 'no signed record'],
  [
    'with an empty signature',
    () => JSON.stringify({ text: third(), signatures: [{ key: own().id, value: '' }] }),
    'no trusted key',
  ],
  [
    'with the signature of another text',
    () => JSON.stringify({ text: third(), signatures: (JSON.parse(get(recordKey(2))) as Signed).signatures }),
    'no trusted key',
  ],
  [
    'with one character of its text changed',
    () => signText(third({ leadSeconds: 0 }), own()).replace(String.raw`leadSeconds\":0`, String.raw`leadSeconds\":1`),
    'no trusted key',
  ],
  ['a copy of the newest one', () => get(recordKey(2)), 'a copy of revision 2'],
  ['a copy of an old one', () => get(recordKey(1)), 'a copy of revision 1'],
  ['signed nine times', () => signText(third(), ...Array.from({ length: 9 }, own)), 'no signed record'],
  ['of format 2', () => signText(third({ format: 2 }), own()), 'does not know'],
  ['with a path as its snapshot', () => signText(third({ snapshot: '../../etc' }), own()), 'does not know'],
  ['with a path as its manifest', () => signText(third({ manifest: '../../../head.json' }), own()), 'does not know'],
  ['with a lead of a year', () => signText(third({ leadSeconds: 31_536_000 }), own()), 'does not know'],
  ['with a lead below nothing', () => signText(third({ leadSeconds: -1 }), own()), 'does not know'],
  ['with half a revision', () => signText(third({ revision: 2.5 }), own()), 'does not know'],
  ['signed, and no JSON', () => signText('revision 3', own()), 'does not know'],
  ['signed, and null', () => signText('null', own()), 'does not know'],
  ['signed, and too long', () => signText(third({ note: 'x'.repeat(20_000) }), own()), 'no signed record'],
  ['empty', () => '', 'no signed record'],
  ['a list', () => '[]', 'no signed record'],
  ['cut short', () => signText(third(), own()).slice(0, -5), 'no signed record'],
  ['random bytes', () => randomBytes(500), 'no signed record'],
  ['nested 30,000 deep', () => '['.repeat(30_000), 'no signed record'],
  ['signed, and nested deep', () => signText('['.repeat(9_000), own()), 'does not know'],
  ['10 MB long', () => `{"text":"${'x'.repeat(1e7)}"`, 'no signed record'],
  ['with a prototype', () => `{"__proto__":${signText(third(), own())}}`, 'no signed record'],
];

describe('a record that is', () => {
  it.each(RECORDS)('%s is refused with an alarm, and the next sound one is accepted', async (what, body, refusal) => {
    put(recordKey(3), body());
    const before = readState();
    const pulled = await site.pull('server');
    expect(pulled.exitCode, pulled.stderr).toBe(EXIT.refused);
    expect(pulled.stderr).toContain(`${site.url}: revision 3: `);
    expect(pulled.stderr).toContain(refusal);
    expect(readCurrentId(site.server('server'))).toBe(old);
    const state = readState();
    expect(state).toMatchObject({ refusals: before.refusals + 1, lastFailure: { step: 'record' } });
    expect(state.highest).toEqual(before.highest);
    expect([state.announced?.revision, state.current?.revision]).toEqual([2, 2]);

    // The builder does not use its number again.
    const next = site.publish();
    const pushed = await site.push();
    expect(pushed.stdout, `${what}: ${pushed.stderr}`).toContain('as revision 4 of');
    await site.pull('server');
    expect(readCurrentId(site.server('server'))).toBe(next);
    expect(verifySnapshot(site.server('server'), next)).toEqual([]);
  });

  it('signed by a stranger and by the trusted key is accepted', async () => {
    put(recordKey(3), signText(third(), stranger(), own()));
    expect((await site.pull('server')).exitCode).toBe(EXIT.ok);
    expect(readState()).toMatchObject({ current: { revision: 3 }, refusals: 0 });
  });

  it('for a time that never comes is followed after its lead', async () => {
    site.publish();
    const next = site.publish();
    requireSuccess(await site.push());
    const text = JSON.stringify({ ...fieldsOf(3), activateAt: '9999-12-31T00:00:00.000Z', leadSeconds: 1 });
    put(recordKey(3), signText(text, own()));
    requireSuccess(await site.pull('server'));
    expect(readCurrentId(site.server('server'))).toBe(next);
  });

  it('there a thousand times, and signed by a stranger, does not hide the one that the head names', async () => {
    const junk = signText(third(), stranger());
    for (let revision = 3; revision < 1_203; revision++) put(recordKey(revision), junk);
    const next = site.publish();
    expect(requireSuccess(await site.push()).stdout).toContain('as revision 1203 of');
    await site.pull('server');
    expect(readCurrentId(site.server('server'))).toBe(next);
  }, 60_000);
});

describe('a bucket that was lost', () => {
  it('is begun again above what servers know, also where a stranger has put something', async () => {
    const junk = signText(third(), stranger());
    objects().clear();
    for (const revision of [1, 3, 4]) put(recordKey(revision), junk);
    const next = site.publish();
    // The operator says that it was lost, and that what the stranger has put there is nothing.
    expect((await site.push()).exitCode).toBe(EXIT.refused);
    expect((await site.push('--accept', 'lost-store')).exitCode).toBe(EXIT.refused);
    const pushed = requireSuccess(await site.push('--accept', 'not-fast-forward'));
    expect(pushed.stdout).toContain('as revision 5 of');
    await site.pull('server');
    expect(readCurrentId(site.server('server'))).toBe(next);
  });
});

describe('a head that', () => {
  it.each([
    ['names a revision that is not there', '{"revision":7}', 'names revision 7, which is not there'],
    ['names the highest revision, which is not there', `{"revision":${MAX_REVISION}}`, 'which is not there'],
    ['goes back', '{"revision":1}', 'older than 2'],
  ])('%s is an alarm', async (_, head, refusal) => {
    put('head.json', head);
    const pulled = await site.pull('server');
    expect(pulled.exitCode, pulled.stderr).toBe(EXIT.refused);
    expect(pulled.stderr).toContain(refusal);
    expect(readCurrentId(site.server('server'))).toBe(old);
    expect(readState()).toMatchObject({ refusals: 1, lastFailure: { step: 'record' } });
    // A push mends it.
    requireSuccess(await site.push());
    expect(get('head.json')).toBe('{"revision":2}\n');
    expect((await site.pull('server')).exitCode).toBe(EXIT.ok);
  });

  it('names a revision that appears later is looked at again', async () => {
    const puller = site.puller('server');
    await puller.look();
    const next = site.publish();
    requireSuccess(await site.push());
    const record = objects().get(`uk/${recordKey(3)}`);
    objects().delete(`uk/${recordKey(3)}`);
    expect((await puller.look()).refusal).toContain('which is not there');
    if (record !== undefined) objects().set(`uk/${recordKey(3)}`, record);
    expect(await puller.look()).toMatchObject({ hasSwitched: true });
    expect(readCurrentId(site.server('server'))).toBe(next);
  });

  it.each([
    ['is empty', ''],
    ['is no JSON', 'revision 3'],
    ['is a list', '[3]'],
    ['is below nothing', '{"revision":-3}'],
    ['is above all numbers', '{"revision":1e999}'],
    ['is a text', '{"revision":"3"}'],
    ['is nested deep', '['.repeat(60_000)],
    ['is random', randomBytes(1_000)],
    ['is 10 MB long', Buffer.alloc(1e7, ' ')],
  ])('%s counts as lost: a server that starts, or looks ten times, finds the record without it', async (_, head) => {
    const puller = site.puller('server');
    await puller.look();
    const next = site.publish();
    requireSuccess(await site.push());
    put('head.json', head);
    requireSuccess(await site.pull('started'));
    expect(readCurrentId(site.server('started'))).toBe(next);
    for (let look = 2; look <= 11; look++) expect((await puller.look()).failure).toBe(undefined);
    expect(readCurrentId(site.server('server'))).toBe(next);
    requireSuccess(await site.push());
    expect(get('head.json')).toBe('{"revision":3}\n');
  });
});

describe('a signing key that is stolen', () => {
  /** The thief publishes an old snapshot, at a revision of choice. */
  function publishAsThief(revision: number): void {
    put(recordKey(revision), signText(JSON.stringify({ ...fieldsOf(1), revision }), own()));
    put('head.json', JSON.stringify({ revision }));
  }

  /** Another builder, which trusts the first unless told otherwise. Returns the words of its push. */
  function createSecond(trust: readonly string[] = ['--trust', site.publicKey]): readonly string[] {
    createSigningKey(site.server('second.pem'));
    return ['--signing-key', site.server('second.pem'), ...trust];
  }

  /** A server that trusts the second builder, and no other. */
  function pullSecond(): Promise<DealsRun> {
    const trusted = site
      .pullWords('server')
      .map((word) => (word === `${site.signingKey}.pub` ? site.server('second.pem.pub') : word));
    return runHere(trusted);
  }

  it('and used for the highest revision stops the builder with advice, and neither a new key nor the servers', async () => {
    publishAsThief(MAX_REVISION);
    requireSuccess(await site.pull('server'));
    expect(readState()).toMatchObject({ current: { revision: MAX_REVISION } });
    const next = site.publish();
    const refused = await site.push();
    expect(refused).toMatchObject({ exitCode: EXIT.failed, stderr: expect.stringContaining('sign with a new key') });
    expect(await site.objects.keys()).not.toContain('switch/1000000000000.json');

    // Without trust in the stolen key it is not known on what the snapshot was built: the operator decides.
    const second = createSecond([]);
    expect((await site.push(...second)).exitCode).toBe(EXIT.refused);
    requireSuccess(await site.push(...second, '--accept', 'not-fast-forward'));
    // The records of the old key are refused, once.
    expect((await pullSecond()).exitCode).toBe(EXIT.refused);
    expect(readCurrentId(site.server('server'))).toBe(next);
    expect(readState().highest).toMatchObject({ [own().id]: MAX_REVISION });
    // The new key goes on.
    const last = site.publish();
    requireSuccess(await site.push('--signing-key', site.server('second.pem')));
    requireSuccess(await pullSecond());
    expect(readCurrentId(site.server('server'))).toBe(last);
  });

  it('is without effect as soon as servers do not trust it: they go back to what the other builder has published', async () => {
    const good = site.publish();
    requireSuccess(await site.push(...createSecond()));
    requireSuccess(await site.pull('server', '--trust', site.server('second.pem.pub')));
    expect(readCurrentId(site.server('server'))).toBe(good);
    publishAsThief(50);
    requireSuccess(await site.pull('server', '--trust', site.server('second.pem.pub')));
    expect(readCurrentId(site.server('server'))).not.toBe(good);

    const pulled = await pullSecond();
    expect(readCurrentId(site.server('server')), pulled.stderr).toBe(good);
    expect(pulled.exitCode).toBe(EXIT.refused);
    // The builder has nothing new to say: it mends the head, and the alarm ends.
    requireSuccess(await site.push('--signing-key', site.server('second.pem')));
    expect((await pullSecond()).exitCode).toBe(EXIT.ok);
  });

  it('is replaced before that: the new key signs what is published already', async () => {
    expect(requireSuccess(await site.push(...createSecond())).stdout).toContain('as revision 3 of');
    expect((await pullSecond()).exitCode).toBe(EXIT.refused);
    expect(readState()).toMatchObject({ current: { revision: 3, snapshot: old } });
    requireSuccess(await pullSecond());
    expect(requireSuccess(await site.push('--signing-key', site.server('second.pem'))).stdout).toContain('unchanged');
  });
});
