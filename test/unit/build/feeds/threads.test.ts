import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { BuildResult } from '../../../../build/report/build-result.ts';
import { runBuild } from '../../../../build/run.ts';
import { StoppedBuildError } from '../../../../data/store/durable-file.ts';
import { readCurrent } from '../../../../data/store/snapshots.ts';
import { createSite, deal, NOW, type Site } from '../run/write-sources.ts';

function build(site: Site, threads?: number): Promise<BuildResult> {
  return runBuild({ configPath: site.configPath, store: site.store, now: NOW, dryRun: false, accept: [], threads });
}

describe('small feeds', () => {
  it('are read without threads', async () => {
    const site = await createSite();
    const threads: Worker[] = [];
    const count = (thread: Worker): void => void threads.push(thread);
    process.on('worker', count);
    try {
      expect((await build(site)).counts.deals).toBe(8);
    } finally {
      process.off('worker', count);
    }
    expect(threads).toEqual([]);
  });
});

describe('a thread that ends before its feed', () => {
  /** Calls `meddle` with every thread that a build starts. */
  async function buildMeddling(meddle: (thread: Worker) => void): Promise<{ readonly error: unknown; site: Site }> {
    const site = await createSite();
    await build(site, 1);
    appendFileSync(join(site.folder, 'feeds/night/deals.csv'), `${deal('N-6', '102', 'new', 'night-owl', '46.50')}\n`);
    appendFileSync(join(site.folder, 'feeds/house/deals.csv'), `${deal('H-6', '102', 'new', 'phone-barn', '46.50')}\n`);
    process.on('worker', meddle);
    try {
      const error: unknown = await build(site, 2).catch((thrown: unknown) => thrown);
      return { error, site };
    } finally {
      process.off('worker', meddle);
    }
  }

  it('stops the build, which says so and publishes nothing', async () => {
    const { error, site } = await buildMeddling((thread) => void thread.terminate());
    expect(error).toBeInstanceOf(StoppedBuildError);
    const current = readCurrent(site.store) ?? 'a snapshot';
    expect((error as Error).message).toMatch(
      new RegExp(
        `^the thread that read (?:house|night) ended with code [01]; nothing was published, ${current} is still current$`,
      ),
    );
  });

  it('for want of memory has a remedy', async () => {
    const cause = Object.assign(new Error('reached its memory limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    const { error } = await buildMeddling((thread) => thread.emit('error', cause));
    expect((error as Error).message).toContain('its memory did not suffice; give the program more');
  });

  it('for a bug stops the build with the error of the bug', async () => {
    const bug = new TypeError('not a function');
    const { error } = await buildMeddling((thread) => thread.emit('error', bug));
    expect(error).toBe(bug);
  });
});
