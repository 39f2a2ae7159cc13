import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { ManifestSource } from '../../data/report/report.ts';
import {
  isPlace,
  namesDeal,
  namesLeftOut,
  namesProduct,
  normaliseName,
  parseSubject,
  type Subject,
} from '../../data/report/subject.ts';
import type { ProductOriginLine, ProvenanceLine } from '../../data/snapshot/format.ts';
import { rowAt } from '../../data/snapshot/row.ts';
import type { OpenSnapshot } from '../snapshot/open-snapshot.ts';
import { Turn } from '../snapshot/turn.ts';
import {
  describeDeal,
  describeNotice,
  describeProduct,
  findFirstRow,
  retailerOf,
  type Noticed,
} from './describe-found.ts';
import { findNearest } from './find-nearest.ts';
import { listFile } from './listed-file.ts';
import type { Counted, FoundDeal, FoundNotice, FoundProduct, Place, RecordSearch } from './record-search.ts';
import { scanLines } from './scan-lines.ts';
import type { ReportStatus } from './snapshot-report.ts';

/** How many of each kind are listed; all are counted. */
const MAX_LISTED = 20;

/** Shorter words are part of nearly every name. */
const MIN_PART_LENGTH = 3;

/**
 * Looks a word up: a product by id, `id/condition`, slug, name or a part of it; a deal by key or `retailer:key`; either by
 * `file:line`. What is served is in memory; the rest is read from the files, a chunk at a time.
 * @throws {SnapshotError} `unknown-snapshot` when the snapshot is no longer in the store, else what is wrong with a file
 */
export async function searchRecords(
  store: string,
  snapshot: OpenSnapshot,
  report: ReportStatus,
  text: string,
  signal: AbortSignal,
): Promise<RecordSearch> {
  const subject = parseSubject(text, snapshot.index);
  const search = new Search(store, snapshot, subject, signal);
  const products = await search.findProducts();
  const deals = await search.findDeals();
  const leftOut = await search.findLeftOut();
  await search.addNotices(products.items, deals.items);
  const unmatchedNames = report.unmatchedNames
    .filter(({ name }) => isPartOf(subject, normaliseName(name)))
    .slice(0, MAX_LISTED);
  const gone = (report.changes?.productsGone.items ?? []).filter(
    ({ product, name }) => product === text || product.startsWith(`${text}/`) || isPartOf(subject, normaliseName(name)),
  );
  const isNothing = [products.count, deals.count, leftOut.count, unmatchedNames.length, gone.length].every(
    (n) => n === 0,
  );
  const { products: all, productNameKeys } = snapshot.index;
  const unmatched = report.unmatchedNames.map(({ name }) => name);
  const known = { products: all, productNameKeys, unmatchedNames: unmatched };
  return {
    asked: text,
    snapshot: snapshot.manifest.id,
    currencyLabel: snapshot.index.currency.label,
    products,
    deals,
    leftOut,
    unmatchedNames,
    gone,
    nearest: isNothing ? await new Turn().take(findNearest(subject, known)) : [],
  };
}

class Search {
  readonly #store: string;
  readonly #snapshot: OpenSnapshot;
  readonly #subject: Subject;
  readonly #signal: AbortSignal;
  readonly #sources: ReadonlyMap<string, ManifestSource>;

  constructor(store: string, snapshot: OpenSnapshot, subject: Subject, signal: AbortSignal) {
    this.#store = store;
    this.#snapshot = snapshot;
    this.#subject = subject;
    this.#signal = signal;
    this.#sources = new Map(snapshot.manifest.sources.map((source) => [source.name, source]));
  }

