import { setImmediate as nextTick } from 'node:timers/promises';
import { findNearestWord } from '../../data/query/edit-distance.ts';
import { formatGigabytes, formatPence } from '../../data/record/amount.ts';
import { isNameRule, MATCH_RULE_MEANINGS } from '../../data/record/deal.ts';
import { recordKey } from '../../data/record/product.ts';
import { NOTICES, type Notice, type NoticeCode } from '../../data/report/notice.ts';
import type { SnapshotReport } from '../../data/report/report.ts';
import { createLocationFormatter, type SourceLocation } from '../../data/report/source-location.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../data/snapshot/column.ts';
import type { Plan, ProductLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { snapshotPath } from '../../data/store/layout.ts';
import { readRegularText } from '../../data/store/regular-file.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import type { DealFacts, ExplainedNotice, Explanation, LeftOutDeals, OtherRecord } from './explanation.ts';
import { Hits } from './hits.ts';
import { readLines } from './read-lines.ts';
import type { TriedTarget } from './tried-target.ts';
import { bestFit, Words, type Fit } from './words.ts';

/** How many excluded deals of a product are named for each code. */
const NAMED_DEALS = 3;

/** Of a notice, which may have no place. */
type Place = Pick<Notice, 'source' | 'file' | 'line' | 'list'>;

interface ProductHit {
  readonly row: ProductRow;
  readonly origin: SourceLocation;
  readonly leftOut: Map<NoticeCode, { count: number; readonly first: LeftOutDeals['first'][number][] }>;
  readonly notices: Notice[];
}

interface DealHit {
  readonly row: DealRow;
  readonly product: ProductRow;
  readonly key: string;
  readonly origin: SourceLocation;
  readonly match: ProvenanceLine['matches'][number];
  readonly notices: Notice[];
}

export interface ExplainOptions {
  /** A request for products, whose answer is explained, too. */
  readonly target?: TriedTarget | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal;
}

/**
 * Finds the records of a snapshot whose id, key, slug, name, code or place is or contains some words, and says what became
 * of each: where it was read, what was found, what to do, and whether the answer to a request has it. Served records are
 * in memory; the other files are read line by line.
 * @throws {SnapshotError} when a file is not what was published
 */
export async function explain(
  store: string,
  snapshot: LoadedSnapshot,
  asked: string,
  options: ExplainOptions = {},
): Promise<Explanation> {
  const { manifest } = snapshot;
  const search = new RecordSearch(snapshot, new Words(asked));
  const read: <File extends Parameters<typeof readLines>[2]>(
    file: File,
    take: Parameters<typeof readLines<File>>[4],
  ) => Promise<void> = (file, take) => readLines(store, manifest, file, options.signal, take);
  await read('product-origins.ndjson', (origin, line) => search.takeProduct(origin, rowAt(line - 1)));
  await read('provenance.ndjson', (line) => search.takeDeals(line));
  await read('quarantine.ndjson', (notice) => search.takeLeftOut(notice));
  await read('notices.ndjson', (notice) => search.takeNotice(notice));
  const report = JSON.parse(await readRegularText(snapshotPath(store, manifest.id, 'report.json'))) as SnapshotReport;
  return search.finish(report, options.target);
}

class RecordSearch {
  readonly #snapshot: LoadedSnapshot;
  readonly #index: CatalogueIndex;
  readonly #words: Words;
  readonly #products: Hits<ProductHit>;
  readonly #deals = new Hits<DealHit>();
  readonly #leftOut = new Hits<Notice>();
  readonly #notices = new Hits<Notice>();
  readonly #others: Hits<OtherRecord>;
  /** The products that were found, by their key. */
  readonly #byKey = new Map<string, ProductHit>();
  #dealRow = 0;
  /** The place in the file asked for that is nearest to the line asked for. */
  #nearestPlace: (SourceLocation & { readonly distance: number }) | undefined;

  constructor(snapshot: LoadedSnapshot, words: Words) {
    const { index } = snapshot;
    this.#snapshot = snapshot;
    this.#index = index;
    this.#words = words;
    this.#products = new Hits(({ row }) => countDeals(index, row));
    this.#others = new Hits();
    for (const other of listOthers(index)) {
      const { id = '', slug, name } = other;
      const fits = [id === words.text ? 'exact' : undefined, words.fitName(slug), words.fitName(name)] as const;
      this.#others.add(bestFit(fits), () => other);
    }
  }

  takeProduct({ source, file, line }: SourceLocation, row: ProductRow): void {
    const product = this.#index.products[row] as ProductLine;
    const origin = { source, file, line };
    this.#notePlace(origin);
    const words = this.#words;
    const key = recordKey(product);
    const isNamed = product.id === words.text || key === words.text;
    const fit = isNamed ? 'exact' : this.#fitAny([product.slug, product.name], origin);
    this.#products.add(fit, () => {
      const hit: ProductHit = { row, origin, leftOut: new Map(), notices: [] };
      this.#byKey.set(key, hit);
      return hit;
    });
  }

  /** Lines have the deals of a snapshot in the order of their rows. */
  takeDeals({ product, source, file, line, key: keys, matches, match }: ProvenanceLine): void {
    const fits = matches.map(({ rule, found }) => this.#fitMatch(rule, found));
    for (const [position, key] of keys.entries()) {
      const row = rowAt<'deal'>(this.#dealRow++);
      // All arrays of a published line have the same length.
      const origin = { source: source[position], file: file[position], line: line[position] } as SourceLocation;
      this.#notePlace(origin);
      const matched = match[position] as number;
      const retailer = this.#index.retailers[this.#index.deals.retailer.at(row)]?.slug ?? '';
      const fit = bestFit([this.#fitKey(key, retailer), this.#words.fitLocation(origin), fits[matched]]);
      this.#deals.add(fit, () => {
        const found = matches[matched] as DealHit['match'];
        return { row, product: rowAt(product), key, origin, match: found, notices: [] };
      });
    }
  }

  takeLeftOut(notice: Notice): void {
    this.#notePlace(notice);
    const { code, source, file, line, record, product } = notice;
    const ofProduct = product === undefined ? undefined : this.#byKey.get(product)?.leftOut;
    if (ofProduct !== undefined) {
      const counted = ofProduct.get(code) ?? { count: 0, first: [] };
      counted.count++;
      if (counted.first.length < NAMED_DEALS) counted.first.push({ source, file, line, record });
      ofProduct.set(code, counted);
    }
    this.#leftOut.add(this.#fitNotice(notice), () => notice);
  }

  /** A notice about a record that was found is told with it. */
  takeNotice(notice: Notice): void {
    const isAtOrigin = ({ origin }: { readonly origin: SourceLocation }): boolean =>
      notice.source === origin.source && notice.file === origin.file && notice.line === origin.line;
    // In a JSON file with several lists, a line is a position in one of them.
    const product = this.#byKey.get(notice.record ?? '');
    const owners = [
      ...(product !== undefined && isAtOrigin(product) ? [product] : []),
      ...this.#deals.listed.filter(isAtOrigin),
    ];
    for (const { notices } of owners) notices.push(notice);
    if (owners.length === 0) this.#notices.add(this.#fitNotice(notice), () => notice);
  }

  async finish(report: SnapshotReport, target: TriedTarget | undefined): Promise<Explanation> {
    const { manifest, index } = this.#snapshot;
    const lastDeals = new Map(report.withoutDeals?.map(({ product, lastDeal }) => [product, lastDeal]));
    const names = new Hits<SnapshotReport['unmatchedNames'][number]>();
    for (const unmatched of report.unmatchedNames) names.add(this.#words.fitName(unmatched.name), () => unmatched);
    const all = [this.#products, this.#deals, this.#others, this.#leftOut, this.#notices, names];
    const isNothing = all.every(({ count }) => count === 0);
    return {
      snapshot: manifest.id,
      asked: this.#words.text,
      ...(target === undefined ? {} : { target: target.text }),
      currencyLabel: index.currency.label,
      products: this.#products.finish((hit) => {
        const { name, slug, ...product } = index.products[hit.row] as ProductLine;
        const key = recordKey(product);
        const dealCount = countDeals(index, hit.row);
        const lastDeal = lastDeals.get(key);
        return {
          product: key,
          name,
          slug,
          dealCount,
          // Deals of a product are in order of total cost.
          ...(dealCount === 0 ? {} : { cheapest: describeDeal(index, index.firstDeal(hit.row)) }),
          dealsLeftOut: [...hit.leftOut]
            .map(([code, counted]) => ({ code, ...counted }))
            .sort((a, b) => b.count - a.count),
          ...(lastDeal === undefined ? {} : { lastDeal }),
          ...this.#describeServed(hit),
          ...(target === undefined ? {} : { answer: target.tryProduct(hit.row) }),
        };
      }),
      deals: this.#deals.finish((hit) => {
        const { row, product, key, match } = hit;
        const owner = index.products[product] as ProductLine;
        return {
          key,
          product: recordKey(owner),
          name: owner.name,
          ...describeDeal(index, row),
          match: { ...match, meaning: MATCH_RULE_MEANINGS[match.rule] },
          place: row - index.firstDeal(product) + 1,
          dealCount: countDeals(index, product),
          ...this.#describeServed(hit),
          ...(target === undefined ? {} : { answer: target.tryDeal(row, product) }),
        };
      }),
      others: this.#others.finish((other) => other),
      leftOut: this.#leftOut.finish(explainNotice),
      notices: this.#notices.finish(explainNotice),
      names: names.finish((name) => name),
      nearest: isNothing ? await this.#findNearest(report) : [],
    };
  }

  #describeServed({ origin, notices }: Pick<ProductHit, 'origin' | 'notices'>) {
    const source = this.#snapshot.manifest.sources.find(({ name }) => name === origin.source);
    const { freshAt, heldBecause = 'its source could not be read' } = source ?? {};
    const isHeld = source?.state === 'carried-forward';
    return {
      origin,
      ...(isHeld ? { held: { because: heldBecause, ...(freshAt === undefined ? {} : { since: freshAt }) } } : {}),
      notices: notices.map(explainNotice),
    };
  }

  #fitAny(names: readonly string[], place: Place): Fit | undefined {
    return bestFit([this.#words.fitLocation(place), ...names.map((name) => this.#words.fitName(name))]);
  }

  /** The value of a feed that led to the product; the id of the product itself says nothing of a deal. */
  #fitMatch(rule: DealHit['match']['rule'], found: string): Fit | undefined {
    if (isNameRule(rule)) return this.#words.fitName(found);
    return rule !== 'productId' && found === this.#words.text ? 'exact' : undefined;
  }

  /** A deal is asked for by its key, or by `retailer:key`. */
  #fitKey(key: string, retailer: string): Fit | undefined {
    return `${retailer}:${key}` === this.#words.text ? 'exact' : this.#words.fitKey(key);
  }

  #fitNotice(notice: Notice): Fit | undefined {
    const { code, record = '', retailer = '', found = '', names = [], matches } = notice;
    const { names: others = [], gtins = [], feedIds = {} } = matches ?? {};
    const words = this.#words;
    const exact = [code, record.split('/')[0], ...gtins, ...Object.values(feedIds).flat(), ...found.split(', ')];
    if (exact.includes(words.text)) return 'exact';
    return bestFit([this.#fitKey(record, retailer), this.#fitAny([...names, ...others, found], notice)]);
  }

  #notePlace({ source, file, line }: Place): void {
    const { location } = this.#words;
    if (location?.line === undefined || line === undefined || file === undefined) return;
    if (!`/${file}`.endsWith(`/${location.file}`) && !location.file?.endsWith(`/${file}`)) return;
    const distance = Math.abs(line - location.line);
    if (distance < (this.#nearestPlace?.distance ?? Infinity)) this.#nearestPlace = { source, file, line, distance };
  }

  /** The nearest record of the file asked for, else the nearest words. */
  async #findNearest({ unmatchedNames }: SnapshotReport): Promise<readonly string[]> {
    const { manifest, index } = this.#snapshot;
    if (this.#nearestPlace !== undefined) return [createLocationFormatter(manifest.sources)(this.#nearestPlace)];
    const others = [...listOthers(index)];
    // Perhaps its other condition.
    const [id = ''] = this.#words.text.split('/');
    const nearest = new Set(index.rowsOfId(id).map((row) => recordKey(index.products[row] as ProductLine)));
    for (const list of [
      index.products.map(({ id }) => id),
      [...index.products, ...others].map(({ slug }) => slug),
      [...index.products, ...others, ...unmatchedNames].map(({ name }) => name),
    ]) {
      const word = findNearestWord(this.#words.text, new Set(list));
      if (word !== undefined) nearest.add(word);
      // Each list takes a while: requests run in between.
      await nextTick();
    }
    return [...nearest];
  }
}

function* listOthers(index: CatalogueIndex): Generator<OtherRecord> {
  for (const { id, slug, name } of index.gifts) yield { kind: 'gift', id, slug, name };
  for (const { id, slug, name } of index.giftCategories) yield { kind: 'gift category', id, slug, name };
  for (const { id, slug, name } of index.networks) yield { kind: 'network', id, slug, name };
  for (const { id, slug, name } of index.retailers) yield { kind: 'retailer', id, slug, name };
  for (const { slug, name } of index.manufacturers) yield { kind: 'manufacturer', slug, name };
}

function explainNotice(notice: Notice): ExplainedNotice {
  const { outcome, meaning, remedy } = NOTICES[notice.code];
  return { ...notice, outcome, meaning, remedy: notice.remedy ?? remedy };
}

function countDeals(index: CatalogueIndex, product: ProductRow): number {
  return index.endOfDeals(product) - index.firstDeal(product);
}

function describeDeal({ deals, plans, networks, retailers }: CatalogueIndex, row: DealRow): DealFacts {
  // Plans, networks and retailers were checked when the snapshot was opened.
  const { network, contractMonths, dataMegabytes } = plans[deals.plan.at(row)] as Plan;
  return {
    retailer: retailers[deals.retailer.at(row)]?.slug ?? '',
    network: networks[network]?.slug ?? '',
    months: contractMonths,
    data: dataMegabytes === 'unlimited' ? dataMegabytes : `${formatGigabytes(dataMegabytes)} GB`,
    upfrontCost: formatPence(deals.upfrontPence.at(row)),
    monthlyCost: formatPence(deals.monthlyPence.at(row)),
    totalCost: formatPence(deals.totalPence.at(row)),
  };
}
