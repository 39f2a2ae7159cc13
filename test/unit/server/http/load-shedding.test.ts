import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LoadShedder } from '../../../../server/http/limits.ts';
import { withServer } from '../../../harness.ts';

/** Uses the processor for some time. */
function work(milliseconds: number): void {
  const before = process.cpuUsage();
  for (let used = 0; used < milliseconds * 1_000;) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
}
/** Lets time pass by the clock alone, as a machine does that is busy with other programs. */
const pause = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** What the last of several requests in each tick is told. */
async function runTicks(spend: (milliseconds: number) => void, ticks: number): Promise<readonly boolean[]> {
  const shedder = new LoadShedder();
  const told: boolean[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    expect(shedder.isLate()).toBe(false);
    spend(80);
    told.push(shedder.isLate());
    await nextTick();
  }
  return told;
}

describe('load shedding', () => {
  it('bears long ticks for half a second, and then refuses what is beyond 50 ms of a tick', async () => {
    const told = await runTicks(work, 12);
    expect(told.slice(0, 4)).toEqual([false, false, false, false]);
    expect(told.slice(-3)).toEqual([true, true, true]);
  });

  it('refuses nothing while other programs have the processor', async () => {
    expect(await runTicks(pause, 12)).not.toContain(true);
  });

  it('answers 503, but to cached requests and for health (D17)', async () => {
    let isLate = false;
    const server = await withServer({ shedder: { isLate: () => isLate }, metricsPort: 0 });
    expect((await server.ask('/deals/v1/networks/')).status).toBe(200);
    isLate = true;
    const paths = ['/deals/v1/networks/', '/health/live', '/health/ready', '/deals/v1/gifts/', '/docs/'];
    const statuses = await Promise.all(paths.map(async (path) => (await server.ask(path)).status));
    expect(statuses).toEqual([200, 200, 200, 503, 503]);
    expect(await (await fetch(server.metricsUrl ?? '')).text()).toContain('deals_shed_requests_total 2\n');
  });
});
