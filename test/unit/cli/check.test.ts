import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SourceCheck } from '../../../build/check.ts';
import { requireSuccess, runDeals } from '../../harness.ts';
import { writeSmallSource } from './small-source.ts';

const root = mkdtempSync(join(tmpdir(), 'deals-check-'));
const config = join(root, 'catalogue.json');
const feed = join(root, 'feeds/house/deals.csv');

beforeEach(() => writeSmallSource(root));
afterAll(() => rmSync(root, { recursive: true }));

describe('deals check', () => {
  it('shows what the adapter makes of a feed: counts, findings, the first records', async () => {
    const text = readFileSync(feed, 'utf8');
    writeFileSync(feed, text.replace('D-1,101,phone-barn', 'D-1,101,').replace(',22.50,', ',£22,'));
    const run = requireSuccess(await runDeals(['check', 'house', '--config', config, '--limit', '1', '--json']));
    expect(JSON.parse(run.stdout)).toMatchObject({
      source: { name: 'house', kind: 'feed', adapter: 'deals', state: 'fresh', read: 3, kept: 1, quarantined: 2 },
      lists: { deals: 1 },
      notices: [
        {
          code: 'malformed-field',
          count: 1,
          samples: [{ file: 'feeds/house/deals.csv', line: 4, field: 'monthlyCost' }],
        },
        { code: 'missing-field', count: 1, samples: [{ file: 'feeds/house/deals.csv', line: 3, field: 'retailer' }] },
      ],
      records: [
        {
          list: 'deals',
          origin: { file: 'feeds/house/deals.csv', line: 2 },
          record: { key: 'D-0', monthlyPence: 2050 },
        },
      ],
    } satisfies { [Key in keyof SourceCheck]: unknown });
    const { stdout } = requireSuccess(await runDeals(['check', 'house', '--config', config, '--limit', '0']));
    expect(stdout).toBe(
      [
        'house (deals): 3 read, 1 kept, 0 duplicate, 0 out of scope, 2 quarantined',
        '  quarantined: 1 malformed-field (a field does not follow its format)',
        '    feeds/house/deals.csv:4 D-2 monthlyCost: expected an amount such as 29.99, got "£22"; correct the field in the source, or the settings that say how it is written',
        '  quarantined: 1 missing-field (a field that the format needs is empty or absent)',
        '    feeds/house/deals.csv:3 D-1 retailer: expected an id, slug, name or alias; fill the field in the source',
        '',
      ].join('\n'),
    );
  });

  it('finds what a build finds, and ends with exit code 3 when a build would take nothing', async () => {
    writeFileSync(feed, readFileSync(feed, 'utf8').replaceAll(',phone-barn,', ',phone-bran,'));
    const { exitCode, stdout, stderr } = await runDeals(['check', 'house', '--config', config, '--limit', '0']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /3 read, 0 kept, 0 duplicate, 0 out of scope, 3 quarantined\n  quarantined: 3 unknown-retailer /,
    );
    expect(stdout).toMatch(
      / retailer: expected .+, got "phone-bran"; add "aliases": \["phone-bran"\] to the right retailer/,
    );
    expect(stderr).toBe('deals: house: a build would take nothing of it; see the findings\n');
  });

  it('of a feed ends with exit code 3 where a CMS source is not read, and says which', async () => {
    rmSync(join(root, 'cms/site.json'));
    const { exitCode, stderr } = await runDeals(['check', 'house', '--config', config]);
    expect([exitCode, stderr]).toEqual([3, 'deals: site: is not read, so that no deal finds its phone; deals check site says why\n']); // prettier-ignore
  });

  it.each([
    ['a feed without a column', 'dealId,productId\n', /missing-column/],
    ['an empty feed', '', /source-malformed/],
  ])('ends with exit code 3 at %s, and says why', async (_, text, code) => {
    writeFileSync(feed, text);
    const { exitCode, stdout, stderr } = await runDeals(['check', 'house', '--config', config]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(code);
    expect(stderr).toBe('deals: house: cannot be read to its end; see the findings\n');
  });
});
