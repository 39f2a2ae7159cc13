import { compareCodeUnits } from '../../data/record/id.ts';
import type { ProductRecord } from '../../data/record/product.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { SourceReport, CatalogueSummary, CmsSummary, FeedSummary, RowCounts } from '../../data/report/report.ts';
import type { BuildContext } from './build-context.ts';
import type { Catalogue, CatalogueRecords } from '../records/catalogue.ts';
import type { Sourced, SourceState } from '../source/record.ts';

/** A catalogue whose feeds have been judged. */
export interface JudgedCatalogue {
  readonly catalogue: Catalogue;
  readonly states: readonly SourceState[];
  /** The same with their counts. */
  readonly sources: readonly SourceReport[];
}

/**
 * What the gates of the next build compare. A feed that is held, as a whole or in part, keeps what it had before: its file
 * may stay faulty.
 */
export function summariseCatalogue(
  { config, served, ledger }: BuildContext,
  { catalogue, states, sources }: JudgedCatalogue,
): CatalogueSummary {
  const before = served.kind === 'known' ? served.report.summary : undefined;
  const isHeld = ({ state, held = [] }: Pick<SourceReport, 'state' | 'held'>): boolean =>
    state !== 'fresh' || held.length > 0;
  return {
    currency: config.currency.code,
    cms: summariseCms(catalogue.records),
    feeds: sources
      .filter(({ kind }) => kind === 'feed')
      .map((source) => {
        const earlier = isHeld(source) ? before?.feeds.find(({ name }) => name === source.name) : undefined;
        return earlier ?? summariseFeed(source, catalogue, ledger.noticesOf(source.name));
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
  { records, deals }: Catalogue,
  notices: readonly Notice[],
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
  for (const { code, retailer } of notices) {
    const { outcome } = NOTICES[code];
    if (retailer === undefined || (outcome !== 'quarantined' && outcome !== 'duplicate')) continue;
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
