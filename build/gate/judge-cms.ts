import { compareCodeUnits } from '../../data/record/id.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import type { CmsSummary, RowCounts, SourceReport } from '../../data/report/report.ts';
import type { GateSettings } from '../config/config.ts';
import type { CatalogueRecords } from '../records/join-records.ts';
import type { Sourced } from '../source/record.ts';
import { listRecordFacts, type ComparedRecords, type RecordFacts } from './facts.ts';
import type { BuildContext, GateName } from './gates.ts';
import type { JudgedCatalogue } from './judge-catalogue.ts';
import { countDays, measureShare, widenForChurn, widenTolerance, writeCount, type Measure } from './measure.ts';
import { measureFields, measureRise } from './part-measures.ts';
import { findServedSource, type KnownSnapshot } from './served-snapshot.ts';

/** What is counted of a source, and which gate fails, in which words, when much of it is gone. */
const COUNTS = [
  ['products', 'lost', 'products are gone'],
  ['networks', 'lost', 'networks are gone'],
  ['retailers', 'lost', 'retailers are gone'],
  ['gifts', 'lost', 'gifts are gone'],
  ['giftCategories', 'lost', 'gift categories are gone'],
  ['texts', 'emptied', 'products have lost their texts'],
  ['specs', 'emptied', 'products have lost their specs'],
  ['pictures', 'emptied', 'products have lost their pictures'],
] as const satisfies readonly (readonly [keyof CmsSummary, GateName, string])[];

/** What the gates of the next build compare: the counts of each source that has records. */
export function summariseCms({ products, networks, retailers, gifts, giftCategories }: CatalogueRecords): CmsSummary[] {
  const lists: readonly (readonly Sourced<unknown>[])[] = [products, networks, retailers, gifts, giftCategories];
  const names = new Set(lists.flatMap((list) => list.map(({ origin }) => origin.source)));
  return [...names].sort(compareCodeUnits).map((name) => {
    const ownOf = <Record>(list: readonly Sourced<Record>[]) => list.filter(({ origin }) => origin.source === name);
    const own = ownOf(products);
    const countWith = (objectsOf: (record: ProductRecord) => readonly (object | undefined)[]): number =>
      own.filter(({ record }) => objectsOf(record).some((object) => Object.values(object ?? {}).some(Boolean))).length;
    return {
      name,
      products: own.length,
      networks: ownOf(networks).length,
      retailers: ownOf(retailers).length,
      gifts: ownOf(gifts).length,
      giftCategories: ownOf(giftCategories).length,
      texts: countWith(({ content, pageContent }) => [content, pageContent]),
      specs: countWith(({ specs }) => [specs]),
      pictures: countWith(({ images, imageUrls }) => [images, imageUrls]),
    };
  });
}

/** Measures the sources of the CMS. What fails a gate refuses the build; `said` is what changed below the limits. */
export function measureCms(
  { config: { gates: settings }, now }: BuildContext,
  { catalogue: { records }, states, sources }: JudgedCatalogue,
  summaries: readonly CmsSummary[],
  served: KnownSnapshot,
): {
  readonly measured: readonly (readonly [GateName, source: string, readonly Measure[]])[];
  readonly said: readonly string[];
} {
  const measured: [GateName, string, readonly Measure[]][] = [];
  const said: string[] = [];
  for (const before of served.report.summary.cms) {
    const { name } = before;
    const days = countDays(Date.parse(findServedSource(served, name)?.freshAt ?? served.manifest.createdAt), now);
    const summary = summaries.find((each) => each.name === name);
    const products = pairRecords('products', name, records, served);
    const drifts = [
      products,
      ...(['networks', 'retailers'] as const).map((kind) => pairRecords(kind, name, records, served)),
    ];
    measured.push(
      ['lost', name, measureCounts('lost', before, summary, days, settings)],
      ['emptied', name, measureCounts('emptied', before, summary, days, settings)],
      ['renumbered', name, measureRenumberedProducts(before.products, products, settings)],
      ['changed', name, drifts.flatMap((drift) => measureDrift(drift, settings))],
    );
    said.push(...drifts.flatMap((drift) => saySwapped(name, drift)), ...sayWhatChanged(name, products, settings));
  }
  for (const state of states) {
    const { name } = state;
    const [before, after] = [findServedSource(served, name), sources.find((each) => each.name === name)];
    if (state.kind !== 'cms' || state.state !== 'fresh' || before === undefined || after === undefined) continue;
    const countRows = (source: SourceReport): RowCounts => ({ ...source, rows: source.read - source.outOfScope });
    const counts = { before: countRows(before), now: countRows(after) };
    measured.push(
      ['emptied', name, measureFields(state, served, settings.minRows)],
      ['quarantined', name, measureRise(counts, 'quarantined', settings.maxQuarantined, settings.minRows)],
    );
  }
  return { measured, said };
}

/** A shorter list may be emptied by hand. */
const MIN_EMPTIED = 5;

/** @param now undefined when the source is not read */
function measureCounts(
  gate: (typeof COUNTS)[number][1],
  before: CmsSummary,
  now: CmsSummary | undefined,
  days: number,
  { maxLost, minRows }: GateSettings,
): readonly Measure[] {
  // Products lose their texts with themselves.
  const keptShare = gate === 'lost' ? 1 : Math.min(1, (now?.products ?? 0) / Math.max(1, before.products));
  return COUNTS.filter(([, each]) => each === gate).flatMap(([name, , what]) => {
    const [had, has] = [Math.round(before[name] * keptShare), now?.[name] ?? 0];
    if (had < (has === 0 ? MIN_EMPTIED : minRows)) return [];
    return [measureShare(Math.max(0, had - has), had, widenForChurn(maxLost, had, days), what)];
  });
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
  const pairs = [...listRecordFacts(own)].flatMap(([key, now]) => {
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
