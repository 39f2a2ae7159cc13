import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import type { Manifest } from '../../../data/snapshot/format.ts';
import { hashContent } from '../../../data/store/manifest.ts';
import type { PullState } from '../../../data/store/pull-state.ts';
import { until } from '../../harness.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { readCurrentId, RemoteSite, runHere } from './remote-site.ts';

const memory = await startMemoryS3();
let site: RemoteSite;
let old: string;
let next: string;

/** A server has the old snapshot, and a new one is published. */
beforeEach(async () => {
  site = await RemoteSite.create(memory);
  old = site.publish();
  requireSuccess(await site.push());
  requireSuccess(await site.pull('server'));
  next = site.publish();
  requireSuccess(await site.push());
});
afterEach(() => site.remove());
afterAll(() => memory.stop());

function expectServed(id: string): void {
  expect(readCurrentId(site.server('server'))).toBe(id);
  expect(verifySnapshot(site.server('server'), id)).toEqual([]);
}

function readState(): PullState {
  return JSON.parse(readFileSync(join(site.server('server'), 'pull.json'), 'utf8')) as PullState;
}

/** Changes the body of a file in the bucket, or removes it. */
function change(key: string, edit: (body: Buffer) => Buffer | undefined): void {
  const objects = memory.objects(site.bucket);
  const object = objects.get(`uk/${key}`);
  const body = edit(object?.body ?? Buffer.alloc(0));
  if (object === undefined || body === undefined) objects.delete(`uk/${key}`);
  else object.body = body;
}

function newPicture(): string {
  const pictures = (id: string) =>
    readFileSync(join(site.builder, id, 'pictures.ndjson'), 'utf8')
      .trimEnd()
      .split('\n');
  const line = pictures(next).find((each) => !pictures(old).includes(each)) ?? '';
  return (JSON.parse(line) as { readonly path: string }).path.slice(1);
}

const FILES = {
  'the manifest': () => `${next}/manifest.json`,
  'a file of the snapshot': () => `${next}/products.ndjson`,
  'the list of pictures': () => `${next}/pictures.ndjson`,
  'a picture': newPicture,
  'the record': () => 'switch/000000000002.json',
} as const;

const DAMAGES: Readonly<Record<string, (body: Buffer) => Buffer | undefined>> = {
  'has another bit': (body) => Buffer.from(body.map((byte, at) => (at === 1 ? byte ^ 1 : byte))),
  'is one byte short': (body) => body.subarray(0, -2),
  'is half': (body) => body.subarray(0, body.length >> 1),
  'is empty': () => Buffer.alloc(0),
  'is gone': () => undefined,
  'is 70 MB long': () => Buffer.alloc(70_000_000, 'x'),
};

