import type { CmsSummary } from '../../data/report/summary.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced } from '../source/record.ts';
import type { GateName } from './gates.ts';
import { measureShare, widenForChurn, widenTolerance, writeCount, type Measure } from './measure.ts';
import { COMPARED_KINDS, compareRecords, type DescribedRecord, type RecordFacts } from './record-facts.ts';
import type { KnownSnapshot } from './served-snapshot.ts';

/** A source of the CMS beside the same source of the snapshot being served. */
interface ComparedCms {
  readonly before: CmsSummary;
  /** Undefined when the source is not read. */
  readonly now: CmsSummary | undefined;
  readonly drift: readonly RecordDrift[];
  readonly settings: GateSettings;
  /** The days since the source was read. */
  readonly days: number;
}

/** Records of a kind that have the id of a record before: as they were, and as they are. */
export interface RecordDrift {
  readonly kind: (typeof COMPARED_KINDS)[number];
  readonly count: number;
  readonly pairs: readonly { readonly before: RecordFacts; readonly now: RecordFacts }[];
  /** Names and slugs of the snapshot being served. */
  readonly owned: Readonly<Record<'name' | 'slug', ReadonlySet<string>>>;
}

export function compareCms(source: string, records: CatalogueRecords, served: KnownSnapshot): readonly RecordDrift[] {
  return COMPARED_KINDS.map((kind) => {
    const known = served.records[kind];
    const list: readonly Sourced<DescribedRecord>[] = records[kind];
    const own = list.filter(({ origin }) => origin.source === source);
    const pairs = [...compareRecords(own.map(({ record }) => record))].flatMap(([key, now]) => {
      const before = known.get(key);
      return before === undefined ? [] : [{ before, now }];
    });
    const valuesOf = (fact: 'name' | 'slug') => new Set(Array.from(known.values(), (facts) => facts[fact]));
    return { kind, count: own.length, pairs, owned: { name: valuesOf('name'), slug: valuesOf('slug') } };
  });
}

/** The gates of a source of the CMS: what fails refuses the build. */
export const CMS_GATES: readonly {
  readonly gate: GateName;
  readonly measures: (cms: ComparedCms) => readonly Measure[];
}[] = [
  { gate: 'lost', measures: measureLostRecords },
  { gate: 'emptied', measures: measureEmptiedProducts },
  { gate: 'renumbered', measures: measureRenumberedProducts },
  { gate: 'changed', measures: ({ drift, settings }) => drift.flatMap((kind) => measureDrift(kind, settings)) },
];

/** A shorter list may be emptied by hand. */
const MIN_EMPTIED = 5;

const LISTS = [
  ['products', 'products'],
  ['networks', 'networks'],
  ['retailers', 'retailers'],
  ['gifts', 'gifts'],
  ['giftCategories', 'gift categories'],
] as const;

/** What products have, and lose with the products. */
const GROUPS = ['texts', 'specs', 'pictures'] as const;

function measureLostRecords(cms: ComparedCms): readonly Measure[] {
  return LISTS.flatMap(([list, name]) => measureLeft(cms, cms.before[list], cms.now?.[list] ?? 0, `${name} are gone`));
}

function measureEmptiedProducts(cms: ComparedCms): readonly Measure[] {
  const { before, now } = cms;
  const keptShare = Math.min(1, (now?.products ?? 0) / Math.max(1, before.products));
  return GROUPS.flatMap((group) =>
    measureLeft(cms, Math.round(before[group] * keptShare), now?.[group] ?? 0, `products have lost their ${group}`),
  );
}

function measureLeft({ settings, days }: ComparedCms, before: number, left: number, what: string): readonly Measure[] {
  if (before < (left === 0 ? MIN_EMPTIED : settings.minRows)) return [];
  return [measureShare(Math.max(0, before - left), before, widenForChurn(settings.maxLost, before, days), what)];
}

function measureRenumberedProducts({ before, drift, settings }: ComparedCms): readonly Measure[] {
  const [{ count, pairs }] = drift as readonly [RecordDrift];
  const expected = Math.min(before.products, count);
  if (expected === 0 || before.products < settings.minRows) return [];
  const lost = Math.max(0, expected - pairs.length);
  return [measureShare(lost, expected, settings.maxRenumbered, 'products came under another id')];
}

/** With fewer networks or retailers than this, a share says nothing. */
const MIN_SUPPLIERS = 3;

/** Up to this many records may take what another had: an editor's correction. An editor may rename so many of a few. */
const MAX_SWAPPED = 2;
const MAX_SWAPPED_SHARE = 0.02;

/**
 * Names and slugs under other ids than before: every deal keeps its id, and is shown under the name of another phone,
 * network or shop. A maker, texts or specs that came from another record are the same fault.
 */
function measureDrift({ kind, pairs, owned }: RecordDrift, settings: GateSettings): readonly Measure[] {
  const count = pairs.length;
  if (count < (kind === 'products' ? settings.minRows : MIN_SUPPLIERS)) return [];
  const renamed = pairs.filter(({ before, now }) => before.name !== now.name || before.slug !== now.slug);
  const swapped = renamed.filter(({ before, now }) =>
    (['name', 'slug'] as const).some((fact) => before[fact] !== now[fact] && owned[fact].has(now[fact])),
  );
  const few = Math.max(MAX_SWAPPED_SHARE, MAX_SWAPPED / count);
  return [
    measureShare(
      renamed.length,
      count,
      Math.max(widenTolerance(settings.maxChanged, count), MAX_SWAPPED / count),
      `${kind} have another name or slug`,
    ),
    measureShare(swapped.length, count, few, `${kind} have the name or slug of another`),
    ...SHARED.map(([fact, name]) => measureShare(countMoved(pairs, fact), count, few, `${kind} have the ${name} of another`)), // prettier-ignore
  ];
}

/** Facts that records may share, and copy from each other. */
const SHARED = [
  ['manufacturer', 'makers'],
  ['content', 'texts'],
  ['pageContent', 'texts of their page'],
  ['metaData', 'texts for search engines'],
  ['specs', 'specs'],
] as const satisfies readonly (readonly [keyof RecordFacts, string])[];

/** How many records have what another had and has lost. */
function countMoved(pairs: RecordDrift['pairs'], fact: keyof RecordFacts): number {
  const changed = pairs.filter(({ before, now }) => before[fact] !== now[fact]);
  const lost = new Map<string, number>();
  for (const { before } of changed) lost.set(before[fact], (lost.get(before[fact]) ?? 0) + 1);
  lost.delete('');
  return changed.filter(({ now }) => {
    const left = lost.get(now[fact]) ?? 0;
    lost.set(now[fact], left - 1);
    return left > 0;
  }).length;
}

/** Makers, texts or specs of many products of a source that are others: the build says so, with status 4. */
export function sayWhatChanged(records: CatalogueRecords, served: KnownSnapshot, settings: GateSettings): string[] {
  return served.report.summary.cms.flatMap(({ name: source }) => {
    const [{ pairs }] = compareCms(source, records, served) as readonly [RecordDrift];
    return SHARED.flatMap(([fact, name]) => {
      const changed = pairs.filter(({ before, now }) => before[fact] !== now[fact] && before[fact] !== '').length;
      const isMany = pairs.length >= settings.minRows && changed > pairs.length * widenTolerance(settings.maxChanged, pairs.length); // prettier-ignore
      return isMany
        ? [`Products: ${writeCount(changed)} of ${writeCount(pairs.length)} products of ${source} have other ${name}`]
        : [];
    });
  });
}
