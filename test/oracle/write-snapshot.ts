import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVED_FILES, SNAPSHOT_FILES, type SnapshotFile } from '../../data/snapshot/format.ts';
import { dayOf, formatPriceHistory } from '../../data/snapshot/price-history.ts';
import { compareByCost, compareIds, compareTexts } from '../oracle.ts';
import type { OracleCatalogue, OracleDeal, OraclePricePoint } from './catalogue.ts';
import { giftOf } from './deal-json.ts';

export interface SnapshotOptions {
  /** Position in the order of snapshots; also makes the time in the id differ. */
  readonly sequence?: number;
  /** A run of more deals than this is cut into several lines. */
  readonly dealsPerLine?: number;
}

/**
 * Writes `catalogue` into `store` as a published snapshot and makes it current, without any code of the build, so that
 * the server can be held against the oracle alone. Returns the id of the snapshot.
 */
export function writeSnapshot(catalogue: OracleCatalogue, store: string, options: SnapshotOptions = {}): string {
  const { sequence = 1, dealsPerLine = 4096 } = options;
  const files = snapshotFiles(catalogue, dealsPerLine);
  const sealed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, { bytes: Buffer.byteLength(text), sha256: sha256(text) }]),
  );
  const contentHash = hashContent(sealed);
  const id = `20261119T${String(sequence).padStart(4, '0')}Z-${contentHash.slice(0, 8)}`;
  const manifest = {
    formatVersion: 1,
    id,
    sequence,
    createdAt: '2026-11-19T02:30:00Z',
    contentHash,
    counts: {
      products: catalogue.products.length,
      deals: catalogue.deals.length,
      gifts: catalogue.gifts.length,
      giftCategories: catalogue.giftCategories.length,
      networks: catalogue.networks.length,
      retailers: catalogue.retailers.length,
      manufacturers: catalogue.manufacturers.length,
      pictures: renderedPictures(catalogue).length,
      quarantined: 0,
    },
    files: sealed,
    sources: [
      {
        name: 'site',
        kind: 'cms',
        adapter: 'catalogue',
        state: 'fresh',
        freshAt: '2026-11-19T02:30:00Z',
        files: [],
        read: 0,
        kept: 0,
        duplicate: 0,
        outOfScope: 0,
        quarantined: 0,
      },
    ],
    gates: [],
  };
  const folder = join(store, id);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  for (const path of renderedPictures(catalogue)) {
    mkdirSync(dirname(join(store, path)), { recursive: true });
    writeFileSync(join(store, path), pictureBytes(path));
  }
  writeFileSync(join(store, 'current.json'), JSON.stringify({ snapshot: id }));
  return id;
}

/** The hash that ETags and cursors go by: over the names and hashes of the served files, and the host of pictures. */
export function hashContent(
  files: Readonly<Record<string, { readonly sha256: string }>>,
  imagesBaseUrl?: string,
): string {
  const lines = SERVED_FILES.map((name) => `${name} ${files[name]?.sha256}\n`);
  return sha256([...lines, ...(imagesBaseUrl === undefined ? [] : [`imagesBaseUrl ${imagesBaseUrl}\n`])].join(''));
}

/** What stands in for a picture: the server sends bytes and never looks into them. */
function pictureBytes(path: string): string {
  return `the bytes of ${path}`;
}

