import { isNameRule } from '../../data/record/deal.ts';
import { recordKey } from '../../data/record/product.ts';
import type { Notice } from '../../data/report/notice.ts';
import { formatLocation, type Place, type SourceLocation } from '../../data/report/source-location.ts';
import type { Published } from '../../data/schema/published-schema.ts';
import { rowAt, type ProductRow } from '../../data/snapshot/catalogue-index.ts';
import type { ProductLine, RECORD_FILES } from '../../data/snapshot/format.ts';
import { parseLine } from '../../data/snapshot/snapshot-error.ts';
import { readSnapshotLines } from '../../data/store/lines.ts';
import type { LoadedSnapshot } from '../snapshot/load-snapshot.ts';
import { RecordWriter, type DealHit, type ExplainedRecord, type ProductHit } from './record-writer.ts';
import type { TriedTarget } from './tried-target.ts';

/** How many records of a kind are listed, unless fewer are asked for; all are counted. */
const MAX_LISTED = 100;

/** How many excluded deals of a product are named for each code. */
const NAMED_DEALS = 3;

/** What a snapshot says of the records that some words may mean: `deals explain --json` and `/status/explain.json`. */
export interface Explanation {
  readonly snapshot: string;
  readonly asked: string;
  /** The request whose answer is explained, too. */
  readonly target?: string | undefined;
  readonly count: number;
  /**
   * The first of each kind: products, deals, records that are left out, and notices about other records. Of each kind,
   * those that are what was asked for come first.
   */
  readonly records: readonly ExplainedRecord[];
}

interface ExplainOptions {
  /** A request for products, whose answer is explained, too. */
  readonly target?: TriedTarget | undefined;
  /** How many records of a kind are listed. */
  readonly maxListed?: number | undefined;
}

/**
 * Finds the products, deals and left-out records of a snapshot whose id, key, slug, name, code or place is or contains some words, and says what became
 * of each: where it was read, what was found, what to do, and whether the answer to a request has it. Served records are
 * in memory; the other files are read line by line.
 * @throws {SnapshotError} when a file is not what was published
 */
export async function explain(
  store: string,
  snapshot: LoadedSnapshot,
  asked: string,
  { target, maxListed = MAX_LISTED }: ExplainOptions = {},
): Promise<Explanation> {
  const { manifest, index } = snapshot;
  const words = new Words(asked);
  const read = async <File extends RecordFile>(file: File, take: (value: Published<File>) => void): Promise<void> => {
    let line = 0;
    for await (const bytes of readSnapshotLines(store, manifest, file)) {
      // The build has checked every line against its schema.
      take(parseLine(file, bytes, ++line) as Published<File>);
    }
  };

  const products = new Hits<ProductHit>(maxListed);
  const origins: SourceLocation[] = [];
  await read('product-origins.ndjson', (origin) => origins.push(origin));
  // Those with the most deals come first.
  const countOf = (row: ProductRow): number => index.endOfDeals(row) - index.firstDeal(row);
  for (const row of Array.from(index.products.keys(), rowAt<'product'>).sort((a, b) => countOf(b) - countOf(a))) {
    // Every product has a line.
    const [product, origin] = [index.products[row] as ProductLine, origins[row] as SourceLocation];
    const key = recordKey(product);
    const fit = words.fit({
      exact: [product.id, key],
      names: [product.slug, product.name],
      place: origin,
    });
    products.add(fit, { row, key, origin, leftOut: new Map(), notices: [] });
  }
  const productOfKey = new Map(products.listed.map((hit) => [hit.key, hit]));

  const deals = new Hits<DealHit>(maxListed);
  let dealRow = 0;
  // Lines have the deals of a snapshot in the order of their rows, and all arrays of a line have the same length.
  await read('provenance.ndjson', ({ product, source, file, line, key: keys, matches, match }) => {
    const matchFits = matches.map(({ rule, found }) => {
      if (isNameRule(rule)) return words.fit({ names: [found] });
      // The id of the product itself says nothing of a deal.
      return rule === 'productId' ? undefined : words.fit({ exact: [found] });
    });
    for (const [position, key] of keys.entries()) {
      const row = rowAt<'deal'>(dealRow++);
      const origin = { source: source[position], file: file[position], line: line[position] } as DealHit['origin'];
      const matched = match[position] as number;
      const retailer = index.retailers[index.deals.retailer.at(row)]?.slug ?? '';
      const fit = words.fit({ exact: [`${retailer}:${key}`], key, place: origin });
      const found = { row, product: rowAt<'product'>(product), key, retailer, origin, notices: [] };
      const better = fit === 'exact' ? fit : (matchFits[matched] ?? fit);
      deals.add(better, { ...found, match: matches[matched] as DealHit['match'] });
    }
  });

  const leftOut = new Hits<Notice>(maxListed);
  await read('quarantine.ndjson', (notice) => {
    const ofProduct = productOfKey.get(notice.product ?? '')?.leftOut;
    const ofCode = ofProduct?.get(notice.code) ?? { count: 0, first: [] };
    ofProduct?.set(notice.code, ofCode);
    if (ofCode.count++ < NAMED_DEALS) ofCode.first.push(notice);
    leftOut.add(fitNotice(words, notice), notice);
  });

  const notices = new Hits<Notice>(maxListed);
  await read('notices.ndjson', (notice) => {
    // In a JSON file with several lists, a line is a position in one of them: a product is compared by its key, too.
    const product = productOfKey.get(notice.record ?? '');
    const owners = [...(product === undefined ? [] : [product]), ...deals.listed].filter(
      ({ origin }) => notice.source === origin.source && notice.file === origin.file && notice.line === origin.line,
    );
    // A notice about a record that was found is told with it.
    for (const owner of owners) owner.notices.push(notice);
    if (owners.length === 0) notices.add(fitNotice(words, notice), notice);
  });

  const count = [products, deals, leftOut, notices].reduce((sum, hits) => sum + hits.count, 0);
  const writer = new RecordWriter(snapshot, target);
  return {
    snapshot: manifest.id,
    asked: words.text,
    target: target?.text,
    count,
    records: [
      ...products.listed.map((hit) => writer.writeProduct(hit)),
      ...deals.listed.map((hit) => writer.writeDeal(hit)),
      ...leftOut.listed.map((notice) => writer.writeNotice('left-out', notice)),
      ...notices.listed.map((notice) => writer.writeNotice('notice', notice)),
    ],
  };
}

