import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../../cli/console/command.ts';
import { readManifest } from '../../../data/store/snapshots.ts';
import { requireSuccess, runDeals, type DealsRun } from '../../harness.ts';
import { CUT, startMemoryS3, type BucketOptions } from '../../support/memory-s3.ts';
import { startCeph } from '../../support/object-store/ceph.ts';
import { isMissing, tool } from '../needs.ts';
import { byTier } from '../tier.ts';
import { expectServed, localKinds, readCurrentId, RemoteSite, type RemoteKind } from './remote-site.ts';

const RACES = byTier({ first: 2, second: 10, long: 100 });

// Small pages: what is not listed would be taken for absent, or deleted.
const memory = await startMemoryS3({ pageSize: 7 });
const ceph = await startCeph();
afterAll(() => Promise.all([memory.stop(), ceph?.stop()]));
const kinds = localKinds(memory);
const KINDS: readonly RemoteKind[] = [
  ...Object.values(kinds),
  ...(ceph === undefined ? [] : [{ name: 'Ceph', store: ceph }]),
];

async function createSite(kind: RemoteKind = kinds.memory, options?: BucketOptions): Promise<RemoteSite> {
  const site = await RemoteSite.create(kind, options);
  onTestFinished(() => site.remove());
  return site;
}

function expectEnd({ exitCode, stderr }: DealsRun, expected: number, message: string): void {
  expect([exitCode, stderr]).toEqual([expected, expect.stringContaining(message)]);
}

function countUploads({ stdout }: DealsRun): number {
  return (JSON.parse(stdout) as { readonly uploadedFiles: number }).uploadedFiles;
}

describe.each(KINDS)('over $name', (kind) => {
  it('every night is one revision, which a server takes up with its report; what is there is not uploaded again', async () => {
    const site = await createSite(kind);
    for (const revision of [1, 2, 3]) {
      const id = site.publish();
      const uploads = countUploads(requireSuccess(await site.push('--json')));
      // Its files, its manifest and its new picture; at first also the logo.
      const files = Object.keys(readManifest(site.builder, id).files).length + 2;
      expect(uploads).toBe(revision === 1 ? files + 1 : files);
      expect(await site.read()).toMatchObject({ current: revision, records: { length: revision }, faults: [] });
      requireSuccess(await site.pull('server'));
      expectServed(site, 'server', id);
      const report = (store: string) => JSON.parse(readFileSync(join(store, 'last-build.json'), 'utf8')) as unknown;
      expect(report(site.server('server'))).toEqual(report(site.builder));
    }
    expect(requireSuccess(await site.push()).stdout).toContain('published already');
    expect(countUploads(requireSuccess(await site.push('--json')))).toBe(0);
    expect(requireSuccess(await site.pull('server')).stdout).toContain('nothing new');
    requireSuccess(await site.pull('new server'));
    expect(readCurrentId(site.server('new server'))).toBe(readCurrentId(site.builder));
  });

  it('a rollback is a new revision of an older snapshot, and the next build follows it', async () => {
    const site = await createSite(kind);
    const old = await site.pushNext();
    await site.pushNext();
    requireSuccess(await site.pull('server'));
    requireSuccess(await runDeals(['rollback', '--store', site.builder]));
    requireSuccess(await site.push());
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', old);
    const next = await site.pushNext();
    expect(await site.read()).toMatchObject({ current: 4, faults: [] });
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', next);
  });

  it('a builder that has not seen what is published changes nothing, until an operator insists', async () => {
    const site = await createSite(kind);
    await site.pushNext();
    const [behind, other] = [site.server('behind'), site.server('other')];
    cpSync(site.builder, behind, { recursive: true });
    site.publish(other);
    const published = await site.pushNext();
    for (const builder of [behind, other]) {
      const refused = await site.push('--store', builder);
      expectEnd(refused, EXIT.refused, published);
      expect(refused.stderr).toContain('push --force');
    }
    expect(await site.read()).toMatchObject({ current: 2, faults: [] });
    requireSuccess(await site.push('--store', other, '--force'));
    expect((await site.read()).records[0]?.snapshot).toBe(readCurrentId(other));
    // After a pull the builder has it, and its next build is one on top of it.
    requireSuccess(await site.pull('builder'));
    await site.pushNext();
  });

  it('no store that ignores conditions is pushed to', async () => {
    const site = await createSite(kind, { ignoresConditions: true });
    if (kind.isFolder === true) return;
    site.publish();
    expectEnd(await site.push(), EXIT.refused, 'ignores them');
    expect(await site.read()).toMatchObject({ records: [], current: undefined });
  });
});

it('the newest seven and a day are kept; a push deletes what else is there', async () => {
  const site = await createSite();
  for (let night = 1; night <= 9; night++) await site.pushNext();
  expect((await site.read()).records).toHaveLength(9);
  const { objects } = site.bucket;
  for (const object of objects.values()) object.modified = new Date(Date.now() - 25 * 3_600_000);
  objects.set('uk/notes.txt', { body: Buffer.from('of somebody else'), modified: new Date(0) });
  await site.pushNext();
  const { records, faults } = await site.read();
  expect(records.map(({ revision }) => revision)).toEqual([10, 9, 8, 7, 6, 5, 4]);
  expect(faults).toEqual(['notes.txt: a foreign file']);
  expect([...objects.keys()].filter((key) => key.endsWith('manifest.json'))).toHaveLength(7);
  expect([...objects.keys()].filter((key) => key.startsWith('uk/images/'))).toHaveLength(8);
  // What a server reached long ago is gone, and current.json leads it on.
  requireSuccess(await site.pull('new server'));
  expect(readCurrentId(site.server('new server'))).toBe(readCurrentId(site.builder));
});

