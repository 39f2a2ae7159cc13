import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey, type ProductRecord } from '../../data/record/product.ts';
import type { CmsSummary } from '../../data/report/report.ts';
import type { GateSettings } from '../config/config.ts';
import type { CatalogueRecords } from '../records/join-records.ts';
import type { Sourced } from '../source/record.ts';
import { hashText } from './facts.ts';
import { countDays, measureShare, widenForChurn, widenTolerance, writeCount, type Measure } from './limits.ts';
import type { KnownSnapshot } from './served-snapshot.ts';

/** What a snapshot or a build says of its records, by key (`101/new`) or id. */
export type ComparedRecords = Readonly<Record<'products' | 'networks' | 'retailers', ReadonlyMap<string, RecordFacts>>>;

const RECORD_FACTS = ['name', 'slug', 'manufacturer', 'content', 'pageContent', 'metaData', 'specs'] as const;

/** What a record of the CMS says; empty where it says nothing. Objects are hashes. */
export type RecordFacts = Readonly<Record<(typeof RECORD_FACTS)[number], string>>;

/** A record as the CMS has it, or as a snapshot has it. */
type ComparedRecord = Parameters<typeof recordKey>[0] & Partial<Record<(typeof RECORD_FACTS)[number], string | object>>;

export function listRecordFacts(records: Iterable<ComparedRecord>): ReadonlyMap<string, RecordFacts> {
  return new Map(
    Array.from(records, (record) => {
      const facts = RECORD_FACTS.map((fact) => [fact, toFactText(record[fact])]);
      return [recordKey(record), Object.fromEntries(facts) as RecordFacts];
    }),
  );
}

/** Empty where an object has no text; the same for any order of its keys. */
function toFactText(value: string | object = ''): string {
  if (typeof value === 'string') return value;
  const texts = Object.entries(value).filter(([, text]) => Boolean(text));
  const lines = texts.map((entry) => entry.join(' ')).sort(compareCodeUnits);
  return lines.length === 0 ? '' : String(hashText(lines.join('\n')));
}

/** Facts that records may share, and copy from each other. */
const SHARED = [
  ['manufacturer', 'makers'],
  ['content', 'texts'],
  ['pageContent', 'texts of their page'],
  ['metaData', 'texts for search engines'],
  ['specs', 'specs'],
] as const satisfies readonly (readonly [keyof RecordFacts, string])[];

/** How many records of a kind that have the id of a record before are others. */
interface RecordDrift {
  readonly kind: keyof ComparedRecords;
  readonly count: number;
  /** With another name or slug, and with one that another record had. */
  readonly renamed: number;
  readonly swapped: number;
  /** With other makers, texts or specs in place of some, and with those that another record had and has lost. */
  readonly shared: readonly { readonly name: string; readonly changed: number; readonly moved: number }[];
}

/** A source of the CMS beside what it was. */
export interface ComparedSource {
  /** `now` is undefined when the source is not read. */
  readonly before: CmsSummary;
  readonly now: CmsSummary | undefined;
  /** The days since it was read. */
  readonly days: number;
  /** Of products, networks and retailers. */
  readonly drifts: readonly RecordDrift[];
}

/** @returns undefined for a source that had no records in the snapshot being served */
export function compareSource(
  source: string,
  records: CatalogueRecords,
  summaries: readonly CmsSummary[],
  served: KnownSnapshot,
  now: Date,
): ComparedSource | undefined {
  const [before, after] = [served.report.summary.cms, summaries].map((each) =>
    each.find(({ name }) => name === source),
  );
  if (before === undefined) return undefined;
  const { sources, createdAt } = served.manifest;
  const { freshAt = createdAt } = sources.find(({ name }) => name === source) ?? {};
  const days = countDays(Date.parse(freshAt), now);
  const drifts = (['products', 'networks', 'retailers'] as const).map((kind) => {
    const own = records[kind].filter(({ origin }) => origin.source === source).map(({ record }) => record);
    return driftRecords(kind, listRecordFacts(own), served.records[kind]);
  });
  return { before, now: after, days, drifts };
}

