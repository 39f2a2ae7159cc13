import { NOTICES, type Notice, type NoticeCode } from '../report/notice.ts';
import type { ManifestSource } from '../report/report.ts';
import type { CatalogueIndex } from '../snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../snapshot/column.ts';
import { MAX_DEALS_PER_LINE, type ProductOriginLine, type ProvenanceLine } from '../snapshot/format.ts';
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

/** The files that tell where what is served came from, and what became of the rest, in the order of a search. */
export const SEARCHED_FILES = [
  'product-origins.ndjson',
  'provenance.ndjson',
  'quarantine.ndjson',
  'notices.ndjson',
] as const;

export type SearchedFile = (typeof SEARCHED_FILES)[number];

/** Where a record was read. */
interface HitLocation {
  readonly source: string;
  readonly file: string;
  readonly line: number;
}

/** Those of a product, most deals first. */
export function listExcludedDeals({ leftOut }: Pick<ProductHit, 'leftOut'>): readonly ExcludedDeals[] {
  return [...leftOut]
    .map(([code, { count, items }]) => ({ code, count, deals: items }))
    .sort((a, b) => b.count - a.count);
}

/** A product that is served. */
export interface ProductHit {
  readonly row: ProductRow;
  readonly origin: HitLocation;
  /** It is called exactly so, or stands there; otherwise the word is a part of its name or slug. */
  readonly isExact: boolean;
  /** The deals for it that are not served, by the code that leaves them out. */
  readonly leftOut: ReadonlyMap<NoticeCode, Counted<ExcludedDeal>>;
  readonly notices: readonly Notice[];
}

/** A deal that is served: where it came from, whose it is, and how it found its product. */
export interface DealHit {
  readonly product: ProductRow;
  /** Undefined when it cannot be told, and with it the retailer. */
  readonly row: DealRow | undefined;
  readonly retailer: string | undefined;
  readonly key: string;
  readonly origin: HitLocation;
  readonly match: ProvenanceLine['matches'][number];
  readonly notices: readonly Notice[];
}

/** What a subject may mean in a snapshot; all are counted, the first of each kind are listed. */
export interface SnapshotHits {
  /** Those that are called exactly so first, then those with the most deals. */
  readonly products: Counted<ProductHit>;
  readonly deals: Counted<DealHit>;
  /** Records that are not served. */
  readonly leftOut: Counted<Notice>;
  /** Names of feeds. */
  readonly names: Counted<FoundName>;
}

/** Hits to which later files add. */
type OpenDeal = DealHit & { readonly notices: Notice[] };
type OpenProduct = ProductHit & {
  readonly notices: Notice[];
  readonly leftOut: Map<NoticeCode, Counted<ExcludedDeal>>;
};

const MATCHES = Buffer.from('"matches":[');
const AFTER_MATCHES = Buffer.from('],"match":[');

/**
 * Finds what a subject may mean in a snapshot: a product by id, `id/condition`, slug, name or a part of it; a deal by key
 * or `retailer:key`; either by `file:line`; what feeds call a phone. The one search of `deals explain` and of `/status/`:
 * they give it the lines of SEARCHED_FILES, file by file, as they come.
 */
export class SnapshotSearch {
  readonly #index: CatalogueIndex;
  readonly #subject: RecordQuery;
  readonly #kinds: ReadonlyMap<string, ManifestSource['kind']>;
  readonly #names: NameSearch;
  readonly #exact: OpenProduct[] = [];
  readonly #parts: OpenProduct[] = [];
  readonly #deals: OpenDeal[] = [];
  readonly #leftOut: Notice[] = [];
  readonly #runs = new LineCounter();
  readonly #dealMarks: readonly (readonly Buffer[])[];
  readonly #productKeys = new Map<string, OpenProduct>();
  #productRow = 0;
  #dealCount = 0;
  #leftOutCount = 0;

