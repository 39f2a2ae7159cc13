import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifySnapshot } from '../../../build/publish/verify.ts';
import { EXIT } from '../../../cli/console/command.ts';
import { until } from '../../harness.ts';
import { startMemoryS3 } from '../../support/memory-s3.ts';
import { requireSuccess, type DealsRun } from '../../unit/cli/run-deals.ts';
import { byTier } from '../tier.ts';
import { readCurrentId, RemoteSite, runHere } from './remote-site.ts';

const PULLS_AT_ONCE = byTier({ first: 8, second: 20, long: 50 });

const memory = await startMemoryS3();
let site: RemoteSite;
let server: string;
let old: string;
let next: string;

beforeEach(async () => {
  site = await RemoteSite.create(memory);
  server = site.server('server');
  old = site.publish();
  requireSuccess(await site.push());
  requireSuccess(await site.pull('server'));
  next = site.publish();
  requireSuccess(await site.push());
});
afterEach(async () => {
  vi.useRealTimers();
  await site.remove();
});
afterAll(() => memory.stop());

/** Holds the requests that match until the gate is opened. */
function hold(path: RegExp): { readonly held: () => number; open(): void } {
  let arrived = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const run = (): Promise<void> => {
    arrived++;
    return opened;
  };
  site.proxy.inject({ path, fault: { kind: 'call', at: 'before', run } });
  return { held: () => arrived, open };
}

function expectSound(snapshot: string): void {
  expect(readCurrentId(server)).toBe(snapshot);
  expect(verifySnapshot(server, snapshot)).toEqual([]);
}

