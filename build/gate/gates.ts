import type { BuildConfig, GateSettingName } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ConfigError } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
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
import type { ServedSnapshot } from './served-snapshot.ts';

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

/** What `--accept` may name besides: prices that are held out, and files of an earlier night. */
const OTHER_ACCEPTABLE = ['price-jump', 'old-file'] as const;

type AcceptableName = GateName | (typeof OTHER_ACCEPTABLE)[number];

const ACCEPTABLE: readonly string[] = [...GATE_NAMES, ...OTHER_ACCEPTABLE];

/** Whether the operator lets a gate pass once, for a source or for the catalogue. */
export type IsAccepted = (gate: AcceptableName, source?: string) => boolean;

/** What the stages of a build share. */
export interface BuildContext {
  readonly config: BuildConfig;
  /** The time of the build: what is valid today. */
  readonly now: Date;
  readonly isAccepted: IsAccepted;
  readonly served: ServedSnapshot;
  readonly ledger: Ledger;
}

/** What a result is about: `lost:shop` is about one source, `currency` about the whole catalogue. */
export function parseGate(gate: string): { readonly name: string; readonly source: string | undefined } {
  const [name = '', source] = gate.split(':');
  return { name, source };
}

/**
 * Reads the values of `--accept <gate>[:<source>]`.
 * @throws {ConfigError} naming every word that is no gate or no source
 */
export function parseAcceptances(words: readonly string[], sourceNames: readonly string[]): IsAccepted {
  const faults = words.flatMap((word) => {
    const expected = findExpected(word, sourceNames);
    return expected === undefined ? [] : [`--accept: expected ${expected}, got ${quote(word)}`];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return (gate, source) => words.includes(gate) || (source !== undefined && words.includes(`${gate}:${source}`));
}

/** What a word should be, when it is something else. */
function findExpected(word: string, sourceNames: readonly string[]): string | undefined {
  const [gate = '', source, ...rest] = word.split(':');
  if (!ACCEPTABLE.includes(gate) || rest.length > 0) {
    return `<gate> or <gate>:<source> with a gate of ${ACCEPTABLE.join(', ')}`;
  }
  if (source === undefined) return undefined;
  if (gate in GATES && GATES[gate as GateName].of === 'catalogue') return `${gate} without a source`;
  return sourceNames.includes(source) ? undefined : `a source of ${sourceNames.join(', ')}`;
}
