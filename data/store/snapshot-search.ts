import { formatPence } from '../record/amount.ts';
import { recordKey } from '../record/product.ts';
import { NOTICES, type Notice, type NoticeCode, type Outcome } from '../report/notice.ts';
import type { ManifestSource } from '../report/report.ts';
import type { SourceLocation } from '../report/source-location.ts';
import type { CatalogueIndex } from '../snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../snapshot/column.ts';
import {
  MAX_DEALS_PER_LINE,
  type ProductLine,
  type ProductOriginLine,
  type ProvenanceLine,
} from '../snapshot/format.ts';
import {
  MAX_LISTED,
  NameSearch,
  type Counted,
  type ExcludedDeal,
  type ExcludedDeals,
  type FoundName,
} from './name-search.ts';
import {
  matchesDeal,
  matchesExcluded,
  matchesLocation,
  matchesPart,
  matchesProduct,
  type RecordQuery,
} from './record-query.ts';

/** The files with the origin and outcome of every record, in the order of a search. */
export const SEARCHED_FILES = [
  'product-origins.ndjson',
  'provenance.ndjson',
  'quarantine.ndjson',
  'notices.ndjson',
] as const;

export type SearchedFile = (typeof SEARCHED_FILES)[number];

export function listExcludedDeals({ leftOut }: Pick<ProductHit, 'leftOut'>): readonly ExcludedDeals[] {
  return [...leftOut]
    .map(([code, { count, items }]) => ({ code, count, deals: items }))
    .sort((a, b) => b.count - a.count);
}

export interface ProductHit {
  readonly row: ProductRow;
  readonly origin: SourceLocation;
  /** Its id, slug, name or location is the query; otherwise its name or slug contains it. */
  readonly isExact: boolean;
  /** Its excluded deals by code. */
  readonly leftOut: ReadonlyMap<NoticeCode, Counted<ExcludedDeal>>;
  readonly notices: readonly Notice[];
}

export interface DealHit {
  readonly product: ProductRow;
  /** Unknown together with the retailer when lines of the product are not full. */
  readonly row: DealRow | undefined;
  readonly retailer: string | undefined;
  readonly key: string;
  readonly origin: SourceLocation;
  readonly match: ProvenanceLine['matches'][number];
  readonly notices: readonly Notice[];
}

/** The hits of a query: all are counted, the first of each kind are listed. */
export interface SnapshotHits {
  /** Exact hits first, then products with the most deals. */
  readonly products: Counted<ProductHit>;
  readonly deals: Counted<DealHit>;
  /** Records that are not served. */
  readonly leftOut: Counted<Notice>;
  /** Names of feeds. */
  readonly names: Counted<FoundName>;
}

/** Hits that later files complete. */
type OpenDeal = DealHit & { readonly notices: Notice[] };
type OpenProduct = ProductHit & {
  readonly notices: Notice[];
  readonly leftOut: Map<NoticeCode, Counted<ExcludedDeal>>;
};

const MATCHES = Buffer.from('"matches":[');
const AFTER_MATCHES = Buffer.from('],"match":[');

/**
 * Finds a product by id, `id/condition`, slug, name or a part of it, a deal by key or `retailer:key`, either by
 * `file:line`, and names of phones in feeds. `deals explain` and `/status/` share this search; they pass the lines of
 * SEARCHED_FILES, file by file.
 */
export class SnapshotSearch {
  readonly #index: CatalogueIndex;
  readonly #query: RecordQuery;
  readonly #kinds: ReadonlyMap<string, ManifestSource['kind']>;
  readonly #names: NameSearch;
  readonly #exact: OpenProduct[] = [];
  readonly #parts: OpenProduct[] = [];
  readonly #deals: OpenDeal[] = [];
  readonly #leftOut: Notice[] = [];
  readonly #lineCounter = new LineCounter();
  readonly #dealMarks: readonly (readonly Buffer[])[];
  readonly #productKeys = new Map<string, OpenProduct>();
  #productRow = 0;
  #dealCount = 0;
  #leftOutCount = 0;

