import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { readManifest } from '../../../data/store/snapshots.ts';
import { isMemory, openTestStores, readCurrentId, RemoteSite, runHere, type SiteOptions } from './remote-site.ts';
import type { TestStore } from '../../support/memory-s3.ts';
import { runRclone } from '../../support/object-store/rclone.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { isMissing, tool } from '../needs.ts';

const stores = await openTestStores();
afterAll(() => stores.stop());

const KINDS: readonly (SiteOptions & { readonly name: string; readonly store: TestStore })[] = [
  ...stores.all.map(([name, store]) => ({ name, store })),
  { name: 'a folder', store: stores.memory, isFolder: true },
];

async function createSite(store: TestStore, options: SiteOptions = {}): Promise<RemoteSite> {
  const site = await RemoteSite.create(store, options);
  onTestFinished(() => site.remove());
  return site;
}

/** Publishes a snapshot and pushes it. Returns its id. */
async function pushNext(site: RemoteSite): Promise<string> {
  const id = site.publish();
  requireSuccess(await site.push());
  return id;
}

function expectServed(site: RemoteSite, server: string, id: string): void {
  expect(readCurrentId(site.server(server))).toBe(id);
  expect(verifySnapshot(site.server(server), id)).toEqual([]);
}

describe.each(KINDS)('over $name', ({ store, ...options }) => {
  it('every night is one revision, which a server takes up with its report', async () => {
    const site = await createSite(store, options);
    for (const revision of [1, 2, 3]) {
      const id = await pushNext(site);
      expect(await site.read()).toMatchObject({ current: revision, records: { length: revision }, faults: [] });
      requireSuccess(await site.pull('server'));
      expectServed(site, 'server', id);
      const report = (folder: string) => JSON.parse(readFileSync(join(folder, 'last-build.json'), 'utf8')) as unknown;
      expect(report(site.server('server'))).toEqual(report(site.builder));
    }
    const again = requireSuccess(await site.push());
    expect(again.stdout).toContain('published already');
    expect(requireSuccess(await site.pull('server')).stdout).toContain('nothing new');
    requireSuccess(await site.pull('new server'));
    expect(readCurrentId(site.server('new server'))).toBe(readCurrentId(site.builder));
  });

  it('a rollback is a new revision of an older snapshot, and the next build follows it', async () => {
    const site = await createSite(store, options);
    const old = await pushNext(site);
    await pushNext(site);
    requireSuccess(await site.pull('server'));
    requireSuccess(await runHere(['rollback', '--store', site.builder]));
    requireSuccess(await site.push());
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', old);
    const next = await pushNext(site);
    expect(await site.read()).toMatchObject({ current: 4, faults: [] });
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', next);
  });

  it('a builder that has not seen what is published changes nothing, until an operator insists', async () => {
    const site = await createSite(store, options);
    await pushNext(site);
    const behind = site.server('behind');
    cpSync(site.builder, behind, { recursive: true });
    const other = site.server('other');
    site.publish(other);
    const published = await pushNext(site);
    for (const builder of [behind, other]) {
      const refused = await site.push('--store', builder);
      expect(refused).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining(published) });
      expect(refused.stderr).toContain('push --force');
    }
    expect(await site.read()).toMatchObject({ current: 2, faults: [] });
    requireSuccess(await site.push('--store', other, '--force'));
    expect((await site.read()).records[0]?.snapshot).toBe(readCurrentId(other));
    // After a pull the builder has it, and its next build is one on top of it.
    requireSuccess(await site.pull('builder'));
    site.publish();
    requireSuccess(await site.push());
  });

  it('the newest seven and a day are kept; a push deletes what else is there', async () => {
    const site = await createSite(store, options);
    for (let night = 1; night <= 9; night++) await pushNext(site);
    expect((await site.read()).records).toHaveLength(9);
    if (!isMemory(store) || options.isFolder === true) return;
    const objects = store.objects(site.bucket);
    for (const object of objects.values()) object.modified = new Date(object.modified.getTime() - 25 * 3_600_000);
    objects.set('uk/notes.txt', { ...[...objects.values()][0]!, body: Buffer.from('of somebody else') });
    await pushNext(site);
    const { records, faults } = await site.read();
    expect(records.map(({ revision }) => revision)).toEqual([10, 9, 8, 7, 6, 5, 4]);
    expect(faults).toEqual(['notes.txt: a foreign file']);
    const folders = new Set(
      (await site.objects.keys()).map((key) => key.split('/')[0]).filter((key) => key?.includes('T')),
    );
    expect(folders.size).toBe(7);
    // What a server reached long ago is gone, and current.json leads it on.
    requireSuccess(await site.pull('new server'));
    expect(readCurrentId(site.server('new server'))).toBe(readCurrentId(site.builder));
  });

  it('what is there is not uploaded again, and what is short is', async () => {
    const site = await createSite(store, options);
    await pushNext(site);
    const id = site.publish();
    const pushed = JSON.parse(requireSuccess(await site.push('--json')).stdout) as { uploadedFiles: number };
    // Its files, its manifest and its new picture: two pictures are those of before.
    expect(pushed.uploadedFiles).toBe(Object.keys(readManifest(site.builder, id).files).length + 2);
    const again = JSON.parse(requireSuccess(await site.push('--json')).stdout) as { uploadedFiles: number };
    expect(again.uploadedFiles).toBe(0);
  });

  it.skipIf(isMemory(store) || isMissing('a mirror by rclone', tool('rclone')))(
    'rclone copies what a server reads',
    async () => {
      const site = await createSite(store, options);
      const id = await pushNext(site);
      const mirror = site.server('mirror');
      const copied = await runRclone(store, ['copy', `store:${site.bucket}/uk`, mirror]);
      expect(copied.status, copied.output).toBe(0);
      expectServed(site, 'mirror', id);
    },
  );
});

