import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../cli/console/command.ts';
import type { Manifest } from '../../../data/snapshot/format.ts';
import { hashContent } from '../../../data/store/manifest.ts';
import type { PullState } from '../../../data/store/pull-state.ts';
import { requireSuccess, runDeals, until } from '../../harness.ts';
import { CUT, HANG, startMemoryS3, type Fault } from '../../support/memory-s3.ts';
import { expectServed, localKinds, readCurrentId, RemoteSite } from './remote-site.ts';

const memory = await startMemoryS3();
afterAll(() => memory.stop());
let site: RemoteSite;
let old: string;
let next: string;

/** A server has the old snapshot, and a new one is published. */
beforeEach(async () => {
  site = await RemoteSite.create(localKinds(memory).memory);
  old = await site.pushNext();
  requireSuccess(await site.pull('server'));
  next = await site.pushNext();
});
afterEach(() => site.remove());

function readState(): PullState {
  return JSON.parse(readFileSync(join(site.server('server'), 'pull.json'), 'utf8')) as PullState;
}

/** Changes the body of a file in the bucket, or removes it. */
function change(key: string, edit: (body: Buffer) => Buffer | string | undefined): void {
  const { objects } = site.bucket;
  const body = edit(objects.get(`uk/${key}`)?.body ?? Buffer.alloc(0));
  if (body === undefined) objects.delete(`uk/${key}`);
  else objects.set(`uk/${key}`, { body: Buffer.from(body), modified: new Date() });
}

/** The key of the picture that the old snapshot does not show. */
function newPicture(): string {
  const [before, after] = [old, next].map((id) =>
    readFileSync(join(site.builder, id, 'pictures.ndjson'), 'utf8').split('\n'),
  );
  const line = after?.find((each) => before?.includes(each) === false) ?? '';
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
  'is empty': () => Buffer.alloc(0),
  'is gone': () => undefined,
  'is 70 MB long': () => Buffer.alloc(70_000_000, 'x'),
};

describe('a server keeps the old snapshot, and names the file, when', () => {
  it.each(
    Object.entries(FILES).flatMap(([what, keyOf]) =>
      Object.entries(DAMAGES).map(([how, edit]) => [what, how, keyOf, edit] as const),
    ),
  )('%s %s', async (_, how, keyOf, edit) => {
    const key = keyOf();
    const isRecord = key.startsWith('switch');
    change(key, edit);
    const { exitCode, stderr } = await site.pull('server');
    expect([EXIT.failed, EXIT.refused]).toContain(exitCode);
    expect(stderr).toContain(isRecord && how === 'is gone' ? 'current.json' : key);
    expect(stderr.length).toBeLessThan(400);
    expectServed(site, 'server', old);
    expect(stderr).toContain(readState().lastFailure?.message ?? '(nothing)');
    // The builder mends it: what is gone or short is uploaded again, and the rest when an operator has deleted it.
    if (isRecord) return;
    change(key, () => undefined);
    requireSuccess(await site.push());
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', next);
    expect(readState().lastFailure).toBeUndefined();
  });

  it('current.json is put back to an older one', async () => {
    requireSuccess(await site.pull('server'));
    change('current.json', (body) => body.toString().replace('"revision":2', '"revision":1'));
    const { exitCode, stderr } = await site.pull('server');
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('names revision 1')]);
    expectServed(site, 'server', next);
  });

  it('current.json is lost: the record after its own is found, and it is said', async () => {
    change('current.json', () => undefined);
    const { exitCode, stderr } = await site.pull('server');
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('current.json: is not there')]);
    expectServed(site, 'server', next);
  });

  it('a picture has a path outside of the store, in a manifest with right hashes', async () => {
    const evil = `${JSON.stringify({ path: '/images/../../../evil.webp', bytes: 4, sha256: hash('evil') })}\n`;
    change(`${next}/pictures.ndjson`, () => evil);
    let text = '';
    change(`${next}/manifest.json`, (body) => {
      const { manifestHash: _, ...manifest } = JSON.parse(body.toString()) as Manifest;
      manifest.files['pictures.ndjson'] = { bytes: evil.length, sha256: hash(evil) };
      manifest.contentHash = hashContent(manifest.files, manifest.imagesBaseUrl);
      return (text = JSON.stringify(manifest));
    });
    change('switch/000000000002.json', (body) => body.toString().replace(/(?<="manifest":")[0-9a-f]+/, hash(text)));
    const { exitCode, stderr } = await site.pull('server');
    expect([exitCode, stderr]).toEqual([EXIT.failed, expect.stringContaining('pictures.ndjson: expected a list of')]);
    expect(stderr.length).toBeLessThan(300);
    expectServed(site, 'server', old);
  });
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const AWAY: Readonly<Record<string, Fault>> = {
  'does not take connections': { before: CUT },
  hangs: { before: HANG },
  'is forbidden': { answer: { status: 403, code: 'AccessDenied' } },
  fails: { answer: { status: 500 } },
  'sends less than it says': { truncateAt: 20 },
};

describe('a server whose remote store', () => {
  it.each(Object.entries(AWAY))(
    '%s keeps the old snapshot, says so, and catches up',
    async (_, fault) => {
      site.bucket.inject(fault);
      const watching = site.start(site.pullWords('server', '--watch', '--every', '1'));
      try {
        await until(async () => readState().failures > 0);
        expectServed(site, 'server', old);
        expect(readState().lastFailure?.message).toContain(site.url);
        const status = await runDeals(['status', '--store', site.server('server')]);
        expect([status.exitCode, status.stdout]).toEqual([
          EXIT.attention,
          expect.stringContaining('deals pull failed'),
        ]);
        site.bucket.reset();
        await until(async () => readCurrentId(site.server('server')) === next);
        expectServed(site, 'server', next);
      } finally {
        watching.kill('SIGKILL');
      }
    },
    60_000,
  );

  it('answers 403 for what is not there is read all the same', async () => {
    site.bucket.inject({ path: /switch\/0+3\.json/, answer: { status: 403, code: 'AccessDenied' } });
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', next);
  });

  it('is slow does not keep an operator from a rollback', async () => {
    requireSuccess(await site.pull('server'));
    await site.pushNext();
    site.bucket.reset();
    site.bucket.inject({ path: /products\.ndjson/, before: HANG });
    const pulling = site.start(site.pullWords('server'));
    await until(async () => site.bucket.requests.some((request) => request.includes('products.ndjson')));
    requireSuccess(await runDeals(['rollback', '--store', site.server('server')]));
    expectServed(site, 'server', old);
    const second = await site.pull('server');
    expect(second.exitCode, second.stderr).toBe(EXIT.busy);
    pulling.kill('SIGKILL');
    await pulling.ended;
  }, 60_000);

  it('was begun anew is an alarm until pull.json is deleted', async () => {
    requireSuccess(await site.pull('server'));
    site.bucket.objects.clear();
    const first = await site.pushNext();
    const alarm = await site.pull('server');
    expect([alarm.exitCode, alarm.stderr]).toEqual([EXIT.refused, expect.stringContaining('delete pull.json')]);
    const state = join(site.server('server'), 'pull.json');
    writeFileSync(state, '{"url": "half');
    const damaged = await site.pull('server');
    expect([damaged.exitCode, damaged.stderr]).toEqual([EXIT.failed, expect.stringContaining('delete it')]);
    rmSync(state);
    requireSuccess(await site.pull('server'));
    expectServed(site, 'server', first);
  });
});