  constructor(
    { index, sources }: { readonly index: CatalogueIndex; readonly sources: readonly ManifestSource[] },
    query: RecordQuery,
  ) {
    const { text, deal, location } = query;
    this.#index = index;
    this.#query = query;
    this.#kinds = new Map(sources.map(({ name, kind }) => [name, kind]));
    this.#names = new NameSearch(query);
    // A line without these texts is not parsed.
    this.#dealMarks = [
      [JSON.stringify(text)],
      ...(deal === undefined ? [] : [[JSON.stringify(deal.key)]]),
      ...(location === undefined ? [] : [[JSON.stringify(location.file), String(location.line)]]),
    ].map((marks) => marks.map((mark) => Buffer.from(mark)));
  }

  /** Takes the next line of a file; the line is not kept. */
  take(file: SearchedFile, line: Buffer): void {
    switch (file) {
      case 'product-origins.ndjson':
        return this.#takeProduct(line);
      case 'provenance.ndjson':
        return this.#takeDeals(line);
      case 'quarantine.ndjson':
        return this.#takeLeftOut(line);
      case 'notices.ndjson':
        return this.#takeNotice(line);
    }
  }

  /** Called once, after the last line. */
  finish(): SnapshotHits {
    const products = this.#listProducts();
    return {
      products: { count: products.length, items: products.slice(0, MAX_LISTED) },
      deals: { count: this.#dealCount, items: this.#deals },
      leftOut: { count: this.#leftOutCount, items: this.#leftOut },
      names: this.#names.finish(),
    };
  }

  #listProducts(): readonly OpenProduct[] {
    const dealCount = ({ row }: OpenProduct): number => countDealsOf(this.#index, row);
    return [...this.#exact, ...this.#parts.toSorted((a, b) => dealCount(b) - dealCount(a))];
  }

  #takeProduct(line: Buffer): void {
    const row = rowAt<'product'>(this.#productRow++);
    const product = this.#index.products[row];
    const query = this.#query;
    if (product === undefined) return;
    const isNamed = matchesProduct(query, product);
    const isPart = matchesPart(query, product.name) || matchesPart(query, product.slug);
    if (!isNamed && !isPart && query.location === undefined) return;
    const { source, file, line: position } = parse(line) as ProductOriginLine;
    const origin = { source, file, line: position };
    const isExact = isNamed || matchesLocation(query, origin);
    if (!isExact && !isPart) return;
    const hit = { row, origin, isExact, leftOut: new Map<NoticeCode, Counted<ExcludedDeal>>(), notices: [] };
    (isExact ? this.#exact : this.#parts).push(hit);
    this.#productKeys.set(recordKey(product), hit);
  }

  #takeDeals(bytes: Buffer): void {
    const before = this.#lineCounter.count(bytes);
    const hasName = this.#names.matchesAny(readMatches(bytes));
    const mayHold = this.#dealMarks.some((marks) => marks.every((mark) => bytes.includes(mark)));
    if (!hasName && !mayHold) return;
    const line = parse(bytes) as ProvenanceLine;
    if (hasName) this.#names.addServed(line, variantAt(this.#index, rowAt(line.product)));
    if (mayHold) this.#findDeals(line, findFirstRow(this.#index, line, before));
  }

  #findDeals(line: ProvenanceLine, first: number | undefined): void {
    for (const [position, key] of line.key.entries()) {
      const row = first === undefined ? undefined : rowAt<'deal'>(first + position);
      const retailer = row === undefined ? undefined : retailerOf(this.#index, row);
      // All arrays of a published line have the same length.
      const origin = {
        source: line.source[position] as string,
        file: line.file[position] as string,
        line: line.line[position] as number,
      };
      if (!matchesDeal(this.#query, key, retailer) && !matchesLocation(this.#query, origin)) continue;
      this.#dealCount++;
      if (this.#deals.length >= MAX_LISTED) continue;
      const match = line.matches[line.match[position] as number] as ProvenanceLine['matches'][number];
      const product = rowAt<'product'>(line.product);
      this.#deals.push({ product, row, retailer, key, origin, match, notices: [] });
    }
  }

  #takeLeftOut(line: Buffer): void {
    const notice = parse(line) as Notice;
    const kind = this.#kinds.get(notice.source);
    if (kind !== 'cms') this.#names.addExcluded(notice);
    const counts = notice.product === undefined ? undefined : this.#productKeys.get(notice.product)?.leftOut;
    if (counts !== undefined) {
      const { code, source, file, line: position, record } = notice;
      const { count, items } = counts.get(code) ?? { count: 0, items: [] };
      const isListed = items.length < MAX_LISTED;
      const deal = { source, file, line: position, record };
      counts.set(code, { count: count + 1, items: isListed ? [...items, deal] : items });
    }
    if (!matchesExcluded(this.#query, notice, kind)) return;
    this.#leftOutCount++;
    if (this.#leftOut.length < MAX_LISTED) this.#leftOut.push(notice);
  }

  #takeNotice(line: Buffer): void {
    if (this.#exact.length + this.#parts.length + this.#deals.length === 0) return;
    const notice = parse(line) as Notice;
    if (NOTICES[notice.code].outcome !== 'notice') return;
    for (const { origin, notices } of this.#deals) if (isNoticeAt(notice, origin)) notices.push(notice);
    // In a CMS file with several lists, a line is a position in one of them.
    const product = notice.record === undefined ? undefined : this.#productKeys.get(notice.record);
    if (product !== undefined && isNoticeAt(notice, product.origin)) product.notices.push(notice);
  }
}

/** The build has checked each line against its schema. */
function parse(line: Buffer): unknown {
  return JSON.parse(line.toString('utf8'));
}

/** `matches` of a line of provenance, without the deals of the line. */
function readMatches(line: Buffer): ProvenanceLine['matches'] {
  const end = line.lastIndexOf(AFTER_MATCHES);
  const start = line.lastIndexOf(MATCHES, end);
  if (end === -1 || start === -1) return [];
  return parse(line.subarray(start + MATCHES.length - 1, end + 1)) as ProvenanceLine['matches'];
}

function isNoticeAt(notice: Notice, { source, file, line }: SourceLocation): boolean {
  return notice.source === source && notice.file === file && notice.line === line;
}

/** Why and with what result a notice was given, and what to do: a remedy of its own, or that of its code. */
export function explainNotice({ code, remedy }: Pick<Notice, 'code' | 'remedy'>): {
  readonly outcome: Outcome;
  readonly meaning: string;
  readonly remedy: string;
} {
  const rule = NOTICES[code];
  return { outcome: rule.outcome, meaning: rule.meaning, remedy: remedy ?? rule.remedy };
}

/** `101/new`. */
export function variantAt({ products }: Pick<CatalogueIndex, 'products'>, row: ProductRow): string {
  return recordKey(products[row] as ProductLine);
}

/** The prices of a deal as a response shows them. */
export interface ShownPrices {
  readonly upfrontCost: string;
  readonly monthlyCost: string;
  readonly totalCost: string;
}

export function pricesOf({ deals }: Pick<CatalogueIndex, 'deals'>, row: DealRow): ShownPrices {
  return {
    upfrontCost: formatPence(deals.upfrontPence.at(row)),
    monthlyCost: formatPence(deals.monthlyPence.at(row)),
    totalCost: formatPence(deals.totalPence.at(row)),
  };
}

/** How many deals a product has. */
export function countDealsOf(index: Pick<CatalogueIndex, 'firstDeal' | 'endOfDeals'>, row: ProductRow): number {
  return index.endOfDeals(row) - index.firstDeal(row);
}

/** The slug of the retailer of a deal. */
export function retailerOf({ retailers, deals }: Pick<CatalogueIndex, 'retailers' | 'deals'>, row: DealRow): string {
  return retailers[deals.retailer.at(row)]?.slug ?? '';
}

/**
 * The row of the first deal of a line; undefined when earlier lines of the product were not full.
 */
function findFirstRow(
  index: CatalogueIndex,
  { product, key }: ProvenanceLine,
  linesBefore: number,
): number | undefined {
  const row = rowAt<'product'>(product);
  const start = index.firstDeal(row) + linesBefore * MAX_DEALS_PER_LINE;
  const end = start + key.length;
  const isFull = key.length === MAX_DEALS_PER_LINE;
  return end === index.endOfDeals(row) || (isFull && end < index.endOfDeals(row)) ? start : undefined;
}

/** Counts the lines of the same product before a line, by its beginning `{"product":12,`. */
class LineCounter {
  #beginning = '';
  #before = 0;

  count(line: Buffer): number {
    const beginning = line.toString('latin1', 0, line.indexOf(','));
    this.#before = beginning === this.#beginning ? this.#before + 1 : 0;
    this.#beginning = beginning;
    return this.#before;
  }
}
