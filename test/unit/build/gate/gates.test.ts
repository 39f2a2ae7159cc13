import { describe, expect, it } from 'vitest';
import { gateSettingsSchema } from '../../../../build/config/config.ts';
import type { PartName } from '../../../../build/gate/compare-feed.ts';
import {
  GATE_NAMES,
  GATES,
  parseAcceptances,
  type ComparedPart,
  type Gate,
  type GateName,
} from '../../../../build/gate/gates.ts';
import { findExceeded, type Measure } from '../../../../build/gate/limits.ts';
import { ConfigError } from '../../../../build/source/errors.ts';
import { comparePairs, type Deal, type Pairs } from './deal-pairs.ts';

/** Deals with links and prices of their own, which cost something upfront. */
function dealAt(i: number): Deal {
  return { link: i, plan: `Plan ${i}`, upfront: 4_900, monthly: 1_500 + i, total: 40_900 + 24 * i };
}

interface Part extends Pairs, Partial<Pick<ComparedPart, 'retailer' | 'network' | 'days' | 'counts'>> {}

function measure(gate: GateName, part: Part): readonly Measure[] {
  const { retailer, network, days = 1, counts } = part;
  const { ofPart }: Gate = GATES[gate];
  const comparison = comparePairs(part);
  const compared = { ...comparison.measure(comparison.cells), retailer, network, days, counts };
  return ofPart?.(compared, gateSettingsSchema.parse({})) ?? [];
}

function failing(gate: GateName, part: Part): Measure | undefined {
  return findExceeded(measure(gate, part));
}

type MakePart = (count: number) => Part;

/** `size` deals of before, of which `count` are changed. */
function change(
  size: number,
  changed: (deal: Deal, i: number) => Deal | null,
  first = dealAt,
  parts: Partial<Part> = {},
): MakePart {
  return (count) => {
    const before = Array.from({ length: size }, (_, i) => first(i));
    return { ...parts, before, now: before.map((deal, i) => (i < count ? changed(deal, i) : deal)) };
  };
}

const gone = (): null => null;
const dearer = (deal: Deal, i: number): Deal => {
  const factor = i % 2 === 0 ? 1.2 : 1 / 1.2;
  return {
    ...deal,
    total: Math.round(Number(deal.total) * factor),
    monthly: Math.round(Number(deal.monthly) * factor),
  };
};

const withGift = (i: number): Deal => ({
  ...dealAt(i),
  ...(i < 40 ? { gift: 'Buds', cashback: '3000 Automatic' } : {}),
});
const counted =
  (what: 'quarantined' | 'duplicate', before = 0): MakePart =>
  (count) => ({
    before: [dealAt(0)],
    now: [dealAt(0)],
    counts: {
      before: { rows: 100, quarantined: 0, duplicate: 0, [what]: before },
      now: { rows: 100, quarantined: 0, duplicate: 0, [what]: count },
    },
  });