describe('a server keeps the old snapshot, and names the file, when', () => {
  it.each(
    Object.entries(FILES).flatMap(([what, keyOf]) =>
      Object.entries(DAMAGES).map(([how, edit]) => [what, how, keyOf, edit] as const),
    ),
  )('%s %s', async (_, __, keyOf, edit) => {
    const key = keyOf();
    change(key, edit);
    const { exitCode, stderr } = await site.pull('server');
    expect([EXIT.failed, EXIT.refused]).toContain(exitCode);
    expect(stderr).toContain(edit(Buffer.from('xx')) === undefined && key.startsWith('switch') ? 'current.json' : key);
    expect(stderr.length).toBeLessThan(400);
    expectServed(old);
    expect(readState().lastFailure?.message).toContain(
      stderr
        .trim()
        .replace(/^deals: /, '')
        .slice(0, 40),
    );
    // The builder mends it: what is gone or short is uploaded again, and the rest when an operator has deleted it.
    if (key.startsWith('switch')) return;
    change(key, () => undefined);
    requireSuccess(await site.push());
    requireSuccess(await site.pull('server'));
    expectServed(next);
    expect(readState().lastFailure).toBeUndefined();
  });

  it('current.json is put back to an older one', async () => {
    requireSuccess(await site.pull('server'));
    change('current.json', (body) => Buffer.from(body.toString().replace('"revision":2', '"revision":1')));
    const run = await site.pull('server');
    expect(run).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('names revision 1') });
    expectServed(next);
  });

  it('current.json is lost: the record after its own is found, and it is said', async () => {
    change('current.json', () => undefined);
    const run = await site.pull('server');
    expect(run).toMatchObject({
      exitCode: EXIT.refused,
      stderr: expect.stringContaining('current.json: is not there'),
    });
    expectServed(next);
  });

  it('a picture has a path outside of the store, in a manifest with right hashes', async () => {
    const evil = `${JSON.stringify({ path: '/images/../../../evil.webp', bytes: 4, sha256: hash('evil') })}\n`;
    change(`${next}/pictures.ndjson`, () => Buffer.from(evil));
    let manifestHash = '';
    change(`${next}/manifest.json`, (body) => {
      const { manifestHash: _, ...manifest } = JSON.parse(body.toString()) as Manifest;
      manifest.files['pictures.ndjson'] = { bytes: evil.length, sha256: hash(evil) };
      manifest.contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
      const text = JSON.stringify(manifest);
      manifestHash = hash(text);
      return Buffer.from(text);
    });
    change('switch/000000000002.json', (body) => {
      const stored = JSON.parse(body.toString()) as { record: { manifest: string } };
      stored.record.manifest = manifestHash;
      return Buffer.from(JSON.stringify(stored));
    });
    const { exitCode, stderr } = await site.pull('server');
    expect([exitCode, stderr]).toEqual([EXIT.failed, expect.stringContaining('pictures.ndjson')]);
    expect(stderr.length).toBeLessThan(300);
    expectServed(old);
  });
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const AWAY: readonly (readonly [what: string, fault: Fault])[] = [
  ['does not take connections', { kind: 'cut-before' }],
  ['hangs', { kind: 'hang' }],
  ['is forbidden', { kind: 'answer', status: 403, code: 'AccessDenied' }],
  ['fails', { kind: 'answer', status: 500 }],
  ['sends less than it says', { kind: 'truncate', body: 'response', afterBytes: 20 }],
];

describe('a server whose remote store', () => {
  it.each(AWAY)(
    '%s keeps the old snapshot, says so, and catches up',
    async (_, fault) => {
      site.proxy.inject({ fault });
      const watching = site.start(site.pullWords('server', '--watch', '--every', '1'));
      try {
        await until(async () => readState().failures > 0);
        expectServed(old);
        expect(readState().lastFailure?.message).toContain(site.url);
        const status = await runHere(['status', '--store', site.server('server')]);
        expect(status).toMatchObject({
          exitCode: EXIT.attention,
          stdout: expect.stringContaining('deals pull failed'),
        });
        site.proxy.reset();
        await until(async () => readCurrentId(site.server('server')) === next);
        expectServed(next);
      } finally {
        watching.kill('SIGKILL');
      }
    },
    60_000,
  );

  it('answers 403 for what is not there is read all the same', async () => {
    const fault = { kind: 'answer', status: 403, code: 'AccessDenied' } as const;
    site.proxy.inject({ method: 'GET', path: /switch\/0+3\.json/, fault });
    expect((await site.pull('server')).exitCode).toBe(EXIT.ok);
    expectServed(next);
  });

  it('is slow does not keep an operator from a rollback', async () => {
    requireSuccess(await site.pull('server'));
    site.publish();
    requireSuccess(await site.push());
    site.proxy.reset();
    site.proxy.inject({ path: /products\.ndjson/, fault: { kind: 'hang' } });
    const pulling = site.start(site.pullWords('server'));
    await until(async () => site.proxy.count('GET', /products\.ndjson/) > 0);
    requireSuccess(await runHere(['rollback', '--store', site.server('server')]));
    expectServed(old);
    const second = await site.pull('server');
    expect(second.exitCode, second.stderr).toBe(EXIT.busy);
    pulling.kill('SIGKILL');
    await pulling.ended;
  }, 30_000);

  it('was begun anew is an alarm until pull.json is deleted', async () => {
    requireSuccess(await site.pull('server'));
    memory.objects(site.bucket).clear();
    const first = site.publish();
    requireSuccess(await site.push());
    const alarm = await site.pull('server');
    expect(alarm).toMatchObject({ exitCode: EXIT.refused, stderr: expect.stringContaining('delete pull.json') });
    writeFileSync(join(site.server('server'), 'pull.json'), '{"url": "half');
    expect(await site.pull('server')).toMatchObject({
      exitCode: EXIT.failed,
      stderr: expect.stringContaining('delete it'),
    });
    rmSync(join(site.server('server'), 'pull.json'));
    requireSuccess(await site.pull('server'));
    expectServed(first);
  });
});
