import type { CmsSummary } from '../../data/report/report.ts';
import type { GateSettings } from '../config/gate-settings.ts';
import type { CatalogueRecords } from '../records/catalogue.ts';
import type { GateName } from './gates.ts';
import { measureShare, widenForChurn, widenTolerance, writeCount, type Measure } from './measure.ts';
import { describeRecords, type ComparedRecords, type RecordFacts } from './record-facts.ts';
import type { KnownSnapshot } from './served-snapshot.ts';

/** A source of the CMS, beside the same source of the snapshot being served. */
interface CmsSource {
  readonly before: CmsSummary;
  /** Undefined when the source is not read. */
  readonly now: CmsSummary | undefined;
  /** The days since the source was read. */
  readonly days: number;
  readonly records: CatalogueRecords;
}

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

/** Measures a source of the CMS. What fails a gate refuses the build; `said` is what changed below the limits. */
export function measureCms(
  { before, now, days, records }: CmsSource,
  served: KnownSnapshot,
  settings: GateSettings,
): { readonly measures: readonly (readonly [GateName, readonly Measure[]])[]; readonly said: readonly string[] } {
  const measureLeft = (had: number, has: number, what: string): readonly Measure[] =>
    had < (has === 0 ? MIN_EMPTIED : settings.minRows)
      ? []
      : [measureShare(Math.max(0, had - has), had, widenForChurn(settings.maxLost, had, days), what)];
  const lost = LISTS.flatMap(([list, name]) => measureLeft(before[list], now?.[list] ?? 0, `${name} are gone`));
  const keptShare = Math.min(1, (now?.products ?? 0) / Math.max(1, before.products));
  const emptied = GROUPS.flatMap((group) =>
    measureLeft(Math.round(before[group] * keptShare), now?.[group] ?? 0, `products have lost their ${group}`),
  );
  const [products, ...suppliers] = (['products', 'networks', 'retailers'] as const).map((kind) =>
    pairRecords(kind, before.name, records, served),
  ) as [RecordDrift, ...RecordDrift[]];
  return {
    measures: [
      ['lost', lost],
      ['emptied', emptied],
      ['renumbered', measureRenumberedProducts(before.products, products, settings)],
      ['changed', [products, ...suppliers].flatMap((drift) => measureDrift(drift, settings))],
    ],
    said: [
      ...[products, ...suppliers].flatMap((drift) => saySwapped(before.name, drift)),
      ...sayWhatChanged(before.name, products, settings),
    ],
  };
}

/** Records of a kind that have the id of a record before: as they were, and as they are. */
interface RecordDrift {
  readonly kind: keyof ComparedRecords;
  readonly count: number;
  readonly pairs: readonly { readonly before: RecordFacts; readonly now: RecordFacts }[];
  /** All records of the snapshot being served. */
  readonly known: readonly RecordFacts[];
}

function pairRecords(
  kind: RecordDrift['kind'],
  source: string,
  records: CatalogueRecords,
  served: KnownSnapshot,
): RecordDrift {
  const known = served.records[kind];
  const own = records[kind].filter(({ origin }) => origin.source === source).map(({ record }) => record);
  const pairs = [...describeRecords(own)].flatMap(([key, now]) => {
    const before = known.get(key);
    return before === undefined ? [] : [{ before, now }];
  });
  return { kind, count: own.length, pairs, known: [...known.values()] };
}

function measureRenumberedProducts(
  before: number,
  { count, pairs }: RecordDrift,
  { minRows, maxRenumbered }: GateSettings,
): readonly Measure[] {
  const expected = Math.min(before, count);
  if (expected === 0 || before < minRows) return [];
  return [
    measureShare(Math.max(0, expected - pairs.length), expected, maxRenumbered, 'products came under another id'),
  ];
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
function measureDrift(drift: RecordDrift, settings: GateSettings): readonly Measure[] {
  const { kind, pairs } = drift;
  const count = pairs.length;
  if (count < (kind === 'products' ? settings.minRows : MIN_SUPPLIERS)) return [];
  const renamed = pairs.filter(({ before, now }) => before.name !== now.name || before.slug !== now.slug);
  const few = Math.max(MAX_SWAPPED_SHARE, MAX_SWAPPED / count);
  return [
    measureShare(
      renamed.length,
      count,
      Math.max(widenTolerance(settings.maxChanged, count), MAX_SWAPPED / count),
      `${kind} have another name or slug`,
    ),
    measureShare(countSwapped(drift), count, few, `${kind} have the name or slug of another`),
    ...SHARED.map(([fact, name]) =>
      measureShare(countMoved(pairs, fact), count, few, `${kind} have the ${name} of another`),
    ),
  ];
}

/** How many records have a name or a slug that was that of another. */
function countSwapped({ pairs, known }: RecordDrift): number {
  const [names, slugs] = [new Set(known.map(({ name }) => name)), new Set(known.map(({ slug }) => slug))];
  return pairs.filter(
    ({ before, now }) =>
      (before.name !== now.name && names.has(now.name)) || (before.slug !== now.slug && slugs.has(now.slug)),
  ).length;
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

/** A swap of two is below the limit of its gate: the build says so, with status 4. */
function saySwapped(source: string, drift: RecordDrift): readonly string[] {
  const count = countSwapped(drift);
  return count < MAX_SWAPPED
    ? []
    : [`Names: ${count} ${drift.kind} of ${source} have the name or slug that another had`];
}

/** Makers, texts or specs of many products that are others: the build says so, with status 4. */
function sayWhatChanged(source: string, { pairs }: RecordDrift, settings: GateSettings): readonly string[] {
  if (pairs.length < settings.minRows) return [];
  const limit = pairs.length * widenTolerance(settings.maxChanged, pairs.length);
  return SHARED.flatMap(([fact, name]) => {
    const changed = pairs.filter(({ before, now }) => before[fact] !== now[fact] && before[fact] !== '').length;
    if (changed <= limit) return [];
    return [`Products: ${writeCount(changed)} of ${writeCount(pairs.length)} products of ${source} have other ${name}`];
  });
}
