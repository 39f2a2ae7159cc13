import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { requireSuccess, runDeals } from '../../harness.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { isMissing, tool } from '../needs.ts';
import { spread } from '../publish/store-calls.ts';
import type { RunningDeals } from '../run-deals.ts';
import { byTier } from '../tier.ts';
import { expectServed, localKinds, readCurrentId, RemoteSite, type RemoteKind } from './remote-site.ts';

/** Of pushes, and as many of pulls, over each kind of store. */
const KILLS = byTier({ first: 12, second: 100, long: Infinity });
const TIMEOUT_MS = byTier({ first: 300_000, second: 2 * 3_600_000, long: 24 * 3_600_000 });

// Small pages: what is not listed would be taken for absent, or deleted.
const memory = await startMemoryS3({ pageSize: 7 });
afterAll(() => memory.stop());
const kinds = localKinds(memory);

/** A shared folder is a store, too. No request reaches it: only strace finds a moment. */
const KINDS: readonly RemoteKind[] = isMissing(
  'kill -9 at the file-changing calls of a push and a pull',
  tool('strace'),
)
  ? [kinds.memory]
  : [kinds.memory, kinds.folder];

/** Where a push or a pull is killed. */
type KillPoint =
  /** At a request: it is lost, or reaches the store without an answer, or is answered. */
  | { readonly nth: number; readonly at: 'lost' | 'sent' | 'answered' }
  /** On the way into a system call of any thread, which is never made. */
  | { readonly nth: number; readonly call: string };

/** The calls by which a push or a pull changes files, apart from those that open them. */
const CALLS = 'write,pwrite64,fsync,fdatasync,rename,link,mkdir,unlink,rmdir,utimensat,ftruncate';
const TRACE = ['strace', '-f', '-e', 'signal=none'];

/** Runs a command to its end, and lists where it can be killed: at each request, or in a folder at each call. */
async function listKillPoints(site: RemoteSite, words: readonly string[]): Promise<readonly KillPoint[]> {
  const { isFolder = false } = site.kind;
  const log = site.server('strace.log');
  if (!isFolder) site.bucket.reset();
  requireSuccess(await site.start(words, isFolder ? [...TRACE, '-o', log, '-e', `trace=${CALLS}`] : []).ended);
  if (!isFolder) {
    return site.bucket.requests.flatMap((_, at) =>
      (['lost', 'sent', 'answered'] as const).map((moment) => ({ nth: at + 1, at: moment })),
    );
  }
  // strace counts in each thread: a call is made as often as the thread makes it that makes it most.
  const counts = new Map<string, number>();
  const points = new Map<string, KillPoint>();
  for (const [, thread = '', call = ''] of readFileSync(log, 'utf8').matchAll(/^(\d+)\s+([a-z0-9_]+)\(/gm)) {
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, nth);
    points.set(`${call} ${nth}`, { nth, call });
  }
  return [...points.values()];
}

/** Runs a command that is killed at the point. Returns whether it came to it. */
async function runKilled(site: RemoteSite, words: readonly string[], point: KillPoint): Promise<boolean> {
  let deals: RunningDeals | undefined;
  const { nth } = point;
  if ('call' in point) {
    const inject = ['-e', `trace=${point.call}`, '-e', `inject=${point.call}:signal=SIGKILL:when=${nth}`];
    deals = site.start(words, [...TRACE, '-o', '/dev/null', ...inject]);
  } else {
    const kill = async () => {
      deals?.kill('SIGKILL');
      await deals?.ended;
      if (point.at === 'lost') throw new Error('the request is lost');
    };
    site.bucket.reset();
    site.bucket.inject({ nth, ...(point.at === 'answered' ? { after: kill } : { before: kill }) });
    deals = site.start(words);
  }
  const { exitCode } = await deals.ended;
  if ('at' in point) site.bucket.reset();
  return exitCode === null;
}