type RecordFile = (typeof RECORD_FILES)[number];

/** The first hits of a kind: exact ones, then the others, in the order in which they were found. */
class Hits<Item> {
  count = 0;
  readonly #maxListed: number;
  readonly #exact: Item[] = [];
  readonly #parts: Item[] = [];

  constructor(maxListed: number) {
    this.#maxListed = maxListed;
  }

  get listed(): readonly Item[] {
    return [...this.#exact, ...this.#parts].slice(0, this.#maxListed);
  }

  add(fit: Fit | undefined, item: Item): void {
    if (fit === undefined) return;
    this.count++;
    const hits = fit === 'exact' ? this.#exact : this.#parts;
    if (hits.length < this.#maxListed) hits.push(item);
  }
}

function fitNotice(words: Words, notice: Notice): Fit | undefined {
  const { code, record = '', retailer = '', found = '', names = [] } = notice;
  return words.fit({
    exact: [code, record.split('/')[0], `${retailer}:${record}`, ...found.split(', ')],
    key: record,
    names: [...names, found],
    place: notice,
  });
}

/** How a record fits what is asked for: it is that, or contains it. */
type Fit = 'exact' | 'part';

/** Shorter words are a part of nearly every name. */
const MIN_PART_LENGTH = 3;
/** Short numbers are a part of many keys. */
const MIN_KEY_PART_LENGTH = 5;

/** What a record is called, and where it was read. */
interface Called {
  /** Texts that are only found whole. */
  readonly exact?: readonly (string | undefined)[];
  readonly key?: string | undefined;
  /** Found by some of their words, regardless of case and spacing. */
  readonly names?: readonly string[];
  readonly place?: Place | undefined;
}

/** What a person asks about: an id, key, slug, name or code, or words of one, or a place in a file. */
class Words {
  readonly text: string;
  readonly #folded: string;
  readonly #words: readonly string[];

  constructor(text: string) {
    this.text = text.trim();
    this.#folded = fold(text);
    this.#words = this.#folded.split(' ');
  }

  /** How a record fits. */
  fit({ exact = [], key, names = [], place }: Called): Fit | undefined {
    // An empty text is a part of every name.
    if (this.text === '') return undefined;
    if (exact.includes(this.text) || (place !== undefined && formatLocation(place) === this.text)) return 'exact';
    const fits = names.map((name) => this.#fitText(fold(name), MIN_PART_LENGTH));
    if (key !== undefined) fits.push(this.#fitText(key.toLowerCase(), MIN_KEY_PART_LENGTH));
    return fits.find((fit) => fit === 'exact') ?? fits.find((fit) => fit !== undefined);
  }

  #fitText(folded: string, minLength: number): Fit | undefined {
    if (folded === this.#folded) return 'exact';
    if (this.#folded.length < minLength) return undefined;
    return this.#words.every((word) => folded.includes(word)) ? 'part' : undefined;
  }
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}