/** What changed in records under their ids. */
function driftRecords(
  kind: keyof ComparedRecords,
  own: ReadonlyMap<string, RecordFacts>,
  served: ReadonlyMap<string, RecordFacts>,
): RecordDrift {
  const pairs = [...own].flatMap(([key, now]) => {
    const before = served.get(key);
    return before === undefined ? [] : [{ before, now }];
  });
  const all = [...served.values()];
  const known = { name: new Set(all.map(({ name }) => name)), slug: new Set(all.map(({ slug }) => slug)) };
  const countOther = (isCounted: (name: string, fact: 'name' | 'slug') => boolean): number =>
    pairs.filter(({ before, now }) =>
      (['name', 'slug'] as const).some((fact) => before[fact] !== now[fact] && isCounted(now[fact], fact)),
    ).length;
  return {
    kind,
    count: pairs.length,
    renamed: countOther(() => true),
    swapped: countOther((name, fact) => known[fact].has(name)),
    shared: SHARED.map(([fact, name]) => {
      const changed = pairs.filter(({ before, now }) => before[fact] !== now[fact]);
      const lost = changed.map(({ before }) => before[fact]).filter((text) => text !== '');
      const moved = countCommon(
        lost,
        changed.map(({ now }) => now[fact]),
      );
      return { name, changed: lost.length, moved };
    }),
  };
}

/** How many of some texts are among others, each of which counts once. */
function countCommon(some: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return some.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  }).length;
}

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
] as const satisfies readonly (readonly [keyof CmsSummary, 'lost' | 'emptied', string])[];

/** What the gates of the next build compare: the counts of each source that has records. */
export function summariseCms({ products, networks, retailers, gifts, giftCategories }: CatalogueRecords): CmsSummary[] {
  const all: readonly Sourced<unknown>[] = [...products, ...networks, ...retailers, ...gifts, ...giftCategories];
  const names = new Set(all.map(({ origin }) => origin.source));
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

/** A shorter list may be emptied by hand. */
const MIN_EMPTIED = 5;

export function measureCounts(
  gate: (typeof COUNTS)[number][1],
  { before, now, days }: ComparedSource,
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

export function measureRenumberedProducts(
  { before, now, drifts }: ComparedSource,
  { minRows, maxRenumbered }: GateSettings,
): readonly Measure[] {
  const expected = Math.min(before.products, now?.products ?? 0);
  if (expected === 0 || before.products < minRows) return [];
  const kept = drifts.find(({ kind }) => kind === 'products')?.count ?? 0;
  return [measureShare(Math.max(0, expected - kept), expected, maxRenumbered, 'products came under another id')];
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
export function measureRecords({ drifts }: ComparedSource, { maxChanged, minRows }: GateSettings): readonly Measure[] {
  return drifts.flatMap(({ kind, count, renamed, swapped, shared }) => {
    if (count < (kind === 'products' ? minRows : MIN_SUPPLIERS)) return [];
    const few = Math.max(MAX_SWAPPED_SHARE, MAX_SWAPPED / count);
    const many = Math.max(widenTolerance(maxChanged, count), MAX_SWAPPED / count);
    return [
      measureShare(renamed, count, many, `${kind} have another name or slug`),
      measureShare(swapped, count, few, `${kind} have the name or slug of another`),
      ...shared.map(({ name, moved }) => measureShare(moved, count, few, `${kind} have the ${name} of another`)),
    ];
  });
}

/** What changed below these limits: a swap of two, and other makers, texts or specs of many products. */
export function sayRecords(
  source: string,
  { drifts }: ComparedSource,
  { minRows, maxChanged }: GateSettings,
): readonly string[] {
  const sentences = drifts
    .filter(({ swapped }) => swapped >= MAX_SWAPPED)
    .map(({ kind, swapped }) => `Names: ${swapped} ${kind} of ${source} have the name or slug that another had`);
  for (const { count, shared } of drifts.filter(({ kind, count }) => kind === 'products' && count >= minRows)) {
    for (const { name, changed } of shared) {
      if (changed <= count * widenTolerance(maxChanged, count)) continue;
      sentences.push(
        `Products: ${writeCount(changed)} of ${writeCount(count)} products of ${source} have other ${name}`,
      );
    }
  }
  return sentences;
}
