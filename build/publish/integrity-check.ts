import { compareIds } from '../../data/record/id.ts';
import { compareVariants, isWebUrl, recordKey } from '../../data/record/product.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { Published } from '../../data/schema/published-schema.ts';
import { changeKindsSchema, type ChangeKind, type ChangeKinds, type Changes } from '../../data/snapshot/changes.ts';
import type {
  DealsLine,
  Dictionaries,
  GiftCategoryLine,
  GiftLine,
  Manifest,
  PictureLine,
  ProductLine,
  ProductOriginLine,
  ProvenanceLine,
  SnapshotFile,
} from '../../data/snapshot/format.ts';
import { findRepeatedPoint } from '../../data/snapshot/price-history.ts';
import type { SnapshotErrorDetails } from '../../data/snapshot/snapshot-error.ts';

type IntegrityError = Extract<SnapshotErrorDetails, { code: 'malformed-file' }>;

const DEAL_ARRAYS = [
  'plan',
  'retailer',
  'totalPence',
  'upfrontPence',
  'monthlyPence',
  'gift',
  'cashback',
  'picture',
  'linkTemplate',
  'linkPart',
] as const satisfies readonly (keyof DealsLine)[];

const PROVENANCE_ARRAYS = [
  'source',
  'file',
  'line',
  'key',
  'match',
] as const satisfies readonly (keyof ProvenanceLine)[];