function listFiles(): readonly string[] {
  return readdirSync(server, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('on the store of one server', () => {
  it('a second pull and a rollback end with exit code 75, a watching one waits, and all go on afterwards', async () => {
    const gate = hold(/blob/);
    const first = site.start(site.pullWords('server'));
    await until(async () => gate.held() > 0);
    expect((await site.pull('server')).exitCode).toBe(EXIT.busy);
    expect((await runHere(['rollback', '--store', server])).exitCode).toBe(EXIT.busy);
    const watching = site.start(site.pullWords('server', '--watch', '--every', '1'));
    await sleep(4_000);
    expect(watching.hasEnded).toBe(false);
    expectSound(old);
    gate.open();
    requireSuccess(await first.ended);
    expectSound(next);
    const last = site.publish();
    requireSuccess(await site.push());
    await until(async () => readCurrentId(server) === last);
    watching.kill('SIGKILL');
    const { stdout, stderr } = await watching.ended;
    // It tried once a second.
    expect(`${stdout}${stderr}`.match(/pull-waiting/g)?.length).toBeLessThanOrEqual(6);
    expectSound(last);
  }, 60_000);

  it(`of ${PULLS_AT_ONCE} pulls at once each succeeds or ends with exit code 75`, async () => {
    const pulls = Array.from({ length: PULLS_AT_ONCE }, () => site.start(site.pullWords('server')).ended);
    const exitCodes = (await Promise.all(pulls)).map(({ exitCode }) => exitCode);
    expect(exitCodes).toContain(EXIT.ok);
    expect(exitCodes.filter((exitCode) => exitCode !== EXIT.ok && exitCode !== EXIT.busy)).toEqual([]);
    expectSound(next);
  }, 60_000);

  it('a rollback of the operator stays until the next revision', async () => {
    requireSuccess(await site.pull('server'));
    requireSuccess(await runHere(['rollback', '--store', server]));
    for (let look = 0; look < 3; look++) requireSuccess(await site.pull('server'));
    expectSound(old);
    const last = site.publish();
    requireSuccess(await site.push());
    requireSuccess(await site.pull('server'));
    expectSound(last);
  });

  it('a pull that is stopped in the middle goes on when it is let go', async () => {
    const gate = hold(/blob/);
    const pulling = site.start(site.pullWords('server'));
    await until(async () => gate.held() > 0);
    pulling.kill('SIGSTOP');
    gate.open();
    await sleep(2_000);
    expectSound(old);
    pulling.kill('SIGCONT');
    requireSuccess(await pulling.ended);
    expectSound(next);
  });

  it('a look that fails has ended: nothing of it is written afterwards, when another may hold the store', async () => {
    const last = site.publish(site.builder, 36);
    requireSuccess(await site.push());
    const list = readFileSync(join(site.builder, last, 'pictures.ndjson'), 'utf8');
    const [, gone = ''] = /"(\/images\/[0-9a-f]+\/view-0\.webp)"/.exec(list) ?? [];
    expect(memory.objects(site.bucket).delete(`uk${gone}`)).toBe(true);
    site.proxy.reset();
    const gate = hold(/\/view-(?!0\.)/);
    const looking = site.puller('server').look();
    await until(async () => gate.held() > 0);
    await sleep(300);
    gate.open();
    const { failure } = await looking;
    const [files, requests] = [listFiles(), site.proxy.requests.length];
    await sleep(500);
    expect([listFiles(), site.proxy.requests.length]).toEqual([files, requests]);
    expect(failure?.step).toBe('image');
    requireSuccess(await site.push('--repair'));
    requireSuccess(await site.pull('server'));
    expectSound(last);
  });

  it('a picture that was damaged here comes again with the next snapshot, also when its size is right', async () => {
    const [picture = ''] = readdirSync(join(server, 'images'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('small.webp'))
      .map((name) => join(server, 'images', name));
    const sound = readFileSync(picture);
    writeFileSync(picture, sound.toReversed());
    requireSuccess(await site.pull('server'));
    expect(readFileSync(picture)).toEqual(sound);
    expectSound(next);
  });

  it('a switch that the disk does not let happen is tried again, and not without pause', async () => {
    // A folder in the place of the file cannot be replaced.
    renameSync(join(server, 'current.json'), join(server, 'kept.json'));
    mkdirSync(join(server, 'current.json'));
    site.proxy.reset();
    const once = await site.pull('server');
    expect(once.exitCode, once.stderr).toBe(EXIT.failed);
    const watching = site.start(site.pullWords('server', '--watch', '--every', '1'));
    await until(async () => site.proxy.count('GET', /head/) > 1);
    site.proxy.reset();
    await sleep(4_000);
    expect(site.proxy.requests.length).toBeLessThan(30);
    rmSync(join(server, 'current.json'), { recursive: true });
    renameSync(join(server, 'kept.json'), join(server, 'current.json'));
    await until(async () => readCurrentId(server) === next);
    watching.kill('SIGKILL');
    await watching.ended;
    expectSound(next);
  }, 60_000);

  it('a snapshot that disappears while it waits for its time is fetched again', async () => {
    const last = site.publish();
    requireSuccess(await site.push('--lead', '2'));
    const pulling = site.pull('server');
    await until(async () => listFiles().includes(`${last}/manifest.json`));
    rmSync(join(server, last), { recursive: true });
    await pulling;
    requireSuccess(await site.pull('server'));
    expectSound(last);
  });

  it('pushes that follow each other faster than the lead do not put off the switch for ever', async () => {
    requireSuccess(await site.pull('server'));
    const startMs = Date.now();
    let elapsedMs = 0;
    const now = (): Date => new Date(startMs + elapsedMs);
    const puller = site.puller('server', now);
    vi.useFakeTimers({ toFake: ['performance'] });
    const published: string[] = [];
    const seen: (string | undefined)[] = [];
    for (let minute = 0; minute < 20; minute++) {
      published.push(site.publish());
      requireSuccess(await runHere(site.pushWords('--lead', '180'), now));
      for (let look = 0; look < 6; look++) {
        await puller.look();
        vi.advanceTimersByTime(10_000);
        elapsedMs += 10_000;
      }
      seen.push(readCurrentId(server));
    }
    // No server shows what is older than two leads.
    const ages = seen.map((id, minute) => minute - published.indexOf(id ?? ''));
    expect(Math.max(...ages.slice(7))).toBeLessThanOrEqual(7);
    expect(new Set(seen).size).toBeGreaterThan(2);
  }, 60_000);

  it('a rollback reaches a server although another snapshot waits for its time', async () => {
    requireSuccess(await site.pull('server'));
    const startMs = Date.now();
    let elapsedMs = 0;
    const now = (): Date => new Date(startMs + elapsedMs);
    const puller = site.puller('server', now);
    vi.useFakeTimers({ toFake: ['performance'] });
    const bad = site.publish();
    requireSuccess(await runHere(site.pushWords('--lead', '60'), now));
    await puller.look();
    requireSuccess(await runHere(['rollback', '--store', site.builder]));
    requireSuccess(await runHere(site.pushWords('--lead', '60'), now));
    for (let look = 0; look < 15; look++) {
      await puller.look();
      expect(readCurrentId(server)).not.toBe(bad);
      vi.advanceTimersByTime(10_000);
      elapsedMs += 10_000;
    }
    expectSound(next);
  });
});

describe('a push that is stopped before its commit', () => {
  it('finds that another builder was first, and has damaged nothing', async () => {
    const other = site.server('other');
    site.publish();
    const gate = hold(/switch\/0+3/);
    const pushing = site.start(site.pushWords());
    await until(async () => gate.held() > 0);
    pushing.kill('SIGSTOP');
    site.proxy.reset();
    requireSuccess(await site.pull('other'));
    const theirs = site.publish(other);
    const pushed: DealsRun = await site.push('--store', other);
    requireSuccess(pushed);
    pushing.kill('SIGCONT');
    gate.open();
    expect((await pushing.ended).exitCode).toBe(EXIT.busy);
    const { records, head, faults } = await site.read();
    expect([records[0]?.snapshot, head, faults]).toEqual([theirs, 3, []]);
  });
});