  constructor(
    { index, sources }: { readonly index: CatalogueIndex; readonly sources: readonly ManifestSource[] },
    subject: RecordQuery,
  ) {
    const { text, deal, location } = subject;
    this.#index = index;
    this.#subject = subject;
    this.#kinds = new Map(sources.map(({ name, kind }) => [name, kind]));
    this.#names = new NameSearch(subject);
    // A line of some thousand deals that lacks them is not parsed.
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
    return [...this.#exact, ...this.#parts.toSorted((a, b) => this.#countDeals(b.row) - this.#countDeals(a.row))];
  }

  #countDeals(row: ProductRow): number {
    return this.#index.endOfDeals(row) - this.#index.firstDeal(row);
  }

  #takeProduct(line: Buffer): void {
    const row = rowAt<'product'>(this.#productRow++);
    const product = this.#index.products[row];
    const subject = this.#subject;
    if (product === undefined) return;
    const isNamed = matchesProduct(subject, product);
    const isPart = matchesPart(subject, product.name) || matchesPart(subject, product.slug);
    if (!isNamed && !isPart && subject.location === undefined) return;
    const { source, file, line: position } = parse(line) as ProductOriginLine;
    const origin = { source, file, line: position };
    const isExact = isNamed || matchesLocation(subject, origin);
    if (!isExact && !isPart) return;
    const hit = { row, origin, isExact, leftOut: new Map<NoticeCode, Counted<ExcludedDeal>>(), notices: [] };
    (isExact ? this.#exact : this.#parts).push(hit);
    this.#productKeys.set(`${product.id}/${product.condition}`, hit);
  }

  #takeDeals(bytes: Buffer): void {
    const before = this.#runs.count(bytes);
    const hasName = this.#names.matchesAny(readMatches(bytes));
    const mayHold = this.#dealMarks.some((marks) => marks.every((mark) => bytes.includes(mark)));
    if (!hasName && !mayHold) return;
    const line = parse(bytes) as ProvenanceLine;
    const product = this.#index.products[line.product];
    if (hasName) this.#names.addServed(line, `${product?.id}/${product?.condition}`);
    if (mayHold) this.#findDeals(line, findFirstRow(this.#index, line, before));
  }

  #findDeals(line: ProvenanceLine, first: number | undefined): void {
    for (const [position, key] of line.key.entries()) {
      const row = first === undefined ? undefined : rowAt<'deal'>(first + position);
      const retailer = row === undefined ? undefined : retailerOf(this.#index, row);
      // The arrays of a line were found to be as long as each other before it was published.
      const origin = {
        source: line.source[position] as string,
        file: line.file[position] as string,
        line: line.line[position] as number,
      };
      if (!matchesDeal(this.#subject, key, retailer) && !matchesLocation(this.#subject, origin)) continue;
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
    if (!matchesExcluded(this.#subject, notice, kind)) return;
    this.#leftOutCount++;
    if (this.#leftOut.length < MAX_LISTED) this.#leftOut.push(notice);
  }

  /** What was found about records that are served all the same. */
  #takeNotice(line: Buffer): void {
    if (this.#exact.length + this.#parts.length + this.#deals.length === 0) return;
    const notice = parse(line) as Notice;
    if (NOTICES[notice.code].outcome !== 'notice') return;
    for (const { origin, notices } of this.#deals) if (isNoticeAt(notice, origin)) notices.push(notice);
    // A file of a CMS has several lists, and a line is a position in one of them.
    const product = notice.record === undefined ? undefined : this.#productKeys.get(notice.record);
    if (product !== undefined && isNoticeAt(notice, product.origin)) product.notices.push(notice);
  }
}

/** The value of a line, which was held to its schema when it was published. */
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

function isNoticeAt(notice: Notice, { source, file, line }: HitLocation): boolean {
  return notice.source === source && notice.file === file && notice.line === line;
}

/** The slug of the retailer of a deal. */
export function retailerOf({ retailers, deals }: Pick<CatalogueIndex, 'retailers' | 'deals'>, row: DealRow): string {
  return retailers[deals.retailer.at(row)]?.slug ?? '';
}

/**
 * The row of the first deal of a line; undefined when the lines of the product before it were not full, so that it cannot
 * be told.
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