describe('a gate fails at so many deals, and not at one less', () => {
  it.each<[gate: GateName, what: string, fails: number, part: MakePart, detail?: RegExp]>([
    [
      'lost',
      'of 20, where chance is larger',
      8,
      change(20, gone),
      /^8 of 20 deals are gone \(40 %, at most 35\.4 %\)$/,
    ],
    ['lost', 'of 100', 16, change(100, gone)],
    ['lost', 'of 1,000', 101, change(1_000, gone)],
    ['lost', 'of 1,000 after 16 days', 201, change(1_000, gone, dealAt, { days: 16 })],
    ['lost', 'of 1,000 after a year: half a file is never chance', 451, change(1_000, gone, dealAt, { days: 365 })],
    [
      'renumbered',
      'come under another key',
      51,
      (count) => ({ ...change(100, gone)(count), come: Array.from({ length: count }, (_, i) => dealAt(200 + i)) }),
      /^51 of 100 deals came under another key/,
    ],
    ['moved', 'of a feed, up and down', 60, change(100, dearer), /of 60 % of 100 same deals moved by /],
    ['moved', 'of a part: it is one of many', 70, change(100, dearer, dealAt, { network: 'o2' })],
    [
      'moved',
      'that cost nothing upfront now',
      60,
      change(100, (deal) => ({ ...deal, upfront: 0 })),
      /^the upfront cost of .+ moved by all of it or more/,
    ],
    [
      'moved',
      'to the other side of the middle',
      34,
      change(
        100,
        (deal) => ({ ...deal, total: 400 }),
        (i) => ({ total: i < 60 ? 300 : 400 }),
      ),
      /^the median total cost of 100 same deals moved from 3\.00 to 4\.00, by 33\.3 %, at most 10 % is allowed$/,
    ],
    [
      'changed',
      'for another phone',
      5,
      change(100, (deal) => ({ ...deal, product: '102/new' })),
      /5 of 100 same deals are for another phone/,
    ],
    ['changed', 'for another phone, of 1,000', 21, change(1_000, (deal) => ({ ...deal, product: '102/new' }))],
    [
      'changed',
      'with the link of a deal of another retailer',
      5,
      (count) => ({
        ...change(100, gone)(count),
        come: Array.from({ length: count }, (_, i) => ({ ...dealAt(i), retailer: '32' })),
      }),
      /5 of 95 same deals have the link of another/,
    ],
    ['changed', 'with the link of another deal', 5, change(100, (deal, i) => ({ ...deal, link: i === 4 ? 0 : i + 1 })), /5 of 100 same deals have the link of another/], // prettier-ignore
    ...(
      [
        { network: '22' },
        { offer: 'contract 12' },
        { site: 'other.example' }, // prettier-ignore
      ] satisfies Deal[]
    ).map((other): [GateName, string, number, MakePart, RegExp] => [
      'changed',
      JSON.stringify(other),
      26,
      change(100, (deal) => ({ ...deal, ...other })),
      /^26 of 100 same deals offer something else/,
    ]),
    [
      'changed',
      'another gift, of 40',
      27,
      change(100, (deal) => ({ ...deal, gift: 'Mug' }), withGift),
      /^27 of 40 gifts are others/,
    ],
    ['changed', 'another cashback, of 40', 27, change(100, (deal) => ({ ...deal, cashback: '9 x' }), withGift)],
    [
      'changed',
      'gifts that have gone to other deals',
      19,
      (count) => {
        const before = Array.from({ length: 100 }, (_, i) => withGift(i));
        const now = before.map((deal, i) =>
          i < count ? { ...deal, gift: '' } : i >= 60 && i < 60 + count ? { ...deal, gift: 'Buds' } : deal,
        );
        return { before, now };
      },
      /^38 of 59 gifts are others/,
    ],
    [
      'same-for-all',
      'one link',
      91,
      change(100, (deal) => ({ ...deal, link: 0 })),
      /^91 % of 100 deals have one link$/,
    ],
    ['same-for-all', 'one plan', 91, change(100, (deal) => ({ ...deal, plan: 'Plan 0' }))],
    ['same-for-all', 'one total', 91, change(100, (deal) => ({ ...deal, total: 40_900 }))],
    ['same-for-all', 'one monthly cost', 91, change(100, (deal) => ({ ...deal, monthly: 1_500 }))],
    ['quarantined', 'of 100', 23, counted('quarantined'), /^23 of 100 records are quarantined \(23 %, at most 22 %\); 0 % before$/], // prettier-ignore
    ['quarantined', 'of 100, where 30 were before', 53, counted('quarantined', 30)],
    ['duplicates', 'of 100', 23, counted('duplicate')],
  ])('%s: %s, %i', (gate, _, fails, part, detail = /./) => {
    expect(failing(gate, part(fails))?.detail).toMatch(detail);
    expect(failing(gate, part(fails - 1))).toBeUndefined();
  });

  it.each<[gate: GateName, what: string, part: Part]>([
    ['lost', 'more deals than before', { before: [dealAt(0)], now: [dealAt(0)], come: [dealAt(1), dealAt(2)] }],
    ['changed', 'the name of the plan', change(100, (deal) => ({ ...deal, plan: 'Other' }))(100)],
    ['changed', 'gifts that end', change(100, (deal) => ({ ...deal, gift: '' }), withGift)(40)],
    ['changed', 'gifts that begin', change(100, (deal) => ({ ...deal, gift: 'Buds' }))(100)],
    ['changed', 'links of their own that are new', change(100, (deal, i) => ({ ...deal, link: 500 + i }))(100)],
    [
      'changed',
      'links under new ids of the same retailer',
      { ...change(100, gone)(40), come: Array.from({ length: 40 }, (_, i) => dealAt(i)) },
    ],
    ['changed', 'the page of another deal of the phone', change(100, (deal) => ({ ...deal, link: 0 }))(100)],
    [
      'changed',
      'the product, which the CMS has split in two',
      {
        ...change(100, (deal) => ({ ...deal, product: '102/new' }))(20),
        isKnownProduct: (product) => product === '101/new',
      },
    ],
    ['same-for-all', 'what most deals had', change(100, (deal) => ({ ...deal, link: 0 }), (i) => ({ link: i < 51 ? 0 : i }))(100)], // prettier-ignore
  ])('%s lets pass: %s', (gate, _, part) => {
    expect(failing(gate, part)).toBeUndefined();
  });

  it.each<[gate: GateName, part: PartName, size: number]>([
    ['renumbered', { network: 'o2' }, 100],
    ['renumbered', { network: 'o2', retailer: 'tello' }, 100],
    ['moved', {}, 9],
    ['changed', {}, 9],
    ['same-for-all', {}, 19],
    ['quarantined', { network: 'o2' }, 100],
  ])('%s says nothing of %j with %i deals', (gate, part, size) => {
    expect(measure(gate, change(size, (deal) => deal, dealAt, part)(size))).toEqual([]);
  });
});

describe('--accept', () => {
  const anyGate = `expected <gate> or <gate>:<source> with a gate of ${[...GATE_NAMES, 'price-jump', 'old-file'].join(', ')}`;
  it.each([
    ['lose', anyGate],
    ['quarantined:house:x', anyGate],
    ['quarantined:hose', 'expected a source of house, awin'],
    ['currency:house', 'expected currency without a source'],
  ])('refuses %j', (word, expected) => {
    const error = new ConfigError([`--accept: ${expected}, got ${JSON.stringify(word)}`]);
    expect(() => parseAcceptances([word], ['house', 'awin'])).toThrow(error);
  });
});