/** What stands behind the host decides nothing about a web address, as long as it has neither spaces nor controls. */
const HAS_WHOLE_HOST = /^https?:\/\/[^/?#]+[/?#]/i;
const PLAIN_PART = /^[\w.~-]*$/;

/**
 * Checks what the schema of a single line cannot: every code has its entry, every path its picture, parallel arrays
 * have equal lengths, and lists are in their order. It takes the valid lines of a snapshot in the order of
 * `SNAPSHOT_FILES` and collects every error.
 */
export class IntegrityCheck {
  readonly errors: IntegrityError[] = [];
  #dictionaries: Dictionaries | undefined;
  /** By template, whether all its links with a plain part are web addresses. */
  #isSoundTemplate: readonly boolean[] = [];
  readonly #variants = new Set<string>();
  /** By row. */
  readonly #variantOf: string[] = [];
  #productRowCount = 0;
  #lastProduct: ProductLine | undefined;
  readonly #gifts = new Map<string, GiftLine>();
  #lastGiftId: string | undefined;
  #lastCategoryId: string | undefined;
  #giftCategoryCount = 0;
  readonly #pictures = new Map<string, PictureLine>();
  readonly #usedPictures = new Set<string>();
  #lastPicturePath = '';
  #lastDealsProduct = -1;
  #lastRank = -1;
  /** Of every deal, in the order of the file. */
  readonly #ranks: number[] = [];
  readonly #totals: number[] = [];
  readonly #dealsLines: { readonly product: number; readonly rowCount: number }[] = [];
  #provenanceLineCount = 0;
  #originLineCount = 0;
  #changes: Changes | undefined;
  #quarantinedCount = 0;

  get pictures(): readonly PictureLine[] {
    return [...this.#pictures.values()];
  }

  take<File extends SnapshotFile>(file: File, value: Published<File>, line: number): void {
    const takers: { readonly [Name in SnapshotFile]: (value: Published<Name>, line: number) => void } = {
      'dictionaries.json': (dictionaries) => this.#takeDictionaries(dictionaries),
      'products.ndjson': (product) => this.#takeProduct(product, line),
      'gifts.ndjson': (gift) => this.#takeGift(gift, line),
      'gift-categories.ndjson': (category) => this.#takeGiftCategory(category, line),
      'pictures.ndjson': (picture) => this.#takePicture(picture, line),
      'deals.ndjson': (deals) => this.#takeDeals(deals, line),
      'provenance.ndjson': (provenance) => this.#takeProvenance(provenance, line),
      'quarantine.ndjson': (notice) => {
        if (NOTICES[notice.code].outcome === 'quarantined') this.#quarantinedCount++;
      },
      'product-origins.ndjson': (origin) => this.#takeProductOrigin(origin, line),
      'notices.ndjson': (notice) => this.#takeNoted(notice, line),
      'report.json': () => {},
      'changes.json': (changes) => {
        this.#changes = changes;
      },
    };
    takers[file](value, line);
  }

  /** Checks what is known only at the end, and returns the counts. */
  finish(): Manifest['counts'] {
    this.#checkPictureUse();
    this.#checkRanks();
    if (this.#provenanceLineCount !== this.#dealsLines.length) {
      this.#addError(
        'provenance.ndjson',
        undefined,
        `${this.#dealsLines.length} lines, one for each of deals.ndjson`,
        this.#provenanceLineCount,
      );
    }
    if (this.#originLineCount !== this.#productRowCount) {
      const expected = `${this.#productRowCount} lines, one for each of products.ndjson`;
      this.#addError('product-origins.ndjson', undefined, expected, this.#originLineCount);
    }
    this.#checkChanges();
    const dictionaries = this.#dictionaries;
    return {
      products: this.#productRowCount,
      deals: this.#ranks.length,
      gifts: this.#gifts.size,
      giftCategories: this.#giftCategoryCount,
      networks: dictionaries?.networks.length ?? 0,
      retailers: dictionaries?.retailers.length ?? 0,
      manufacturers: dictionaries?.manufacturers.length ?? 0,
      pictures: this.#pictures.size,
      quarantined: this.#quarantinedCount,
    };
  }

  #takeDictionaries(dictionaries: Dictionaries): void {
    this.#dictionaries = dictionaries;
    this.#isSoundTemplate = dictionaries.linkTemplates.map(
      ({ prefix, suffix }) => HAS_WHOLE_HOST.test(prefix) && isWebUrl(`${prefix}0${suffix}`),
    );
    const file = 'dictionaries.json';
    for (const name of ['networks', 'retailers', 'manufacturers'] as const) {
      const records: readonly { readonly slug: string; readonly id?: string }[] = dictionaries[name];
      this.#checkDistinct(
        file,
        `${name}.slug`,
        records.map(({ slug }) => slug),
      );
      this.#checkDistinct(
        file,
        `${name}.id`,
        records.flatMap(({ id }) => (id === undefined ? [] : [id])),
      );
    }
    for (const [position, plan] of dictionaries.plans.entries()) {
      if (plan.network >= dictionaries.networks.length) {
        this.#addError(file, 1, `plans[${position}].network below ${dictionaries.networks.length}`, plan.network);
      }
    }
    for (const { logos } of [...dictionaries.networks, ...dictionaries.retailers]) this.#usePictures(logos);
    for (const { image } of dictionaries.gifts) this.#usePictures({ image });
  }

  #takeProduct(product: ProductLine, line: number): void {
    const file = 'products.ndjson';
    const variant = recordKey(product);
    if (this.#variants.has(variant)) this.#addError(file, line, 'each id and condition once', variant);
    this.#variants.add(variant);
    this.#variantOf.push(variant);
    if (this.#lastProduct !== undefined && compareVariants(this.#lastProduct, product) > 0) {
      this.#addError(file, line, 'products in order of id, new first', variant);
    }
    this.#lastProduct = product;
    this.#productRowCount++;
    const { manufacturer } = product;
    if (
      manufacturer !== undefined &&
      this.#dictionaries?.manufacturers.every(({ slug }) => slug !== manufacturer) === true
    ) {
      this.#addError(file, line, 'a manufacturer of dictionaries.json', manufacturer);
    }
    this.#usePictures(product.images);
    const repeated = findRepeatedPoint(product.priceHistory);
    if (repeated !== undefined) this.#addError(file, line, 'price points that differ', repeated);
  }

  #takeGift(gift: GiftLine, line: number): void {
    if (this.#lastGiftId !== undefined && compareIds(this.#lastGiftId, gift.id) >= 0) {
      this.#addError('gifts.ndjson', line, 'gifts in order of id, each once', gift.id);
    }
    this.#lastGiftId = gift.id;
    this.#gifts.set(gift.id, gift);
    this.#usePictures(gift.images);
  }

  #takeGiftCategory(category: GiftCategoryLine, line: number): void {
    const file = 'gift-categories.ndjson';
    if (this.#lastCategoryId !== undefined && compareIds(this.#lastCategoryId, category.id) >= 0) {
      this.#addError(file, line, 'gift categories in order of id, each once', category.id);
    }
    this.#lastCategoryId = category.id;
    this.#giftCategoryCount++;
    for (const { id, name, slug } of category.gifts) {
      const gift = this.#gifts.get(id);
      if (gift?.name !== name || gift.slug !== slug) this.#addError(file, line, 'gifts of gifts.ndjson', id);
    }
    this.#usePictures(category.images);
  }

  #takePicture(picture: PictureLine, line: number): void {
    if (picture.path <= this.#lastPicturePath) {
      this.#addError('pictures.ndjson', line, 'pictures in order of path, each once', picture.path);
    }
    this.#lastPicturePath = picture.path;
    this.#pictures.set(picture.path, picture);
  }

  #takeDeals(deals: DealsLine, line: number): void {
    const file = 'deals.ndjson';
    const rowCount = deals.rank.length;
    this.#dealsLines.push({ product: deals.product, rowCount });
    for (const name of DEAL_ARRAYS) {
      const cells = deals[name];
      if (cells !== undefined && cells.length !== rowCount) {
        this.#addError(file, line, `${rowCount} values in ${name}`, cells.length);
      }
    }
    if (deals.product < this.#lastDealsProduct || deals.product >= this.#productRowCount) {
      this.#addError(
        file,
        line,
        `a product row from ${Math.max(0, this.#lastDealsProduct)} to ${this.#productRowCount - 1}`,
        deals.product,
      );
    }
    if (deals.product !== this.#lastDealsProduct) this.#lastRank = -1;
    this.#lastDealsProduct = deals.product;
    this.#takeRanks(deals, line);
    this.#checkNumbers(deals, line);
    this.#checkLinks(deals, line);
  }

  #takeRanks(deals: DealsLine, line: number): void {
    for (const [position, rank] of deals.rank.entries()) {
      if (rank <= this.#lastRank) {
        this.#addError('deals.ndjson', line, `rank[${position}] above ${this.#lastRank}`, rank);
      }
      this.#lastRank = rank;
      this.#ranks.push(rank);
      this.#totals.push(deals.totalPence[position] ?? 0);
    }
  }

  #checkNumbers(deals: DealsLine, line: number): void {
    const dictionaries = this.#dictionaries;
    if (dictionaries === undefined) return;
    const limits = {
      plan: dictionaries.plans.length,
      retailer: dictionaries.retailers.length,
      linkTemplate: dictionaries.linkTemplates.length,
      // 0 means none here, so the code of the last entry is the length itself.
      gift: dictionaries.gifts.length + 1,
      cashback: dictionaries.cashbacks.length + 1,
      picture: dictionaries.pictures.length + 1,
    } as const;
    for (const [name, limit] of Object.entries(limits)) {
      const numbers = deals[name as keyof typeof limits] ?? [];
      for (const [position, number] of numbers.entries()) {
        if (number >= limit) this.#addError('deals.ndjson', line, `${name}[${position}] below ${limit}`, number);
      }
    }
  }

  #checkLinks(deals: DealsLine, line: number): void {
    for (const [position, part] of deals.linkPart.entries()) {
      const code = deals.linkTemplate[position] ?? -1;
      if (this.#isSoundTemplate[code] === true && PLAIN_PART.test(part)) continue;
      const template = this.#dictionaries?.linkTemplates[code];
      if (template === undefined) continue;
      const link = `${template.prefix}${part}${template.suffix}`;
      if (!isWebUrl(link)) this.#addError('deals.ndjson', line, `an http or https link at ${position}`, link);
    }
  }

  #takeProvenance(provenance: ProvenanceLine, line: number): void {
    const file = 'provenance.ndjson';
    const deals = this.#dealsLines[this.#provenanceLineCount++];
    if (deals === undefined) return;
    if (provenance.product !== deals.product) {
      this.#addError(file, line, `product ${deals.product}, as in deals.ndjson`, provenance.product);
    }
    for (const name of PROVENANCE_ARRAYS) {
      const { length } = provenance[name];
      if (length !== deals.rowCount) this.#addError(file, line, `${deals.rowCount} values in ${name}`, length);
    }
    for (const [position, number] of provenance.match.entries()) {
      const limit = provenance.matches.length;
      if (number >= limit) this.#addError(file, line, `match[${position}] below ${limit}`, number);
    }
  }

  #takeProductOrigin(origin: ProductOriginLine, line: number): void {
    const expected = this.#variantOf[this.#originLineCount++];
    const variant = recordKey(origin);
    if (expected === undefined || variant === expected) return;
    this.#addError('product-origins.ndjson', line, `${expected}, as in products.ndjson`, variant);
  }

  #takeNoted({ code }: Notice, line: number): void {
    const { outcome } = NOTICES[code];
    if (outcome === 'notice' || outcome === 'source') return;
    this.#addError('notices.ndjson', line, 'a code about what is served; the others are in quarantine.ndjson', code);
  }

  /**
   * The counted changes lead from the earlier totals to those of this snapshot, and every list says how many items it
   * omits.
   */
  #checkChanges(): void {
    const changes = this.#changes;
    if (changes === undefined) return;
    const file = 'changes.json';
    for (const [kind, { count, omitted, items }] of changeListsOf(changes)) {
      if (count !== omitted + items.length) {
        this.#addError(file, undefined, `${kind}.count ${omitted + items.length}, listed and omitted`, count);
      }
    }
    const { before, after, productsNew, productsGone, dealsNew, dealsGone } = changes;
    const expect = (what: string, expected: number, got: number) => {
      if (expected !== got) this.#addError(file, undefined, `${what} ${expected}`, got);
    };
    expect('after.products', this.#productRowCount, after.products);
    expect('after.deals', this.#ranks.length, after.deals);
    expect('after.products', before.products + productsNew.count - productsGone.count, after.products);
    expect('after.deals', before.deals + dealsNew.count - dealsGone.count, after.deals);
    if ((changes.from === undefined) !== (changes.reason !== undefined)) {
      this.#addError(file, undefined, 'either the snapshot before or the reason why there is none', 'both or neither');
    }
  }

  #checkDistinct(file: SnapshotFile, field: string, words: readonly string[]): void {
    const seen = new Set<string>();
    for (const word of words) {
      if (seen.has(word)) this.#addError(file, 1, `each ${field} once`, word);
      seen.add(word);
    }
  }

  #usePictures(urls: Readonly<Record<string, string | undefined>>): void {
    for (const url of Object.values(urls)) {
      if (url?.startsWith('/') === true) this.#usedPictures.add(url);
    }
  }

  #checkPictureUse(): void {
    for (const path of this.#usedPictures) {
      if (!this.#pictures.has(path)) this.#addError('pictures.ndjson', undefined, `a line for ${path}`, 'none');
    }
    for (const path of this.#pictures.keys()) {
      if (!this.#usedPictures.has(path))
        this.#addError('pictures.ndjson', undefined, `a record that shows ${path}`, 'none');
    }
  }

  /** Ranks are a permutation of the rows, and follow the total cost over the whole catalogue (D14). */
  #checkRanks(): void {
    const rowCount = this.#ranks.length;
    const totalByRank = new Float64Array(rowCount).fill(-1);
    for (const [row, rank] of this.#ranks.entries()) {
      if (rank >= rowCount || totalByRank[rank] !== -1) {
        this.#addError('deals.ndjson', undefined, `each rank from 0 to ${rowCount - 1} once`, rank);
        continue;
      }
      totalByRank[rank] = this.#totals[row] ?? 0;
    }
    for (let rank = 1; rank < rowCount; rank++) {
      const before = totalByRank[rank - 1] ?? 0;
      const total = totalByRank[rank] ?? 0;
      if (total !== -1 && total < before) {
        this.#addError('deals.ndjson', undefined, `a total of at least ${before} pence at rank ${rank}`, total);
      }
    }
  }

  #addError(file: SnapshotFile, line: number | undefined, expected: string, got: string | number): void {
    this.errors.push({
      code: 'malformed-file',
      file,
      ...(line === undefined ? {} : { line }),
      expected,
      got: JSON.stringify(typeof got === 'string' ? got.slice(0, 80) : got),
    });
  }
}

function changeListsOf(changes: Changes): readonly (readonly [ChangeKind, ChangeKinds[ChangeKind]])[] {
  return (Object.keys(changeKindsSchema.shape) as ChangeKind[]).map((kind) => [kind, changes[kind]]);
}
