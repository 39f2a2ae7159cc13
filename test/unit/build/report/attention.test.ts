import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listRefusal } from '../../../../build/report/attention.ts';
import { describeBuild, describeForOperator } from '../../../../build/report/describe-build.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import type { GateResult, SourceReport } from '../../../../data/report/report.ts';
import { type Site } from '../run/write-sources.ts';
import { createGateSite, eachRow, edit, later, lines, NIGHT, statusOf, times } from '../gate/gate-site.ts';

describe('what someone must read first: the cause, once, with one thing to do, and then what follows from it', () => {
  it.each<[what: string, damage: (site: Site) => void, lines: readonly RegExp[]]>([
    [
      'a network that the CMS does not know',
      (site) => void edit(site, NIGHT, (text) => text.replaceAll(',borealis,', ',Boreal,')),
      [
        /^Quarantined: 25 records of night, the first at feeds\/night\/deals\.csv:47: network: expected one of "Aurora", "Borealis", got "Boreal"; add "aliases": \["Boreal"\] to the right network, or add the network$/,
        /^Held: network borealis of night; its 25 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30 at the latest$/,
      ],
    ],
    [
      'prices in pence',
      (site) =>
        void edit(
          site,
          NIGHT,
          eachRow((row) => ({ ...row, monthlyCost: times(row['monthlyCost'], 100) })),
        ),
      [
        /^Quarantined: 100 records of night, the first at feeds\/night\/deals\.csv:2: monthlyCost: expected at most 300\.00, got "1550\.00" and the like; tell the feed; raise the ceiling only where such a price is real$/,
        /^Held: .*the rest.* of night; its 100 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30 at the latest$/,
      ],
    ],
    [
      'two offers under each id',
      (site) =>
        void edit(
          site,
          NIGHT,
          lines((all) => [...all, ...all.map((row) => row.replace(',24,', ',12,'))]),
        ),
      [
        /^Quarantined: 200 records of night, .+: dealId: expected one deal with this id /,
        /^Held: .+ of night; its 100 deals/,
      ],
    ],
    [
      'a page of HTML',
      (site) => void edit(site, NIGHT, () => '<html></html>\n'),
      [/^Not read: feeds\/night\/deals\.csv[^;]*<html>[^;]*; [^;]+$/, /^Held: night; its 100 deals of /],
    ],
    [
      'no file',
      (site) => rmSync(join(site.folder, NIGHT)),
      [
        /^Missing: night has no file: expected a file that matches feeds\/night\/\*; put the file there, /,
        /^Held: night; its 100 deals of 2026-11-20 02:30 are served until 2026-11-22 02:30 at the latest$/,
      ],
    ],
  ])('%s', async (_, damage, expected) => {
    const site = await createGateSite();
    await site.build();
    damage(site);
    const second = await site.build({ now: later(24) });
    expect(statusOf(second)).toBe(4);
    expect(second.attention).toHaveLength(expected.length);
    expected.forEach((line, i) => expect(second.attention[i]).toMatch(line));
    expect(describeBuild(second).slice(0, expected.length)).toEqual(second.attention);
  });

  it('a CMS file that is broken at line 2, before its gates', async () => {
    const site = await createGateSite();
    await site.build();
    edit(site, 'cms/site.json', (text) => text.replace('{', '{\n"products": [}], '));
    const second = await site.build({ now: later(24) });
    expect(statusOf(second)).toBe(3);
    const [first, ...rest] = describeForOperator(second);
    expect(first).toMatch(
      /^Refused: Not read: cms\/site\.json:2: expected .+, got .+; correct it there, or export it again\. Nothing was published /,
    );
    expect(rest).toEqual([]);
    expect(describeBuild(second).join('\n')).not.toMatch(/unknown-retailer|gate lost|names and ids without/);
  });
});

it('why a source was not read is what ended the reading, not what was noted before it', () => {
  const site = { name: 'site', kind: 'cms', state: 'failed' } as SourceReport;
  const gate: GateResult = { gate: 'unread:site', state: 'refused', detail: 'the source could not be read' };
  const notices: readonly Notice[] = [
    { code: 'unknown-column', source: 'site', file: 'cms/phones.csv', line: 1, field: 'Notes' },
    {
      code: 'source-malformed',
      source: 'site',
      file: 'cms/phones.csv',
      line: 2,
      found: 'cms/phones.csv:2: expected a quote',
    },
  ];
  expect(listRefusal({ gates: [gate], sources: [site], notices, writeAccepting: String })).toEqual({
    attention: ['Not read: cms/phones.csv:2: expected a quote; correct it there, or export it again'],
    accept: [],
  });
});
