import type { GateSettingName } from '../config/gate-settings.ts';
import {
  measureChanged,
  measureEmptied,
  measureLost,
  measureMoved,
  measureRenumbered,
  measureRise,
  measureSameForAll,
  type MeasurePart,
} from './part-measures.ts';

/** What a build must pass before it is published, or a part of a feed before it is served. */
export interface Gate {
  /** What it looks at besides, or in place of, the parts of feeds. */
  readonly of: 'feeds' | 'feeds and CMS' | 'feeds, CMS and catalogue' | 'sources' | 'catalogue';
  /** The limit, in `gates` of the configuration. */
  readonly setting?: GateSettingName;
  readonly fails: string;
  /** Of a part of a feed. */
  readonly measure?: MeasurePart;
}

/**
 * Every gate, by the name that `--accept` uses (INPUTS "What fails is held, and nothing else"). A part of a feed that
 * fails is held; all else refuses the build.
 */
export const GATES = {
  lost: {
    of: 'feeds, CMS and catalogue',
    setting: 'maxLost',
    fails:
      'a larger share of the deals of a part is gone; or of the products, networks, retailers or gifts of a CMS; or of all deals',
    measure: measureLost,
  },
  renumbered: {
    of: 'feeds and CMS',
    setting: 'maxRenumbered',
    fails: 'a larger share of the deals of a feed or retailer, or of the products of a CMS, comes under another key',
    measure: measureRenumbered,
  },
  moved: {
    of: 'feeds',
    setting: 'maxMoved',
    fails:
      'most of the same deals have moved further in total, monthly or upfront cost, or the price in their middle has',
    measure: measureMoved,
  },
  changed: {
    of: 'feeds and CMS',
    setting: 'maxChanged',
    fails:
      'a larger share of the same deals is for another phone, network, kind of contract, length, allowance, gift, cashback or site; or 2 % or more are for another phone, or have the link of another deal; or the records of a CMS have another name or slug under their id, or products have the maker, texts or specs that another had',
    measure: measureChanged,
  },
  emptied: {
    of: 'feeds and CMS',
    fails:
      'a field that was filled in 5 % of the records is in none; or nearly all deals that cost something upfront, or have a limit on their data, have it no longer; or products have lost their texts, specs or pictures',
    measure: measureEmptied,
  },
  'same-for-all': {
    of: 'feeds',
    fails: 'link, name of the plan, total or monthly cost, gift or cashback told deals apart, and are one and the same',
    measure: measureSameForAll,
  },
  quarantined: {
    of: 'feeds and CMS',
    setting: 'maxQuarantined',
    fails: 'the share of the quarantined records of a source or retailer has risen by more',
    measure: ({ counts }, { maxQuarantined, minRows }) => measureRise(counts, 'quarantined', maxQuarantined, minRows),
  },
  duplicates: {
    of: 'feeds',
    setting: 'maxDuplicates',
    fails: 'the share of the duplicates of a feed or retailer has risen by more',
    measure: ({ counts }, { maxDuplicates, minRows }) => measureRise(counts, 'duplicate', maxDuplicates, minRows),
  },
  unread: {
    of: 'sources',
    fails: 'a source marked `required`, or a CMS source, is not read',
  },
  'unreadable-snapshot': {
    of: 'catalogue',
    fails: 'the snapshot being served is damaged, so nothing can be compared with it',
  },
  'no-products': { of: 'catalogue', fails: 'there is no product at all' },
  currency: { of: 'catalogue', fails: 'the currency of the catalogue is another' },
} as const satisfies Record<string, Gate>;

export type GateName = keyof typeof GATES;

export const GATE_NAMES = Object.keys(GATES) as readonly GateName[];

/** The gates of a part, in the order of the table. */
export const PART_GATES: readonly { readonly name: GateName; readonly measure: MeasurePart }[] = GATE_NAMES.flatMap(
  (name) => {
    const gate: Gate = GATES[name];
    return gate.measure === undefined ? [] : [{ name, measure: gate.measure }];
  },
);

/** What `--accept` may name besides: prices that are held out, and files of an earlier night. */
export const OTHER_ACCEPTABLE = ['price-jump', 'old-file'] as const;

export type AcceptableName = GateName | (typeof OTHER_ACCEPTABLE)[number];

/** What a result is about: `lost:shop` is about one source, `currency` about the whole catalogue. */
export function parseGate(gate: string): { readonly name: string; readonly source: string | undefined } {
  const [name = '', source] = gate.split(':');
  return { name, source };
}