  async findProducts(): Promise<Counted<Noticed<FoundProduct>>> {
    const { products } = this.#snapshot.index;
    const exact: { readonly row: number; readonly origin: Place }[] = [];
    const others: typeof exact = [];
    let row = 0;
    await this.#scan('product-origins.ndjson', (line) => {
      const product = products[row];
      if (product !== undefined) {
        const isPart = isPartOf(this.#subject, normaliseName(product.name)) || isPartOf(this.#subject, product.slug);
        const isExact = namesProduct(this.#subject, product);
        if (isPart || isExact || this.#subject.place !== undefined) {
          const { source, file, line: number } = JSON.parse(line.toString('utf8')) as ProductOriginLine;
          const origin = { source, file, line: number };
          if (isExact || isPlace(this.#subject, origin)) exact.push({ row, origin });
          else if (isPart) others.push({ row, origin });
        }
      }
      row++;
    });
    const found = [...exact, ...others];
    const items = found
      .slice(0, MAX_LISTED)
      .map(({ row, origin }) => describeProduct(this.#snapshot, rowAt<'product'>(row), origin));
    return { count: found.length, items };
  }

  async findDeals(): Promise<Counted<Noticed<FoundDeal>>> {
    const { text, place, deal } = this.#subject;
    const keys = [text, ...(deal === undefined ? [] : [deal.key])].map((key) => Buffer.from(JSON.stringify(key)));
    const placeMarks =
      place === undefined ? [] : [JSON.stringify(place.file), String(place.line)].map((mark) => Buffer.from(mark));
    // Without any of them a line of some thousand deals need not be taken apart.
    const mayHold = (bytes: Buffer): boolean =>
      keys.some((key) => bytes.includes(key)) ||
      (placeMarks.length > 0 && placeMarks.every((mark) => bytes.includes(mark)));
    const items: Noticed<FoundDeal>[] = [];
    let count = 0;
    const runs = new RunCounter();
    await this.#scan('provenance.ndjson', (bytes) => {
      const before = runs.count(bytes);
      if (!mayHold(bytes)) return;
      const line = JSON.parse(bytes.toString('utf8')) as ProvenanceLine;
      const first = findFirstRow(this.#snapshot, line, before);
      for (const [position, key] of line.key.entries()) {
        const row = first === undefined ? undefined : rowAt<'deal'>(first + position);
        const isMeant =
          namesDeal(this.#subject, key, row === undefined ? undefined : retailerOf(this.#snapshot, row)) ||
          isPlace(this.#subject, { file: line.file[position], line: line.line[position] });
        if (!isMeant) continue;
        count++;
        if (items.length < MAX_LISTED) items.push(describeDeal(this.#snapshot, line, position, row));
      }
    });
    return { count, items };
  }

  async findLeftOut(): Promise<Counted<FoundNotice>> {
    const subject = this.#subject;
    const words = [subject.text, subject.deal?.key, subject.place?.file].filter((word) => word !== undefined);
    const marks = [
      // A record of the CMS is called by names in any case; an id is the beginning of `101/new`.
      '"names":',
      ...words.map((word) => JSON.stringify(word).slice(1, -1)),
    ].map((text) => Buffer.from(text));
    const items: FoundNotice[] = [];
    let count = 0;
    await this.#scan('quarantine.ndjson', (line) => {
      if (!marks.some((mark) => line.includes(mark))) return;
      const notice = JSON.parse(line.toString('utf8')) as Notice;
      const isMeant =
        namesLeftOut(subject, notice, this.#sources.get(notice.source)?.kind) ||
        (notice.names ?? []).some((name) => isPartOf(subject, normaliseName(name)));
      if (!isMeant) return;
      count++;
      if (items.length < MAX_LISTED) items.push(describeNotice(notice));
    });
    return { count, items };
  }

  /** What was found about records that are served all the same. */
  async addNotices(products: readonly Noticed<FoundProduct>[], deals: readonly Noticed<FoundDeal>[]): Promise<void> {
    const found = [
      // A file of a CMS has several lists, and a line is a position in one of them.
      ...products.map(({ origin, notices, product }) => ({ origin, notices, record: product })),
      ...deals.map(({ origin, notices }) => ({ origin, notices, record: undefined })),
    ];
    const marks = [...new Set(found.map(({ origin }) => origin?.line))]
      .filter((line) => line !== undefined)
      .map((line) => Buffer.from(`"line":${line}`));
    if (marks.length === 0) return;
    await this.#scan('notices.ndjson', (bytes) => {
      if (!marks.some((mark) => bytes.includes(mark))) return;
      const notice = JSON.parse(bytes.toString('utf8')) as Notice;
      if (NOTICES[notice.code].outcome !== 'notice') return;
      for (const { origin, notices, record } of found) {
        const isAt = notice.source === origin?.source && notice.file === origin.file && notice.line === origin.line;
        if (isAt && (record === undefined || record === notice.record)) notices.push(describeNotice(notice));
      }
    });
  }

  #scan(
    name: 'product-origins.ndjson' | 'provenance.ndjson' | 'quarantine.ndjson' | 'notices.ndjson',
    take: (line: Buffer) => void,
  ): Promise<unknown> {
    const file = listFile(this.#store, this.#snapshot.manifest, name);
    return scanLines(file, { signal: this.#signal }, (line) => {
      take(line);
      return true;
    });
  }
}

/** Counts the lines of the same product before a line, by its beginning `{"product":12,`. */
class RunCounter {
  #beginning = '';
  #before = 0;

  count(line: Buffer): number {
    const beginning = line.toString('latin1', 0, line.indexOf(','));
    this.#before = beginning === this.#beginning ? this.#before + 1 : 0;
    this.#beginning = beginning;
    return this.#before;
  }
}

/** @param name as names are compared */
function isPartOf({ name: part }: Subject, name: string): boolean {
  return part.length >= MIN_PART_LENGTH && name.includes(part);
}
