import type { ProblemCode } from '../data/query/problem.ts';
import type { Attributes, OracleCatalogue, OracleDeal, OracleProduct } from './oracle/catalogue.ts';
import { absoluteUrl, cheapestDealJson, dealJson, priceHistoryJson } from './oracle/deal-json.ts';
import { isDealWithin, isProductWithin, PRODUCT_FILTERS } from './oracle/filters.ts';
import { readTarget, type Fault, type OracleQuery } from './oracle/read-target.ts';
import {
  camelCase,
  CONTENT_WORDS,
  FORMAT_WORDS,
  imageKeyOf,
  META_DATA_WORDS,
  SIZE_WORDS,
  SPEC_WORDS,
  VIEW_WORDS,
} from './oracle/words.ts';

/** What a request should get. A 200 has a body, everything else a code and the faults of its parameters. */
export type OracleAnswer =
  | { readonly status: 200; readonly body: unknown; readonly totalCount: number; readonly pageCount: number }
  | { readonly status: number; readonly code: ProblemCode; readonly faults: readonly Fault[] };

/** A product with the deals that satisfy the request's filters, the cheapest first. */
interface Candidate {
  readonly product: OracleProduct;
  readonly deals: readonly OracleDeal[];
}

/**
 * The answer to a request target, worked out from the specification and its decisions in the simplest way there is:
 * lists, `filter` and `sort`. It shares no code with the server beyond the names of the error codes.
 */
export function answerOf(catalogue: OracleCatalogue, target: string, pageNumber = 0): OracleAnswer {
  const query = readTarget(catalogue, target);
  if (query.kind === 'refusal') return query;
  switch (query.endpoint) {
    case 'giftCategories':
      return whole('giftCategories', giftCategoriesOf(catalogue, query));
    case 'gifts':
      return whole('gifts', giftsOf(catalogue, query));
    case 'networks':
      return whole('networks', listOf(catalogue.networks));
    case 'retailers':
      return whole('retailers', listOf(catalogue.retailers));
    case 'manufacturers':
      return whole('manufacturers', manufacturersOf(catalogue));
    case 'deals':
      return dealsAnswer(catalogue, query, pageNumber);
    case 'product':
    case 'products':
      return productsAnswer(catalogue, query, pageNumber);
  }
}

/** As a client reads it: without the members that are undefined. */
function asJson(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}

function whole(key: string, items: readonly unknown[]): OracleAnswer {
  return { status: 200, body: { [key]: items }, totalCount: items.length, pageCount: 1 };
}

function giftCategoriesOf(catalogue: OracleCatalogue, query: OracleQuery): unknown[] {
  const sorted = [...catalogue.giftCategories].sort((a, b) => compareIds(a.id, b.id));
  return sorted.map((category) => {
    const item = projected(category, query);
    if (!query.expand.includes('gifts')) return item;
    const gifts = category.gifts.flatMap((id) => catalogue.gifts.filter((gift) => gift.id === id));
    return { ...item, gifts: { gifts: gifts.map(({ id, name, slug }) => ({ id, name, slug })) } };
  });
}

function giftsOf(catalogue: OracleCatalogue, query: OracleQuery): unknown[] {
  const sorted = [...catalogue.gifts].sort((a, b) => compareIds(a.id, b.id));
  return sorted.map((gift) => projected(gift, query));
}

/** The added lists come by name (D21); those of one name by id. */
function listOf(entries: readonly { id: string; name: string; slug: string }[]) {
  const sorted = [...entries].sort(
    (a, b) =>
      compareTexts(a.name.toLowerCase(), b.name.toLowerCase()) ||
      (/^[0-9]+$/.test(a.id) ? compareIds(a.id, b.id) : compareTexts(a.id, b.id)),
  );
  return sorted.map(({ id, name, slug }) => ({ id, name, slug }));
}

function manufacturersOf({ manufacturers }: OracleCatalogue): unknown[] {
  const makers = listOf(manufacturers.map((maker) => ({ id: maker.slug, ...maker })));
  return makers.map(({ name, slug }) => ({ name, slug }));
}

function productsAnswer(catalogue: OracleCatalogue, query: OracleQuery, pageNumber: number): OracleAnswer {
  const isSingle = query.endpoint === 'product';
  if (isSingle && !catalogue.products.some(({ id }) => id === query.id)) {
    return { status: 404, code: 'unknown-product', faults: [] };
  }
  if (query.hasCursor) return FORGED;
  const candidates = sortedProducts(grouped(candidatesOf(catalogue, query), query), query);
  const start = pageNumber * query.pageLimit;
  const page = candidates.slice(start, start + query.pageLimit);
  const products = page.map(({ product, deals }) => {
    const [cheapest] = query.expand.includes('cheapestDeal') ? deals : [];
    return {
      ...projected(product, query),
      ...attributesOf(catalogue, product, deals, query),
      cheapestDeal: cheapest && cheapestDealJson(catalogue, cheapest, query.dealFields),
      priceHistory: query.expand.includes('priceHistory') ? priceHistoryJson(product.priceHistory ?? []) : undefined,
    };
  });
  return {
    status: 200,
    body: asJson({
      products,
      deals: query.expand.includes('deals') ? pageDeals(catalogue, page, query) : undefined,
      facets: query.facets && Object.fromEntries(query.facets.map((name) => [name, facetOf(catalogue, query, name)])),
    }),
    totalCount: candidates.length,
    pageCount: Math.max(1, Math.ceil(candidates.length / query.pageLimit)),
  };
}