it.skipIf(isMissing('a mirror by rclone', tool('rclone')))('rclone alone copies what a server reads', async () => {
  const site = await createSite(kinds.folder);
  const id = await site.pushNext();
  const words = ['--config', '/dev/null', 'copy', site.url.replace('file://', ''), site.server('mirror')];
  expect(spawnSync('rclone', words, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  expectServed(site, 'mirror', id);
});

describe('of builders', () => {
  it(`eight at once: one publishes, and the others are told (${RACES} times)`, async () => {
    const site = await createSite();
    await site.pushNext();
    for (let race = 1; race <= RACES; race++) {
      const builders = Array.from({ length: 8 }, (_, at) => site.server(`builder-${race}-${at}`));
      for (const builder of builders) {
        cpSync(site.builder, builder, { recursive: true });
        site.publish(builder);
      }
      const ended = await Promise.all(builders.map((builder) => site.push('--store', builder)));
      const codes = ended.map(({ exitCode }) => exitCode);
      expect(codes.filter((code) => code === EXIT.ok)).toHaveLength(1);
      // One that begins after the winner has committed is not built on what is published.
      expect(codes.filter((code) => code === EXIT.busy || code === EXIT.refused)).toHaveLength(7);
      const winner = builders[codes.indexOf(EXIT.ok)] ?? '';
      const { records, faults } = await site.read();
      expect([records.length, records[0]?.snapshot, faults]).toEqual([race + 1, readCurrentId(winner), []]);
      rmSync(site.builder, { recursive: true });
      cpSync(winner, site.builder, { recursive: true });
    }
  }, 120_000);

  it.each([
    ['is not delivered', { before: CUT }],
    ['is done, and its answer is lost', { after: CUT }],
    ['is done, and answered by 500', { answer: { status: 500, isDelivered: true } }],
    ['is refused for a while', { answer: { status: 503, code: 'SlowDown' } }],
    ['meets another write', { answer: { status: 409, code: 'ConditionalRequestConflict' } }],
  ] as const)('one whose commit %s publishes one revision', async (_, fault) => {
    const site = await createSite();
    await site.pushNext();
    site.bucket.inject({ method: 'PUT', path: /switch\//, nth: 1, ...fault });
    const next = await site.pushNext();
    const { records, current, faults } = await site.read();
    expect([records.length, records[0]?.snapshot, current, faults]).toEqual([2, next, 2, []]);
  });

  it.each(['before', 'after'] as const)(
    'the newest stays in current.json when another publishes %s the first has written it',
    async (at) => {
      const site = await createSite();
      await site.pushNext();
      site.bucket.inject({ method: 'PUT', path: /current\.json/, nth: 1, [at]: () => site.pushNext() });
      await site.pushNext();
      expect(await site.read()).toMatchObject({ current: 3, faults: [] });
    },
  );
});

describe('signatures', () => {
  it('a server that trusts a key takes what that key has signed, and nothing else', async () => {
    const site = await createSite();
    const [ours, theirs] = [createKeyPair(site, 'ours'), createKeyPair(site, 'theirs')];
    const trusting = ['--trust', `${ours}.pub`];
    const first = site.publish();
    requireSuccess(await site.push('--sign', `${ours}.pem`));
    requireSuccess(await site.pull('server', ...trusting));
    site.publish();
    requireSuccess(await site.push('--sign', `${theirs}.pem`));
    expectEnd(await site.pull('server', ...trusting), EXIT.refused, 'no key of --trust');
    await site.pushNext();
    expectEnd(await site.pull('server', ...trusting), EXIT.refused, 'is not signed');
    expectServed(site, 'server', first);
    const next = site.publish();
    requireSuccess(await site.push('--sign', `${ours}.pem`));
    requireSuccess(await site.pull('server', ...trusting));
    expectServed(site, 'server', next);
  });

  it.each([
    ['push', '--sign', '.pub', 'expected a private Ed25519 key'],
    ['pull', '--trust', '.pem', 'it is a private key'],
    ['pull', '--trust', '.none', 'openssl pkey -in key.pem -pubout'],
  ] as const)('%s %s of a wrong file says which is wanted', async (command, option, extension, message) => {
    const site = await createSite();
    site.publish();
    const words = [option, `${createKeyPair(site, 'key')}${extension}`];
    expectEnd(await (command === 'push' ? site.push(...words) : site.pull('server', ...words)), EXIT.usage, message);
  });
});

/** Makes `<name>.pem` and `<name>.pub` as the guide says; returns their path without the extension. */
function createKeyPair(site: RemoteSite, name: string): string {
  const path = site.server(name);
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', `${path}.pem`]);
  execFileSync('openssl', ['pkey', '-in', `${path}.pem`, '-pubout', '-out', `${path}.pub`]);
  return path;
}

it('over https a server reads the files from any web server, and follows no redirect', async () => {
  const site = await createSite(kinds.folder);
  const id = await site.pushNext();
  const web = createServer((req, res) => {
    if (req.url?.startsWith('/moved/') === true) return res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    try {
      return res.end(readFileSync(join(site.root, 'remote', new URL(req.url ?? '', 'http://web').pathname)));
    } catch {
      return res.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void web.close());
  await expect.poll(() => web.address()).not.toBeNull();
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  requireSuccess(await runDeals(['pull', url, '--store', site.server('server')]));
  expectServed(site, 'server', id);
  expectEnd(await runDeals(['pull', `${url}/moved`, '--store', site.server('other')]), EXIT.failed, 'answered 302');
  expect(readdirSync(site.server('other')).filter((name) => name.startsWith('2'))).toEqual([]);
  expectEnd(await runDeals(['push', url, '--store', site.builder]), EXIT.usage, 'nothing can be written');
});
