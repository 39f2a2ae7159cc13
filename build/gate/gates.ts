import { formatPence } from '../../data/record/amount.ts';
import type { FieldCount, RowCounts } from '../../data/report/report.ts';

import type { BuildConfig, GateSettingName, GateSettings } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ConfigError } from '../source/errors.ts';
import { quote } from '../source/quote.ts';
import type { SourceState } from '../source/record.ts';
import { measureCounts, measureRecords, measureRenumberedProducts, type ComparedSource } from './compare-cms.ts';
import { EXTRAS, isWhole, TELLING, type Measured, type PartName } from './compare-feed.ts';
import {
  findExceeded,
  formatPercent,
  measureMove,
  measureShare,
  significantMajority,
  widenForChurn,
  widenTolerance,
  writeCount,
  type Measure,
} from './limits.ts';
import type { KnownSnapshot, ServedSnapshot } from './served-snapshot.ts';

/** The records in scope of a source, or of a retailer in it. */
export interface ComparedCounts {
  readonly before: RowCounts;
  readonly now: RowCounts;
}

/** The deals of a part, without those of held parts in it. */
export interface ComparedPart extends PartName, Measured {
  /** The days since the deals before were found in the feed. */
  readonly days: number;
  /** Of a feed, and of a retailer in it. */
  readonly counts?: ComparedCounts | undefined;
}

/** What a build must pass before it is published, or a part of a feed before it is served. */
export interface Gate {
  readonly of: 'feeds' | 'feeds and CMS' | 'feeds, CMS and catalogue' | 'sources' | 'catalogue';
  /** The limit, in `gates` of the configuration. */
  readonly setting?: GateSettingName;
  readonly fails: string;
  /** Measures a part of a feed: none where there is too little to compare. */
  readonly ofPart?: (part: ComparedPart, settings: GateSettings) => readonly Measure[];
  /** The same of a CMS source. */
  readonly ofCms?: (source: ComparedSource, settings: GateSettings) => readonly Measure[];
}

/** The price in the middle tells something where so many of the same deals have moved. */
const MANY_MOVED = 1 / 3;

/** Fewer deals for another phone, or with another deal's link, are a correction by an editor or a feed. */
export const MIN_MISLED = 5;
const MAX_MISLED = 0.02;

