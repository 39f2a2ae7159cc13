import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { SourceCheck } from '../../../build/check.ts';
import { callDeals } from './call-deals.ts';
import { requireSuccess } from './run-deals.ts';
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
    const run = requireSuccess(await callDeals(['check', 'house', '--config', config, '--limit', '1', '--json']));
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
      records: [{ list: 'deals', file: 'feeds/house/deals.csv', line: 2, record: { key: 'D-0', monthlyPence: 2050 } }],
    } satisfies { [Key in keyof SourceCheck]: unknown });
    const { stdout } = requireSuccess(await callDeals(['check', 'house', '--config', config, '--limit', '0']));
    expect(stdout).toBe(
      [
        'house (deals): read to its end',
        `  feeds/house/deals.csv: ${readFileSync(feed).length} bytes`,
        '  3 read: 1 given to the build, 0 out of scope, 2 quarantined',
        '  quarantined: 1 malformed-field (a field does not follow its format)',
        '    feeds/house/deals.csv:4 D-2 monthlyCost: expected an amount such as 29.99, got "£22"; correct the field in the source',
        '  quarantined: 1 missing-field (a field that the format needs is empty or absent)',
        '    feeds/house/deals.csv:3 D-1 retailer: expected an id, slug, name or alias; fill the field in the source',
        '',
      ].join('\n'),
    );
  });

  it('reads a file that stands in no configuration', async () => {
    const run = requireSuccess(await callDeals(['check', '--adapter', 'deals', '--file', feed, '--json']));
    expect(JSON.parse(run.stdout)).toMatchObject({
      source: { name: 'file', read: 3, kept: 3 },
      records: [{ line: 2 }, { line: 3 }],
    });
    const cms = join(root, 'cms/site.json');
    const other = requireSuccess(await callDeals(['check', '--adapter', 'catalogue', '--file', cms, '--json']));
    expect(JSON.parse(other.stdout)).toMatchObject({ source: { kind: 'cms', read: 3, kept: 3 } });
  });

  it.each([
    ['csv', '--feed csv='],
    ['strapi', '--cms strapi'],
    ['contentful', '--cms contentful'],
    ['wordpress', '--cms wordpress'],
  ])('says for %s how a configuration is made that says what is where', async (adapter, choice) => {
    const { exitCode, stdout, stderr } = await callDeals(['check', '--adapter', adapter, '--file', feed]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(
      `the adapter ${adapter} needs a configuration that says what is where; deals init ${choice}`,
    );
  });

  it('finds what a build finds, and ends with exit code 3 when a build would take nothing', async () => {
    writeFileSync(feed, readFileSync(feed, 'utf8').replaceAll(',phone-barn,', ',phone-bran,'));
    const { exitCode, stdout, stderr } = await callDeals(['check', 'house', '--config', config, '--limit', '0']);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(
      /3 read: 0 given to the build, 0 out of scope, 3 quarantined\n  quarantined: 3 unknown-retailer /,
    );
    expect(stdout).toMatch(
      / retailer: expected .+, got "phone-bran"; add "aliases": \["phone-bran"\] to the right retailer/,
    );
    expect(stderr).toBe('deals: house: a build would take nothing of it; see the findings\n');
  });

  it.each([
    ['a feed without a column', 'dealId,productId\n', /missing-column/],
    ['an empty feed', '', /source-malformed/],
  ])('ends with exit code 3 at %s, and says why', async (_, text, code) => {
    writeFileSync(feed, text);
    const { exitCode, stdout, stderr } = await callDeals(['check', 'house', '--config', config]);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(code);
    expect(stderr).toBe('deals: house: cannot be read to its end; see the findings\n');
  });

  it.each([
    [['hause', '--config', config], /no source "hause"; expected one of site, house; did you mean house\?/],
    [[], /expected the name of a source, or both --adapter and --file/],
    [['house', '--adapter', 'deals', '--file', feed], /expected the name of a source, or both/],
    [['--adapter', 'deals'], /expected the name of a source, or both/],
    [['--adapter', 'deals', '--file', join(root, 'none.csv')], /none\.csv: expected a file, found nothing/],
    [['--adapter', 'deels', '--file', feed], /deals\.csv: feeds\[0\]\.adapter: expected .*got "deels"/],
  ])('%j ends with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await callDeals(['check', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