/** Pages are asked for by number here, so every cursor is forged. */
const FORGED: OracleAnswer = {
  status: 400,
  code: 'invalid-cursor',
  faults: [{ parameter: 'cursor', code: 'invalid-cursor' }],
};

/** The deals that all filters let through, a page of them (D27). */
function dealsAnswer(catalogue: OracleCatalogue, query: OracleQuery, pageNumber: number): OracleAnswer {
  if (query.hasCursor) return FORGED;
  const deals = candidatesOf(catalogue, query)
    .flatMap((candidate) => candidate.deals)
    .sort(dealOrder(query));
  const start = pageNumber * query.pageLimit;
  const page = deals.slice(start, start + query.pageLimit);
  return {
    status: 200,
    body: asJson({ deals: page.map((deal) => dealJson(catalogue, deal, query.fields)) }),
    totalCount: deals.length,
    pageCount: Math.max(1, Math.ceil(deals.length / query.pageLimit)),
  };
}

/** Each value of a filter that finds something in place of what the query has for it (D25). */
function facetOf(catalogue: OracleCatalogue, query: OracleQuery, name: string): unknown[] {
  const others = query.filters.filter((filter) => filter.name !== name);
  return facetValuesOf(catalogue, name).flatMap(([value, item]) => {
    const filters = [...others, { name, operator: 'eq', values: [value] }];
    const count = grouped(candidatesOf(catalogue, { ...query, filters }), query).length;
    return count === 0 ? [] : [{ ...item, count }];
  });
}

/** Every value of a filter, and how it is shown. */
function facetValuesOf(catalogue: OracleCatalogue, name: string): (readonly [value: string, shown: object])[] {
  const { networks, retailers, manufacturers, deals } = catalogue;
  const makers = listOf(manufacturers.map((maker) => ({ id: maker.slug, ...maker })));
  const months = [...new Set(deals.map(({ contractMonths }) => contractMonths))].sort((a, b) => a - b);
  const plain = (values: readonly (string | number)[]) =>
    values.map((value) => [`${value}`, { value: `${value}` }] as const);
  switch (name) {
    case 'networks':
      return listOf(networks).map((item) => [item.slug, item]);
    case 'retailers':
      return listOf(retailers).map((item) => [item.slug, item]);
    case 'manufacturers':
      return makers.map(({ name, slug }) => [slug, { name, slug }]);
    case 'condition':
      return plain(['new', 'refurbished']);
    case 'offers':
      return plain(['cashback', 'gift']);
    default:
      return plain(months);
  }
}

/** The products that the filters leave, each with its qualifying deals (D13). */
function candidatesOf(catalogue: OracleCatalogue, query: OracleQuery): Candidate[] {
  const dealFilters = query.filters.filter(({ name }) => !(name in PRODUCT_FILTERS));
  const candidates: Candidate[] = [];
  catalogue.products.forEach((product, position) => {
    if (query.endpoint === 'product' && product.id !== query.id) return;
    if (!query.filters.every((filter) => isProductWithin(catalogue, product, filter))) return;
    const deals = catalogue.deals.filter(
      (deal) => deal.product === position && dealFilters.every((filter) => isDealWithin(catalogue, deal, filter)),
    );
    if (query.endpoint === 'products' && dealFilters.length > 0 && deals.length === 0) return;
    candidates.push({ product, deals: deals.sort(compareByCost) });
  });
  return candidates;
}

/** One product per model (D12). */
function grouped(candidates: Candidate[], query: OracleQuery): Candidate[] {
  if (!query.expand.includes('grouped')) return candidates;
  const isFirstOfModel = (candidate: Candidate): boolean => {
    const { model } = candidate.product;
    if (model === undefined) return true;
    const variants = candidates.filter(({ product }) => product.model === model);
    return variants.sort(compareWithinModel)[0] === candidate;
  };
  return candidates.filter(isFirstOfModel);
}

function compareWithinModel(a: Candidate, b: Candidate): number {
  return (
    Number(a.deals.length === 0) - Number(b.deals.length === 0) ||
    compareConditions(a, b) ||
    (a.deals[0]?.totalPence ?? 0) - (b.deals[0]?.totalPence ?? 0) ||
    compareIds(a.product.id, b.product.id)
  );
}

function sortedProducts(candidates: Candidate[], { productSort }: OracleQuery): Candidate[] {
  return [...candidates].sort(
    (a, b) =>
      (productSort === undefined ? 0 : compareProducts(a, b, productSort.key, productSort.isDescending)) ||
      compareIds(a.product.id, b.product.id) ||
      compareConditions(a, b),
  );
}