function snapshotFiles(catalogue: OracleCatalogue, dealsPerLine: number): Record<SnapshotFile, string> {
  const products = catalogue.products
    .map((product, position) => ({ product, position }))
    .sort((a, b) => compareIds(a.product.id, b.product.id) || compareTexts(a.product.condition, b.product.condition));
  const byCost = [...catalogue.deals].sort(compareByCost);
  const dictionaries = createDictionaries(catalogue);
  const dealLines: object[] = [];
  const provenanceLines: object[] = [];
  products.forEach(({ position }, row) => {
    const run = byCost.map((deal, rank) => ({ deal, rank })).filter(({ deal }) => deal.product === position);
    for (let start = 0; start < run.length; start += dealsPerLine) {
      const ranked = run.slice(start, start + dealsPerLine);
      dealLines.push(dealsLine(row, ranked, dictionaries));
      provenanceLines.push({
        product: row,
        source: ranked.map(({ deal }) => deal.feed),
        file: ranked.map(({ deal }) => `feeds/${deal.feed}.csv`),
        line: ranked.map(({ rank }) => rank + 2),
        key: ranked.map(({ deal }) => deal.key),
        matches: [{ rule: 'productId', found: products[row]?.product.id }],
        match: ranked.map(() => 0),
      });
    }
  });
  const byId = (a: { id: string }, b: { id: string }): number => compareIds(a.id, b.id);
  const texts: Record<SnapshotFile, string> = {
    'products.ndjson': lines(
      products.map(({ product }) => ({
        ...withoutEmpty(product),
        priceHistory: product.priceHistory && priceHistoryText(product.priceHistory),
      })),
    ),
    'gifts.ndjson': lines([...catalogue.gifts].sort(byId).map(withoutEmpty)),
    'gift-categories.ndjson': lines(
      [...catalogue.giftCategories].sort(byId).map((category) => ({
        ...withoutEmpty(category),
        gifts: category.gifts.flatMap((id) =>
          catalogue.gifts.filter((gift) => gift.id === id).map(({ id, name, slug }) => ({ id, name, slug })),
        ),
      })),
    ),
    'pictures.ndjson': lines(
      renderedPictures(catalogue).map((path) => ({
        path,
        bytes: Buffer.byteLength(pictureBytes(path)),
        sha256: sha256(pictureBytes(path)),
      })),
    ),
    'deals.ndjson': lines(dealLines),
    'provenance.ndjson': lines(provenanceLines),
    'product-origins.ndjson': lines(
      products.map(({ product: { id, condition }, position }) => ({
        id,
        condition,
        source: 'site',
        file: 'cms/site.json',
        line: position + 1,
      })),
    ),
    'quarantine.ndjson': '',
    'notices.ndjson': '',
    'report.json': JSON.stringify({ sources: [], notices: [], unmatchedNames: [], gates: [] }),
    'changes.json': JSON.stringify(changesFromNothing(catalogue)),
    // Last, since the lines above number what stands in it.
    'dictionaries.json': JSON.stringify(dictionaries.content()),
  };
  return Object.fromEntries(SNAPSHOT_FILES.map((name) => [name, texts[name]])) as Record<SnapshotFile, string>;
}

function priceHistoryText(points: readonly OraclePricePoint[]): string {
  return formatPriceHistory(
    points.map(({ date, dealCount, totalPence = 0, monthlyPence = 0, upfrontPence = 0 }) => {
      const prices = dealCount === 0 ? undefined : { totalPence, monthlyPence, upfrontPence };
      return { day: dayOf(new Date(date)), dealCount, ...(prices && { prices }) };
    }),
  );
}

