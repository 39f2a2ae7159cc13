import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, createBrotliCompress, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import type { PullState, PullStep } from '../../../data/store/pull-state.ts';
import { until } from '../../harness.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import type { RunningDeals } from '../run-deals.ts';
import { byTier, TIER } from '../tier.ts';
import { dripping, endless, startHostileServer, type Answer, type HostileServer } from './hostile-server.ts';
import { readCurrentId, RemoteSite } from './remote-site.ts';

/** What a bomb expands to. */
const BOMB_BYTES = byTier({ first: 2 ** 30, second: 2 ** 33, long: 2 ** 34 });

/** How much more memory than with a sound store a pull may take. */
const MORE_MEMORY_MB = 100;

const memory = await startMemoryS3();
const bomb = await compressZeros(BOMB_BYTES);
let site: RemoteSite;
let old: string;
let next: string;

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

/** Less than a kilobyte of Brotli for each gigabyte of zeros. */
async function compressZeros(bytes: number): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  const compress = createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 } });
  const zeros = Buffer.alloc(2 ** 20);
  const chunks: Buffer[] = [];
  const source = Array.from({ length: bytes / zeros.length }, () => zeros);
  await pipeline(source, compress, async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

function blobKey(content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex');
  return `blob/${hash.slice(0, 2)}/${hash}.br`;
}

type ObjectName = 'manifest' | 'file of deals' | 'list of pictures' | 'report' | 'picture';

/** Called when the snapshot is published. */
type KeyOf = () => string;

/** The objects that only the new snapshot has, by what they are, and the step of a pull that needs each. */
const OBJECTS: Readonly<Record<ObjectName, readonly [PullStep, KeyOf]>> = {
  manifest: ['manifest', () => blobKey(readFileSync(join(site.builder, next, 'manifest.json')))],
  'file of deals': ['blob', () => blobKey(readFileSync(join(site.builder, next, 'products.ndjson')))],
  'list of pictures': ['blob', () => blobKey(readFileSync(join(site.builder, next, 'pictures.ndjson')))],
  report: ['blob', () => blobKey(readFileSync(join(site.builder, 'last-build.json')))],
  picture: ['image', () => pictures(next).find((key) => !pictures(old).includes(key)) ?? ''],
};

function pictures(snapshot: string): readonly string[] {
  const lines = readFileSync(join(site.builder, snapshot, 'pictures.ndjson'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => (JSON.parse(line) as { readonly path: string }).path.slice(1));
}

const DAMAGES: Readonly<Record<string, (body: Buffer) => Buffer | undefined>> = {
  'has another bit': (body) => Buffer.from(body.map((byte, at) => (at === body.length >> 1 ? byte ^ 1 : byte))),
  'has another first bit': (body) => Buffer.from(body.map((byte, at) => (at === 0 ? byte ^ 1 : byte))),
  'is one byte short': (body) => body.subarray(0, -1),
  'is half': (body) => body.subarray(0, body.length >> 1),
  'is empty': () => Buffer.alloc(0),
  'is gone': () => undefined,
  'is the sound content of another': () => brotliCompressSync('another'),
  'is not compressed': () => Buffer.from('{"not":"compressed"}'),
  'is a bomb': () => bomb,
  'is 70 MB long': () => Buffer.alloc(70_000_000, 'x'),
};

function damage(key: string, change: (body: Buffer) => Buffer | undefined): void {
  const objects = memory.objects(site.bucket);
  const object = objects.get(`uk/${key}`);
  if (object === undefined) throw new Error(`expected an object ${key}`);
  const body = change(object.body);
  if (body === undefined) objects.delete(`uk/${key}`);
  else object.body = body;
}

function readState(server = 'server'): PullState {
  return JSON.parse(readFileSync(join(site.server(server), 'pull.json'), 'utf8')) as PullState;
}

function expectOld(): void {
  expect(readCurrentId(site.server('server'))).toBe(old);
  expect(verifySnapshot(site.server('server'), old)).toEqual([]);
}

function expectNext(): void {
  expect(readCurrentId(site.server('server'))).toBe(next);
  expect(verifySnapshot(site.server('server'), next)).toEqual([]);
}

const CASES = Object.entries(OBJECTS).flatMap(([what, [step, keyOf]]) =>
  Object.entries(DAMAGES).map(([how, change]) => [what, how, step, keyOf, change] as const),
);

describe('a server keeps the old snapshot, with an alarm, until the builder has repaired it, when the', () => {
  it.each(CASES)('%s %s', async (_, __, step, keyOf, change) => {
    damage(keyOf(), change);
    const pulled = await site.pull('server');
    expect(pulled.exitCode, pulled.stdout).toBe(EXIT.failed);
    expect(pulled.stderr).toContain(`${site.url}/${keyOf()}`);
    expect(pulled.stderr).toContain('deals push --repair');
    expect(readState()).toMatchObject({ failures: { [step]: 1 }, lastFailure: { step }, announced: { revision: 2 } });
    expectOld();

    // A push without the option has nothing to do.
    expect(requireSuccess(await site.push()).stdout).toContain('unchanged');
    expect((await site.pull('server')).exitCode).toBe(EXIT.failed);
    requireSuccess(await site.push('--repair'));
    requireSuccess(await site.pull('server'));
    expectNext();
    expect((await site.read()).faults).toEqual([]);
  });

  it('list is of a snapshot that a server fetches as its first', async () => {
    damage(OBJECTS['file of deals'][1](), DAMAGES['is half'] ?? (() => undefined));
    expect((await site.pull('first')).exitCode).toBe(EXIT.failed);
    expect(readCurrentId(site.server('first'))).toBe(undefined);
    requireSuccess(await site.push('--repair'));
    requireSuccess(await site.pull('first'));
    expect(readCurrentId(site.server('first'))).toBe(next);
  });
});

describe('on its way', () => {
  const TRANSIT: readonly (readonly [what: string, fault: Fault, isRetried: boolean])[] = [
    ['cut', { kind: 'cut-body', body: 'response', afterBytes: 50 }, true],
    ['cut before the first byte', { kind: 'cut-after' }, true],
    ['answered by 500', { kind: 'answer', status: 500 }, true],
    ['answered by 503', { kind: 'answer', status: 503, code: 'SlowDown' }, true],
    ['shortened', { kind: 'truncate', body: 'response', afterBytes: 50 }, false],
    ['changed', { kind: 'flip', body: 'response', byteOffset: 30 }, false],
  ];

  it.each(TRANSIT)('a blob that is %s once costs no more than another try', async (_, fault, isRetried) => {
    const [, keyOf] = OBJECTS['file of deals'];
    site.proxy.inject({ path: new RegExp(keyOf()), nth: 1, fault });
    const pulled = await site.pull('server');
    expect(pulled.exitCode, pulled.stderr).toBe(isRetried ? EXIT.ok : EXIT.failed);
    if (!isRetried) {
      expectOld();
      requireSuccess(await site.pull('server'));
    }
    expectNext();
  });
});

describe('deals pull --watch', () => {
  it('tells of the damage once, keeps telling in pull.json, and goes on by itself when it is repaired', async () => {
    const [, keyOf] = OBJECTS['file of deals'];
    damage(keyOf(), DAMAGES['is half'] ?? (() => undefined));
    const watching = site.start(site.pullWords('server', '--watch', '--every', '1'));
    try {
      await until(async () => readState().lastFailure !== undefined);
      for (let look = 0; look < 4; look++) {
        await sleep(1_000);
        expect(readState()).toMatchObject({ lastFailure: { step: 'blob' }, failures: { blob: 1 } });
      }
      requireSuccess(await site.push('--repair'));
      await until(async () => readCurrentId(site.server('server')) === next);
      await until(async () => readState().lastFailure === undefined);
      // The line is written after the state.
      await sleep(1_000);
    } finally {
      watching.kill('SIGKILL');
    }
    const { stdout, stderr } = await watching.ended;
    const events = `${stdout}${stderr}`.split('\n').flatMap((line) => /"event":"([a-z-]+)"/.exec(line)?.[1] ?? []);
    expect(events).toEqual(['pull-failed', 'pull-works', 'pull-switched']);
  }, 60_000);
});

describe('a web server that answers', () => {
  let hostile: HostileServer;

  beforeEach(async () => {
    hostile = await startHostileServer((key) => site.objects.get(key));
  });
  afterEach(() => hostile.stop());

  async function pullMeasured(): Promise<{
    readonly exitCode: number | null;
    readonly stderr: string;
    readonly peakMb: number;
  }> {
    const words = ['pull', hostile.url, '--trust', site.publicKey, '--store', site.server('measured')];
    const pulling = site.start(words);
    const peak = watchMemory(pulling);
    const { exitCode, stderr } = await pulling.ended;
    return { exitCode, stderr, peakMb: await peak };
  }

  it('soundly is a store to pull from', async () => {
    const { exitCode, stderr } = await pullMeasured();
    expect(exitCode, stderr).toBe(EXIT.ok);
    expect(readCurrentId(site.server('measured'))).toBe(next);
  });

  const PART = Buffer.from('{"revision":');
  const BOMBED = gzipSync(Buffer.alloc(2 ** 28));

  /** What is answered for which object, and the most bytes that a pull should take of it. */
  const BODIES: readonly (readonly [what: string, keyOf: KeyOf, answer: () => Answer, maxBytes: number])[] = [
    ['a head without an end', () => 'head.json', () => endless(PART), 16e6],
    ['a head that is a gzip bomb', () => 'head.json', () => whole(BOMBED, { 'content-encoding': 'gzip' }), 16e6],
    ['a head that is a Brotli bomb', () => 'head.json', () => whole(bomb, { 'content-encoding': 'br' }), 16e6],
    ['a head with an endless error', () => 'head.json', () => endlessError(500), 16e6],
    ['a head that is not there, at length', () => 'head.json', () => endlessError(404), 16e6],
    ['a record of 10 MB', () => 'switch/000000000002.json', () => whole(Buffer.alloc(1e7, '[')), 16e6],
    ['a record without an end', () => 'switch/000000000002.json', () => endless(), 16e6],
    ['a manifest without an end', OBJECTS.manifest[1], () => endless(), 8e7],
    ['a manifest that is a bomb', OBJECTS.manifest[1], () => whole(bomb), 16e6],
    ['a blob without an end', OBJECTS['file of deals'][1], () => endless(), 16e6],
    ['a blob that is a bomb', OBJECTS['file of deals'][1], () => whole(bomb), 16e6],
    [
      'a sound blob, and more without an end',
      OBJECTS['file of deals'][1],
      () => soundAnd(OBJECTS['file of deals'][1]()),
      16e6,
    ],
    ['a blob of empty blocks without an end', OBJECTS['file of deals'][1], () => emptyBlocks(), 16e6],
    ['a report that is a bomb', OBJECTS.report[1], () => whole(bomb), 16e6],
    ['a picture without an end', OBJECTS.picture[1], () => endless(), 16e6],
    ['a sound picture, and more without an end', OBJECTS.picture[1], () => soundAnd(OBJECTS.picture[1]()), 16e6],
  ];

  function whole(body: Buffer, headers: Readonly<Record<string, string>> = {}): Answer {
    return (response) => {
      response.writeHead(200, headers);
      response.write(body);
      response.end();
    };
  }

  function endlessError(status: number): Answer {
    const fill = endless();
    return (response, request) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = ((_: number, headers: Record<string, string>) =>
        writeHead(status, headers)) as typeof writeHead;
      fill(response, request);
    };
  }

  function soundAnd(key: string): Answer {
    return endless(memory.objects(site.bucket).get(`uk/${key}`)?.body);
  }

  /** Brotli that goes on for ever and is empty: metadata blocks of no content (RFC 7932, section 9.2). */
  function emptyBlocks(): Answer {
    return (response) => {
      response.writeHead(200);
      // WBITS 16, then blocks: ISLAST 0, MNIBBLES 3, reserved 0, MSKIPBYTES 0, and the rest of the byte.
      const blocks = Buffer.alloc(64 * 1024, 0b0000_0110);
      response.write(Buffer.from([0b0000_1100]));
      const fill = (): void => {
        while (!response.destroyed && response.write(blocks));
      };
      response.on('drain', fill);
      fill();
    };
  }

  it.each(BODIES)(
    '%s costs neither memory nor time',
    async (what, keyOf, answer, maxBytes) => {
      const sound = await pullMeasured();
      site.publish();
      requireSuccess(await site.push());
      next = readCurrentId(site.builder) ?? '';
      const key = keyOf().replace('000000000002', '000000000003');
      const before = readCurrentId(site.server('measured'));
      hostile.answer(key, answer());
      const startMs = performance.now();
      const { exitCode, stderr, peakMb } = await pullMeasured();
      expect(performance.now() - startMs).toBeLessThan(20_000);
      expect(peakMb, what).toBeLessThan(sound.peakMb + MORE_MEMORY_MB);
      expect(hostile.sentBytes(key), what).toBeLessThan(maxBytes);
      expect(exitCode === EXIT.ok ? [before, next] : [before], stderr).toContain(
        readCurrentId(site.server('measured')),
      );
      expect(verifySnapshot(site.server('measured'), readCurrentId(site.server('measured')) ?? '')).toEqual([]);
    },
    60_000,
  );

  const DRIPS: readonly (readonly [what: string, keyOf: KeyOf, start: Buffer])[] = [
    ['head', () => 'head.json', PART],
    ['record', () => 'switch/000000000002.json', Buffer.from('{"text":"')],
    ['blob', OBJECTS['file of deals'][1], Buffer.alloc(0)],
  ];

  it.skipIf(TIER === 'first').each(DRIPS)(
    'a byte of the %s every second is given up within a minute',
    async (_, keyOf, start) => {
      hostile.answer(keyOf(), dripping(start, 1_000));
      const startMs = performance.now();
      const { exitCode } = await pullMeasured();
      expect(exitCode).toBe(EXIT.failed);
      // A blob is asked for four times.
      expect(performance.now() - startMs).toBeLessThan(4 * 40_000);
    },
    200_000,
  );
});

/** The most memory that a process has, until it ends, in MB. */
async function watchMemory(running: RunningDeals): Promise<number> {
  let peakMb = 0;
  while (!running.hasEnded) {
    try {
      const [, kb = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8')) ?? [];
      peakMb = Math.max(peakMb, Number(kb) / 1_000);
    } catch {
      // It has just ended.
    }
    await sleep(20);
  }
  return peakMb;
}