/** What fewer than most deals shared, and nearly all share now, tells deals apart no longer. */
const MOST = 0.5;
export const NEARLY_ALL = 0.9;

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
    ofPart: ({ before, now, found, days }, { maxLost }) => {
      // A deal that has gone to another part is changed.
      const lost = Math.max(0, before.count - Math.max(now.count, found));
      return [measureShare(lost, before.count, widenForChurn(maxLost, before.count, days), 'deals are gone')];
    },
    ofCms: (source, settings) => measureCounts('lost', source, settings),
  },
  renumbered: {
    of: 'feeds and CMS',
    setting: 'maxRenumbered',
    fails: 'a larger share of the deals of a feed or retailer, or of the products of a CMS, comes under another key',
    // Deals under new keys are lost and gained at once, which no count shows. Keys belong to retailers.
    ofPart: ({ network, before, now, drift }, { maxRenumbered }) => {
      const expected = Math.min(before.count, now.count);
      if (network !== undefined || expected === 0) return [];
      const lost = Math.max(0, expected - drift.count);
      return [measureShare(lost, expected, maxRenumbered, 'deals came under another key')];
    },
    ofCms: measureRenumberedProducts,
  },
  moved: {
    of: 'feeds',
    setting: 'maxMoved',
    fails:
      'most of the same deals have moved further in total, monthly or upfront cost, or the price in their middle has',
    ofPart: (part, { maxMoved, minRows }) => {
      const { drift, findMiddle } = part;
      const { count } = drift;
      if (count < minRows / 2) return [];
      const most = significantMajority(count, !isWhole(part));
      const same = `${writeCount(count)} same deals`;
      const createMeasure = (measured: number, what: string): Measure => ({
        measured,
        limit: maxMoved,
        detail: `the ${what}, at most ${formatPercent(maxMoved)} is allowed`,
      });
      return (['total', 'monthly', 'upfront'] as const).flatMap((cost) => {
        const move = drift.movedBy(cost, most);
        const ofMost = `${cost} cost of ${formatPercent(most)} of ${same} moved by ${formatMove(move)} or more`;
        const measures = [createMeasure(move, ofMost)];
        // An upfront cost is nothing for many deals: its middle says little.
        if (cost !== 'upfront' && drift.movedBy(cost, widenTolerance(MANY_MOVED, count)) > maxMoved) {
          const [before, now] = findMiddle(cost);
          const middle = measureMove(before, now);
          const fromTo = `from ${formatPence(before)} to ${formatPence(now)}, by ${formatMove(middle)}`;
          measures.push(createMeasure(middle, `median ${cost} cost of ${same} moved ${fromTo}`));
        }
        return measures;
      });
    },
  },
  changed: {
    of: 'feeds and CMS',
    setting: 'maxChanged',
    fails:
      'a larger share of the same deals is for another phone, network, kind of contract, length, allowance, gift, cashback or site; or 2 % or more are for another phone, or have the link of another deal; or the records of a CMS have another name or slug under their id, or products have the maker, texts or specs that another had',
    ofPart: (part, { maxChanged, minRows }) => {
      const { drift, takenLinks, days } = part;
      const { count, changed } = drift;
      if (count < minRows / 2) return [];
      const few = Math.max(MAX_MISLED, (MIN_MISLED - 1) / count);
      const many = widenTolerance(maxChanged, count, days);
      return [
        measureShare(changed.phone, count, few, 'same deals are for another phone'),
        measureShare(takenLinks, count, few, 'same deals have the link of another deal'),
        measureShare(changed.offerOrSite, count, many, 'same deals offer something else'),
        ...EXTRAS.flatMap((extra) => {
          const extras = drift.countExtra(extra);
          // One offer may end on the day on which another begins, at a whole retailer.
          const limit = Math.max(2 * maxChanged, significantMajority(extras.had, !isWhole(part)));
          return extras.had < minRows / 2
            ? []
            : [measureShare(extras.changed, extras.had, limit, `${extra}s are others`)];
        }),
      ];
    },
    ofCms: measureRecords,
  },
  emptied: {
    of: 'feeds and CMS',
    fails:
      'a field that was filled in 5 % of the records is in none; or products have lost their texts, specs or pictures',
    ofCms: (source, settings) => measureCounts('emptied', source, settings),
  },
  'same-for-all': {
    of: 'feeds',
    fails: 'link, name of the plan, total or monthly cost told deals apart, and are the same for nearly all',
    ofPart: ({ before, now }, { minRows }) => {
      if (now.count < minRows) return [];
      return TELLING.flatMap(([fact, what]) => {
        const measured = now.most[fact];
        const detail = `${formatPercent(measured)} of ${writeCount(now.count)} deals have one ${what}`;
        return before.most[fact] > MOST ? [] : [{ measured, limit: NEARLY_ALL, detail }];
      });
    },
  },
  quarantined: {
    of: 'feeds and CMS',
    setting: 'maxQuarantined',
    fails: 'the share of the quarantined records of a source or retailer has risen by more',
    ofPart: ({ counts }, settings) => measureQuarantined(counts, settings),
  },
  duplicates: {
    of: 'feeds',
    setting: 'maxDuplicates',
    fails: 'the share of the duplicates of a feed or retailer has risen by more',
    ofPart: ({ counts }, { maxDuplicates, minRows }) => measureRise(counts, 'duplicate', maxDuplicates, minRows),
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

/** Infinite where something came of nothing. */
function formatMove(measured: number): string {
  return measured === Infinity ? 'all of it' : formatPercent(measured);
}

export function measureQuarantined(
  counts: ComparedCounts | undefined,
  { maxQuarantined, minRows }: GateSettings,
): readonly Measure[] {
  return measureRise(counts, 'quarantined', maxQuarantined, minRows);
}

/** The share of quarantined records, or of rows that come twice, also under another id. */
function measureRise(
  counts: ComparedCounts | undefined,
  what: 'quarantined' | 'duplicate',
  maxRise: number,
  minRows: number,
): readonly Measure[] {
  if (counts === undefined || counts.now.rows < minRows) return [];
  const { before, now } = counts;
  const shareBefore = before[what] / Math.max(1, before.rows);
  const limit = Math.min(1, shareBefore + widenTolerance(maxRise, now.rows));
  const text = what === 'duplicate' ? 'records are duplicates' : 'records are quarantined';
  const measure = measureShare(now[what], now.rows, limit, text);
  return [{ ...measure, detail: `${measure.detail}; ${formatPercent(shareBefore)} before` }];
}

/** A field that fewer records fill may be empty on any day. */
const MIN_FILLED_SHARE = 0.05;

/**
 * Finds the fields that a source had, and that no record has now: a column that was renamed, or is no longer exported
 * (INPUTS "A field that is gone").
 */
export function measureFields(
  { name, kind, adapter, fields = [] }: SourceState,
  served: KnownSnapshot,
  minRows: number,
): readonly Measure[] {
  const before = served.report.summary.fields.find(({ source }) => source === name)?.fields ?? [];
  if (served.manifest.sources.find((source) => source.name === name)?.adapter !== adapter) return [];
  const isFilled = new Set(fields.filter(({ filled }) => filled > 0).map(({ field }) => field));
  // When no record of a list was read at all, other gates refuse.
  const groupOf = ({ field }: FieldCount): string => (kind === 'cms' ? (field.split('.')[0] as string) : '');
  const read = new Set(fields.map(groupOf));
  const leastOf = ({ records }: FieldCount): number => Math.max(1, minRows, MIN_FILLED_SHARE * records);
  const [gone, ...others] = before
    .filter((count) => count.filled >= leastOf(count) && !isFilled.has(count.field) && read.has(groupOf(count)))
    .sort((a, b) => b.filled - a.filled);
  if (gone === undefined) return [];
  const nameOf = ({ field, name: called = field }: FieldCount): string => called;
  const more = others.length === 0 ? '' : `; so are ${others.map(nameOf).join(', ')}`;
  const detail = `${nameOf(gone)} was filled in ${writeCount(gone.filled)} of ${writeCount(gone.records)} records, now in none${more}`;
  return [{ measured: 1 + others.length, limit: 0, detail }];
}

/** The gates that fail, in the order of the table, each with its worst measure. */
export function findFailing(
  measure: (gate: Gate, name: GateName) => readonly Measure[] | undefined,
): readonly (Measure & { readonly gate: GateName })[] {
  return GATE_NAMES.flatMap((gate) => {
    const worst = findExceeded(measure(GATES[gate], gate) ?? []);
    return worst === undefined ? [] : [{ gate, ...worst }];
  });
}

/** What `--accept` may name besides: prices that are held out, and files of an earlier night. */
const OTHER_ACCEPTABLE = ['price-jump', 'old-file'] as const;
const ACCEPTABLE: readonly string[] = [...GATE_NAMES, ...OTHER_ACCEPTABLE];

/** Whether the operator lets a gate pass once, for a source or for the catalogue. */
export type IsAccepted = (gate: GateName | (typeof OTHER_ACCEPTABLE)[number], source?: string) => boolean;

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
