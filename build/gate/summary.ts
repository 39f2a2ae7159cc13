import { compareCodeUnits } from '../../data/record/id.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { SourceReport } from '../../data/report/report.ts';
import type { CatalogueSummary, CmsSummary, FeedSummary, RowCounts } from '../../data/report/summary.ts';
import type { Catalogue, CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced, SourceState } from '../source/record.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

export interface SummaryParts {
  readonly catalogue: Catalogue;
  readonly currency: string;
  readonly states: readonly SourceState[];
  readonly sources: readonly SourceReport[];
  readonly notices: readonly Notice[];
  readonly served: ServedSnapshot;
}

/**
 * What the gates of the next build compare. A feed that is held, as a whole or in part, keeps what it had before: its file
 * may stay faulty.
 */
export function summariseCatalogue(parts: SummaryParts): CatalogueSummary {
  const { catalogue, currency, states, sources, served } = parts;
  const before = served.kind === 'known' ? served.report.summary : undefined;
  const isHeld = ({ state, held = [] }: Pick<SourceReport, 'state' | 'held'>): boolean =>
    state !== 'fresh' || held.length > 0;
  return {
    currency,
    cms: summariseCms(catalogue.records),
    feeds: sources
      .filter(({ kind }) => kind === 'feed')
      .map((source) => {
        const earlier = isHeld(source) ? before?.feeds.find(({ name }) => name === source.name) : undefined;
        return earlier ?? summariseFeed(source, parts);
      }),
    fields: states.flatMap((state) => {
      const { name, fields = [] } = state;
      return isHeld(state)
        ? (before?.fields.filter(({ source }) => source === name) ?? [])
        : [{ source: name, fields: [...fields] }];
    }),
  };
}

function summariseCms({ products, networks, retailers, gifts, giftCategories }: CatalogueRecords): CmsSummary[] {
  const lists = [products, networks, retailers, gifts, giftCategories];
  const names = new Set(lists.flatMap((list) => list.map(({ origin }) => origin.source)));
  return [...names].sort(compareCodeUnits).map((name) => {
    const isOfSource = ({ origin }: Sourced<unknown>): boolean => origin.source === name;
    const own = products.filter(isOfSource).map(({ record }) => record);
    const countWith = (objectsOf: (record: ProductRecord) => readonly (object | undefined)[]): number =>
      own.filter((record) => objectsOf(record).some((object) => Object.values(object ?? {}).some(Boolean))).length;
    return {
      name,
      products: own.length,
      networks: networks.filter(isOfSource).length,
      retailers: retailers.filter(isOfSource).length,
      gifts: gifts.filter(isOfSource).length,
      giftCategories: giftCategories.filter(isOfSource).length,
      texts: countWith(({ content, pageContent }) => [content, pageContent]),
      specs: countWith(({ specs }) => [specs]),
      pictures: countWith(({ images, imageUrls }) => [images, imageUrls]),
    };
  });
}

function summariseFeed(
  { name, kept, duplicate, quarantined }: SourceReport,
  { catalogue: { records, deals }, notices }: SummaryParts,
): FeedSummary {
  const retailers = new Map<string, { rows: number; quarantined: number; duplicate: number }>();
  const countsOf = (slug: string) => {
    const counts = retailers.get(slug) ?? { rows: 0, quarantined: 0, duplicate: 0 };
    retailers.set(slug, counts);
    counts.rows++;
    return counts;
  };
  for (let row = 0; row < deals.rowCount; row++) {
    if (deals.originAt(row).source === name)
      countsOf(records.retailers[deals.retailer[row] as number]?.record.slug ?? '');
  }
  for (const { source, code, retailer } of notices) {
    const { outcome } = NOTICES[code];
    if (source !== name || retailer === undefined || (outcome !== 'quarantined' && outcome !== 'duplicate')) continue;
    countsOf(retailer)[outcome]++;
  }
  return {
    name,
    rows: kept + duplicate + quarantined,
    quarantined,
    duplicate,
    retailers: [...retailers]
      .map(([slug, counts]): { slug: string } & RowCounts => ({ slug, ...counts }))
      .sort((a, b) => compareCodeUnits(a.slug, b.slug)),
  };
}