async function createSite(kind: RemoteKind): Promise<RemoteSite> {
  const site = await RemoteSite.create(kind);
  onTestFinished(() => site.remove());
  await site.pushNext();
  return site;
}

/** As if the push before had been long ago, with a picture that nothing shows, where the store lets us: then a push also deletes. */
function age(site: RemoteSite): void {
  if (site.kind.memory === undefined) return;
  const { objects } = site.bucket;
  objects.set('uk/images/0123456789abcdef/old.webp', { body: Buffer.from('old'), modified: new Date() });
  for (const object of objects.values()) object.modified = new Date(Date.now() - 25 * 3_600_000);
}

async function killEach(
  points: readonly KillPoint[],
  count: number,
  kill: (point: KillPoint, where: string) => Promise<boolean>,
): Promise<void> {
  let killed = 0;
  const chosen = spread(points, count);
  for (const point of chosen) if (await kill(point, JSON.stringify(point))) killed++;
  // The others had ended before the moment came.
  expect(killed).toBeGreaterThan(chosen.length * 0.6);
}

describe.each(KINDS)('over $name', (kind) => {
  it(
    'a push that is killed leaves the old snapshot or the new, whole, and the next push completes',
    async () => {
      const listed = await createSite(kind);
      listed.publish();
      age(listed);
      await killEach(await listKillPoints(listed, listed.pushWords()), KILLS, async (point, where) => {
        const site = await createSite(kind);
        const old = readCurrentId(site.builder);
        const tonight = site.publish();
        age(site);
        const isKilled = await runKilled(site, site.pushWords(), point);
        const left = await site.read();
        expect(left.faults, where).toEqual([]);
        expect([old, tonight], where).toContain(left.records[0]?.snapshot);
        const next = await site.push();
        expect(next.exitCode, `${where}: the next push: ${next.stderr}`).toBe(0);
        // The same snapshot is not published twice.
        const records = [{ revision: 2, snapshot: tonight }, { snapshot: old }];
        expect(await site.read(), where).toMatchObject({ records, current: 2, faults: [] });
        return isKilled;
      });
    },
    TIMEOUT_MS,
  );

  it.each(['nothing', 'the old snapshot', 'a snapshot that is rolled back'])(
    'a pull onto %s that is killed leaves it or the new one, whole, and the next pull completes',
    async (from) => {
      const site = await createSite(kind);
      const [template, server] = [site.server('template'), site.server('server')];
      mkdirSync(template);
      if (from === 'a snapshot that is rolled back') await site.pushNext();
      if (from !== 'nothing') requireSuccess(await site.pull('template'));
      if (from === 'the old snapshot') site.publish();
      if (from === 'a snapshot that is rolled back')
        requireSuccess(await runDeals(['rollback', '--store', site.builder]));
      requireSuccess(await site.push());
      const [old, tonight] = [readCurrentId(template), readCurrentId(site.builder) ?? ''];
      const restore = () => {
        rmSync(server, { recursive: true, force: true });
        cpSync(template, server, { recursive: true });
      };
      restore();
      await killEach(await listKillPoints(site, site.pullWords('server')), KILLS / 3, async (point, where) => {
        restore();
        const isKilled = await runKilled(site, site.pullWords('server'), point);
        const current = readCurrentId(server);
        expect([old, tonight], where).toContain(current);
        if (current !== undefined) expectServed(site, 'server', current);
        const next = await site.pull('server');
        expect(next.exitCode, `${where}: the next pull: ${next.stderr}`).toBe(0);
        expectServed(site, 'server', tonight);
        expect(findLeftovers(server), where).toEqual([]);
        return isKilled;
      });
    },
    TIMEOUT_MS,
  );
});

/** What a pull does not leave, but for a file that a killed one was about to rename: a build removes it. */
function findLeftovers(store: string): readonly string[] {
  const paths = readdirSync(store, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => /(?:^|\/)\./.test(path) && !/^\.new-[0-9a-f]{16}$/.test(path));
}
