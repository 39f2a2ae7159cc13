import { describe, expect, it } from 'vitest';
import {
  writeAcceptCommand,
  writeAcceptFeedCommands,
  writeBuildCommand,
  type GivenOptions,
} from '../../../../build/report/build-result.ts';
import type { GateResult, SourceReport } from '../../../../data/report/report.ts';

const gate = (name: string, state: GateResult['state'], measured = 0.5): GateResult => ({
  gate: name,
  state,
  detail: 'x',
  measured,
  limit: 0.1,
});

const source = (name: string, state: SourceReport['state'] = 'fresh'): SourceReport => ({
  name,
  kind: 'feed',
  adapter: 'deals',
  state,
  files: [],
  read: 100,
  kept: 100,
  duplicate: 0,
  outOfScope: 0,
  quarantined: 0,
});

const SOURCES = [source('house'), source('night')];

describe('the command that builds again', () => {
  it.each<[GivenOptions, string]>([
    [{}, 'deals build'],
    [{ config: 'sub/cat.json' }, 'deals build --config sub/cat.json'],
    [{ store: 'dist/catalogue' }, 'deals build --store dist/catalogue'],
    [{ config: 'my shop/cat.json' }, "deals build --config 'my shop/cat.json'"],
    [{ store: "Ann's $HOME" }, String.raw`deals build --store 'Ann'\''s $HOME'`],
    [{ store: '' }, "deals build --store ''"],
    [{ now: new Date('2026-11-21T00:00:00Z') }, 'deals build --now 2026-11-21T00:00:00.000Z'],
  ])('of %j is %s', (given, command) => {
    expect(writeBuildCommand(given)).toBe(command);
  });
});

describe('the command that publishes all the same', () => {
  it('accepts what is refused, and what was accepted before', () => {
    const gates = [gate('lost-deals:house', 'refused'), gate('currency', 'accepted'), gate('lost-products', 'passed')];
    expect(writeAcceptCommand({ config: 'c.json', accept: ['currency'] }, { gates, sources: SOURCES })).toBe(
      'deals build --config c.json --accept currency --accept lost-deals:house',
    );
  });

  it('is none where nothing is refused', () => {
    const gates = [gate('currency', 'accepted'), gate('lost-deals:house', 'held')];
    expect(writeAcceptCommand({}, { gates, sources: SOURCES })).toBeUndefined();
  });

  it.each<[string, readonly GateResult[], readonly SourceReport[], boolean]>([
    ['fewer deals in all', [gate('lost-deals', 'refused')], SOURCES, true],
    ['another currency', [gate('currency', 'refused')], SOURCES, true],
    ['a required source that was not read', [gate('required-source:house', 'refused')], SOURCES, false],
    ['no product', [gate('no-products', 'refused'), gate('lost-products', 'refused', 1)], SOURCES, false],
    ['no deal left of all', [gate('lost-deals', 'refused', 1)], SOURCES, false],
    [
      'no deal left of any feed',
      [gate('lost-deals:house', 'refused', 1)],
      SOURCES.map((source) => ({ ...source, kept: 0, duplicate: 0 })),
      false,
    ],
    ['no product left of all', [gate('lost-products', 'refused', 1)], SOURCES, false],
    [
      'a served snapshot that cannot be read, while all sources can',
      [gate('unreadable-snapshot', 'refused')],
      SOURCES,
      true,
    ],
    [
      'a served snapshot that cannot be read, and a feed that cannot either',
      [gate('unreadable-snapshot', 'refused')],
      [source('house'), source('night', 'failed')],
      false,
    ],
    [
      'one of them that can be accepted and one that cannot',
      [gate('currency', 'refused'), gate('required-source:house', 'refused')],
      SOURCES,
      false,
    ],
  ])('is offered only where a person may want it: %s', (_, gates, sources, isOffered) => {
    expect(writeAcceptCommand({}, { gates, sources }) !== undefined).toBe(isOffered);
  });
});

describe('the commands that take held feeds as they are', () => {
  it('accept every gate that holds the feed, and are none for a feed of which nothing would be left', () => {
    const gates = [
      gate('lost-deals:house', 'held', 1),
      gate('quarantined:house', 'held'),
      gate('lost-deals:night', 'held'),
      gate('duplicates:night', 'held'),
    ];
    expect([...writeAcceptFeedCommands({ store: 's' }, { gates, sources: SOURCES })]).toEqual([
      ['night', 'deals build --store s --accept lost-deals:night --accept duplicates:night'],
    ]);
  });
});