function compareProducts(a: Candidate, b: Candidate, key: string, isDescending: boolean): number {
  const sign = isDescending ? -1 : 1;
  if (key === 'name') return sign * compareTexts(a.product.name.toLowerCase(), b.product.name.toLowerCase());
  const [dealOfA] = a.deals;
  const [dealOfB] = b.deals;
  // Products without a qualifying deal come last in both directions (D14).
  if (dealOfA === undefined || dealOfB === undefined)
    return Number(dealOfA === undefined) - Number(dealOfB === undefined);
  return sign * (sortValueOf(dealOfA, key) - sortValueOf(dealOfB, key));
}

/** The deals of a page in one order, after at most `limit=deals(n)` of each product (D10, D15). */
function pageDeals(catalogue: OracleCatalogue, page: readonly Candidate[], query: OracleQuery): unknown[] {
  const compare = dealOrder(query);
  const kept = page.flatMap(({ deals }) => [...deals].sort(compare).slice(0, query.dealLimit));
  return kept.sort(compare).map((deal) => dealJson(catalogue, deal, query.dealFields));
}

function dealOrder({ dealSort }: OracleQuery): (a: OracleDeal, b: OracleDeal) => number {
  const sign = dealSort?.isDescending === true ? -1 : 1;
  return (a, b) => {
    const byKey =
      dealSort === undefined ? 0 : compareNumbers(sortValueOf(a, dealSort.key), sortValueOf(b, dealSort.key));
    return sign * byKey || compareByCost(a, b);
  };
}

function sortValueOf(deal: OracleDeal, key: string): number {
  switch (key) {
    case 'data-allowance':
      return deal.dataMegabytes === 'unlimited' ? Infinity : deal.dataMegabytes;
    case 'upfront-cost':
      return deal.upfrontPence;
    case 'contract-price':
      return deal.monthlyPence;
    default:
      return deal.totalPence;
  }
}

/** The default order of deals, and how every tie ends (D11, D14). */
export function compareByCost(a: OracleDeal, b: OracleDeal): number {
  return (
    a.totalPence - b.totalPence ||
    a.upfrontPence - b.upfrontPence ||
    a.monthlyPence - b.monthlyPence ||
    compareIds(a.retailer, b.retailer) ||
    compareTexts(a.key, b.key) ||
    compareTexts(a.feed, b.feed)
  );
}

function compareConditions(a: Candidate, b: Candidate): number {
  return Number(a.product.condition === 'refurbished') - Number(b.product.condition === 'refurbished');
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export function compareIds(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** What `fields` adds to a product beside its objects (D22). */
function attributesOf(
  { manufacturers }: OracleCatalogue,
  product: OracleProduct,
  deals: readonly OracleDeal[],
  { fields }: OracleQuery,
): object {
  const maker = manufacturers.find(({ slug }) => slug === product.manufacturer);
  return {
    condition: fields.includes('condition') ? (product.condition === 'new' ? 'New' : 'Refurbished') : undefined,
    manufacturer: fields.includes('manufacturer') ? maker : undefined,
    model: fields.includes('model') ? product.model : undefined,
    dealCount: fields.includes('deal-count') ? deals.length : undefined,
  };
}

/** An item with what `fields` and `expand` ask for (D6). */
function projected(
  record: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly content: Attributes;
    readonly pageContent?: Attributes;
    readonly metaData: Attributes;
    readonly specs?: Attributes;
    readonly images: Attributes;
  },
  { expand, fields }: OracleQuery,
): object {
  const images = Object.fromEntries(Object.entries(record.images).map(([key, picture]) => [key, absoluteUrl(picture)]));
  const groups = [
    {
      key: 'content',
      word: 'content',
      of: record.content,
      chosen: fields.filter((word) => CONTENT_WORDS.includes(word)),
    },
    { key: 'pageContent', word: 'page-content', of: record.pageContent ?? {}, chosen: [] },
    {
      key: 'metaData',
      word: 'meta-data',
      of: record.metaData,
      chosen: fields.filter((word) => META_DATA_WORDS.includes(word)).map((word) => word.replace('meta-data-', '')),
    },
    {
      key: 'specs',
      word: 'specs',
      of: record.specs ?? {},
      chosen: fields.filter((word) => SPEC_WORDS.includes(word)).map(camelCase),
    },
    { key: 'images', word: 'images', of: images, chosen: chosenImages(fields) },
  ];
  const item: Record<string, unknown> = { id: record.id, name: record.name, slug: record.slug };
  for (const { key, word, of, chosen } of groups) {
    if (chosen.length === 0 && !expand.includes(word)) continue;
    const entries = Object.entries(of).filter(
      ([name, text]) => text !== '' && (chosen.length === 0 || chosen.includes(name)),
    );
    item[key] = Object.fromEntries(entries);
  }
  return item;
}

/** Every view with every size and every format of those listed (spec §4.2, D7). */
function chosenImages(fields: readonly string[]): string[] {
  const views = fields.filter((word) => VIEW_WORDS.includes(word));
  const sizes = fields.filter((word) => SIZE_WORDS.includes(word));
  const formats = fields.filter((word) => FORMAT_WORDS.includes(word));
  return views.flatMap((view) => sizes.flatMap((size) => formats.map((format) => imageKeyOf(size, view, format))));
}