/** A list that gives every distinct value a number. */
class Numbered {
  readonly entries: unknown[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(entry: unknown): number {
    const text = JSON.stringify(entry);
    const number = this.#numbers.get(text) ?? this.entries.length;
    if (number === this.entries.length) this.entries.push(entry);
    this.#numbers.set(text, number);
    return number;
  }
}

function createDictionaries(catalogue: OracleCatalogue) {
  const networks = [...catalogue.networks].sort((a, b) => compareIds(a.id, b.id));
  const retailers = [...catalogue.retailers].sort((a, b) => compareIds(a.id, b.id));
  const plans = new Numbered();
  const gifts = new Numbered();
  const cashbacks = new Numbered();
  const linkTemplates = new Numbered();
  const pictures = new Numbered();
  return {
    planOf: (deal: OracleDeal) =>
      plans.numberOf({
        network: networks.findIndex(({ id }) => id === deal.network),
        dealType: deal.dealType,
        contractName: deal.contractName,
        contractMonths: deal.contractMonths,
        dataMegabytes: deal.dataMegabytes,
        callMinutes: deal.callMinutes,
        textMessages: deal.textMessages,
      }),
    retailerOf: (deal: OracleDeal) => retailers.findIndex(({ id }) => id === deal.retailer),
    // In these three 0 is none.
    giftOf: (deal: OracleDeal) => (deal.gift === undefined ? 0 : gifts.numberOf(giftOf(catalogue, deal)) + 1),
    cashbackOf: ({ cashback }: OracleDeal) =>
      cashback === undefined ? 0 : cashbacks.numberOf({ type: cashback.type, valuePence: cashback.pence }) + 1,
    pictureOf: ({ picture }: OracleDeal) => (picture === '' ? 0 : pictures.numberOf(picture) + 1),
    linkOf: ({ link }: OracleDeal) => {
      const [, prefix = '', part = '', suffix = ''] = /^([^?#]*[?#]?)([^&]*)(.*)$/su.exec(link) ?? [];
      return { template: linkTemplates.numberOf({ prefix, suffix }), part };
    },
    content: () => ({
      currency: catalogue.currency,
      networks,
      retailers,
      manufacturers: [...catalogue.manufacturers].sort((a, b) => compareTexts(a.slug, b.slug)),
      plans: plans.entries,
      gifts: gifts.entries,
      cashbacks: cashbacks.entries,
      linkTemplates: linkTemplates.entries,
      pictures: pictures.entries,
    }),
  };
}

function dealsLine(
  product: number,
  ranked: readonly { readonly deal: OracleDeal; readonly rank: number }[],
  dictionaries: ReturnType<typeof createDictionaries>,
): object {
  const deals = ranked.map(({ deal }) => deal);
  const links = deals.map(dictionaries.linkOf);
  const optional = {
    gift: deals.map(dictionaries.giftOf),
    cashback: deals.map(dictionaries.cashbackOf),
    picture: deals.map(dictionaries.pictureOf),
  };
  return {
    product,
    rank: ranked.map(({ rank }) => rank),
    plan: deals.map(dictionaries.planOf),
    retailer: deals.map(dictionaries.retailerOf),
    totalPence: deals.map(({ totalPence }) => totalPence),
    upfrontPence: deals.map(({ upfrontPence }) => upfrontPence),
    monthlyPence: deals.map(({ monthlyPence }) => monthlyPence),
    ...Object.fromEntries(Object.entries(optional).filter(([, numbers]) => numbers.some((number) => number !== 0))),
    linkTemplate: links.map(({ template }) => template),
    linkPart: links.map(({ part }) => part),
  };
}

/** As many new products and deals as there are; which they are does not matter here. */
function changesFromNothing({ products, deals }: OracleCatalogue): object {
  const unlisted = (count: number): object => ({ count, omitted: count, items: [] });
  const same = 'productsGone productsChanged dealsGone dealsMoved dealsRepriced dealsChanged cheapestChanged byProduct';
  return {
    reason: 'nothing was published before',
    before: { products: 0, deals: 0 },
    after: { products: products.length, deals: deals.length },
    productsNew: unlisted(products.length),
    dealsNew: unlisted(deals.length),
    ...Object.fromEntries(same.split(' ').map((list) => [list, unlisted(0)])),
  };
}

/** Every rendered picture that anything in the catalogue names, in order of path. */
function renderedPictures(catalogue: OracleCatalogue): string[] {
  const owners = [...catalogue.products, ...catalogue.gifts, ...catalogue.giftCategories];
  const suppliers = [...catalogue.networks, ...catalogue.retailers];
  const all = [
    ...owners.flatMap(({ images }) => Object.values(images)),
    ...suppliers.flatMap(({ logos }) => Object.values(logos)),
  ];
  return [...new Set(all.filter((url) => url.startsWith('/images/')))].sort(compareTexts);
}

/** A record whose groups have no empty attributes. */
function withoutEmpty(record: object): object {
  const filled = (group: object) => Object.fromEntries(Object.entries(group).filter(([, text]) => text !== ''));
  return Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'object' && value !== null && !Array.isArray(value) ? filled(value) : value,
    ]),
  );
}

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
