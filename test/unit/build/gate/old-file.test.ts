import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countNotices } from '../run/write-sources.ts';
import { createGateSite, edit, eachRow, later, NIGHT, servedDeals, sourceOf, statusOf } from './gate-site.ts';

const dearer = eachRow((row, i) =>
  i > 0 ? row : { ...row, monthlyCost: (Number(row['monthlyCost']) + 0.01).toFixed(2) },
);

/** Two nights with a file each, and the file of the first again on the third. */
async function bringBack(hours: number, before: (site: { readonly store: string }, first: string) => void = () => {}) {
  const site = await createGateSite();
  const first = await site.build();
  const old = edit(site, NIGHT, dearer);
  const second = await site.build({ now: later(1) });
  expect(statusOf(second)).toBe(0);
  before(site, first.snapshot ?? '');
  edit(site, NIGHT, () => old);
  return { site, now: later(hours), second };
}

describe('a file of an earlier night (INPUTS "What must never go out")', () => {
  it('is not read: the deals of the last night are served', async () => {
    const { site, now, second } = await bringBack(24);
    const third = await site.build({ now });
    expect(countNotices(third)).toMatchObject({ 'night old-file': 1, 'night carried-forward': 1 });
    expect(sourceOf(third)).toMatchObject({ state: 'carried-forward', kept: 100 });
    expect(servedDeals(site, third)).toEqual(servedDeals(site, second));
    expect(third.attention[0]).toMatch(/^Not read: feeds\/night\/deals\.csv: .*2026-11-20/);
  });

  it('is read where that is accepted', async () => {
    const { site, now } = await bringBack(24);
    const third = await site.build({ now, accept: ['old-file:night'] });
    expect(sourceOf(third)).toMatchObject({ state: 'fresh', kept: 100 });
    expect(statusOf(third)).toBe(0);
  });

  it('is read on the same day: an editor took a change back', async () => {
    const { site, now } = await bringBack(19);
    expect(countNotices(await site.build({ now }))).toEqual({});
  });

  it('is not known when its snapshot is gone', async () => {
    const { site, now } = await bringBack(24, ({ store }, first) => rmSync(join(store, first), { recursive: true }));
    expect(countNotices(await site.build({ now }))).toEqual({});
  });

  it('is no old file when parts are served from it, since those of the night after are held', async () => {
    const site = await createGateSite();
    await site.build();
    const good = edit(
      site,
      NIGHT,
      eachRow((row) => ({ ...row, dataGb: 'unlimited' })),
    );
    expect(statusOf(await site.build({ now: later(24) }))).toBe(4);
    edit(site, NIGHT, () => good);
    const third = await site.build({ now: later(47) });
    expect(sourceOf(third)).toMatchObject({ state: 'fresh', kept: 100 });
    expect(countNotices(third)).toEqual({});
  });
});