describe('of builders', () => {
  it('eight at once: one publishes, and the others are told (10 times)', async () => {
    const site = await createSite(stores.memory);
    await pushNext(site);
    for (let race = 1; race <= 10; race++) {
      const builders = Array.from({ length: 8 }, (_, at) => site.server(`builder-${race}-${at}`));
      for (const builder of builders) {
        cpSync(site.builder, builder, { recursive: true });
        site.publish(builder);
      }
      const ended = await Promise.all(builders.map((builder) => site.push('--store', builder)));
      const codes = ended.map(({ exitCode }) => exitCode).toSorted((a, b) => Number(a) - Number(b));
      // One that begins after the winner has committed is not built on what is published.
      expect(codes[0]).toBe(EXIT.ok);
      expect(
        codes.slice(1).every((code) => code === EXIT.busy || code === EXIT.refused),
        String(codes),
      ).toBe(true);
      const { records, faults } = await site.read();
      expect([records.length, faults]).toEqual([race + 1, []]);
      const winner = builders[ended.findIndex(({ exitCode }) => exitCode === EXIT.ok)] ?? '';
      expect(records[0]?.snapshot).toBe(readCurrentId(winner));
      rmSync(site.builder, { recursive: true });
      cpSync(winner, site.builder, { recursive: true });
    }
  }, 120_000);

  it.each([
    ['is not delivered', { kind: 'cut-before' }],
    ['is done, and its answer is lost', { kind: 'cut-after' }],
    ['is done, and answered by 500', { kind: 'answer', status: 500, delivered: true }],
    ['is refused for a while', { kind: 'answer', status: 503, code: 'SlowDown' }],
    ['meets another write', { kind: 'answer', status: 409, code: 'ConditionalRequestConflict' }],
  ] as const)('one whose commit %s publishes one revision', async (_, fault) => {
    const site = await createSite(stores.memory);
    await pushNext(site);
    const next = site.publish();
    site.proxy.inject({ method: 'PUT', path: /switch\//, nth: 1, fault });
    requireSuccess(await site.push());
    const { records, current, faults } = await site.read();
    expect([records.length, records[0]?.snapshot, current, faults]).toEqual([2, next, 2, []]);
  });

  it.each(['before', 'after'] as const)(
    'the newest stays in current.json when another publishes %s the first has written it',
    async (at) => {
      const site = await createSite(stores.memory);
      await pushNext(site);
      site.publish();
      const run = () => pushNext(site);
      site.proxy.inject({ method: 'PUT', path: /current\.json/, nth: 1, fault: { kind: 'call', at, run } });
      requireSuccess(await site.push());
      expect(await site.read()).toMatchObject({ current: 3, faults: [] });
    },
  );

  it('none pushes to a store that ignores conditions', async () => {
    const site = await createSite(stores.memory, { ignoresConditions: true });
    site.publish();
    const refused = await site.push();
    expect(refused).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('ignores them') });
    expect(await site.objects.keys()).toEqual([]);
  });
});

describe('signatures', () => {
  it('a server that trusts a key takes what that key has signed, and nothing else', async () => {
    const site = await createSite(stores.memory);
    const [ours, theirs] = ['ours', 'theirs'].map((name) => createKeyPair(site, name)) as [string, string];
    const trusting = ['--trust', `${ours}.pub`];
    const first = site.publish();
    requireSuccess(await site.push('--sign', `${ours}.pem`));
    requireSuccess(await site.pull('server', ...trusting));
    site.publish();
    requireSuccess(await site.push('--sign', `${theirs}.pem`));
    const stranger = await site.pull('server', ...trusting);
    expect(stranger).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('no key of --trust') });
    site.publish();
    requireSuccess(await site.push());
    const unsigned = await site.pull('server', ...trusting);
    expect(unsigned).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('is not signed') });
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
    const site = await createSite(stores.memory);
    site.publish();
    const words = [option, `${createKeyPair(site, 'key')}${extension}`];
    const run = command === 'push' ? await site.push(...words) : await site.pull('server', ...words);
    expect(run).toMatchObject({ exitCode: EXIT.usage, stderr: expect.stringContaining(message) });
  });
});

/** Makes `<name>.pem` and `<name>.pub` as the guide says; returns their path without the extension. */
function createKeyPair(site: RemoteSite, name: string): string {
  const path = site.server(name);
  mkdirSync(site.root, { recursive: true });
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', `${path}.pem`]);
  execFileSync('openssl', ['pkey', '-in', `${path}.pem`, '-pubout', '-out', `${path}.pub`]);
  return path;
}

describe('over https', () => {
  it('a server reads the files from any web server, and follows no redirect', async () => {
    const site = await createSite(stores.memory, { isFolder: true });
    const id = await pushNext(site);
    const web = createServer((req, res) => {
      if (req.url?.startsWith('/moved/') === true) return res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      const file = join(site.root, 'remote', new URL(req.url ?? '', 'http://web').pathname);
      try {
        return res.end(readFileSync(file));
      } catch {
        return res.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => {
      web.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void web.close());
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    mkdirSync(site.server('server'), { recursive: true });
    requireSuccess(await runHere(['pull', url, '--store', site.server('server')]));
    expectServed(site, 'server', id);
    const moved = await runHere(['pull', `${url}/moved`, '--store', site.server('other')]);
    expect(moved).toMatchObject({ exitCode: EXIT.failed, stderr: expect.stringContaining('answered 302') });
    expect((await runHere(['push', url, '--store', site.builder])).exitCode).toBe(EXIT.usage);
    expect(readdirSync(site.server('other')).filter((name) => name.startsWith('2'))).toEqual([]);
  });
});
