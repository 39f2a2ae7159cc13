import type { OracleCatalogue, OracleDeal, OracleProduct } from './catalogue.ts';

/** A filter whose values are texts: a record has some of them. */
interface SetFilter<Of> {
  readonly textsOf: (record: Of, catalogue: OracleCatalogue) => readonly (string | undefined)[];
  /** Every value there is; another is unknown. */
  readonly known?: (catalogue: OracleCatalogue) => readonly string[];
  /** Where any value with this form is known. */
  readonly form?: RegExp;
  /** Values that no record has. */
  readonly others?: readonly string[];
}

/** A filter whose values are numbers. */
interface QuantityFilter {
  /** In the unit of the catalogue, of which a unit of the request has `scale`. */
  readonly of: (deal: OracleDeal) => number | 'unlimited';
  readonly scale: number;
  readonly decimals: number;
  readonly form: RegExp;
  /** In the unit of the request; the least is 0. */
  readonly max: number;
}

/** Every filter as spec §4.3 and D13 have it, written down a second time on purpose. */
export const PRODUCT_FILTERS: Readonly<Record<string, SetFilter<OracleProduct>>> = {
  condition: { textsOf: ({ condition }) => [condition], known: () => ['new', 'refurbished'] },
  manufacturers: {
    textsOf: ({ manufacturer }) => [manufacturer],
    known: ({ manufacturers }) => manufacturers.map(({ slug }) => slug),
  },
  id: { textsOf: ({ id }) => [id], form: /^[0-9]+$/, others: ['424242', '09'] },
  slug: { textsOf: ({ slug }) => [slug], form: /^[a-z0-9._~-]+$/, others: ['no-such-slug'] },
  name: { textsOf: ({ name }) => [name] },
};

export const DEAL_SET_FILTERS: Readonly<Record<string, SetFilter<OracleDeal>>> = {
  networks: {
    textsOf: ({ network }, { networks }) => [network, networks.find(({ id }) => id === network)?.slug],
    known: ({ networks }) => networks.flatMap(({ id, slug }) => [id, slug]),
  },
  retailers: {
    textsOf: ({ retailer }, { retailers }) => [retailer, retailers.find(({ id }) => id === retailer)?.slug],
    known: ({ retailers }) => retailers.flatMap(({ id, slug }) => [id, slug]),
  },
  offers: {
    textsOf: ({ cashback, gift }) => [cashback && 'cashback', gift && 'gift'],
    known: () => ['cashback', 'gift'],
  },
};

const MONEY = { scale: 100, decimals: 2, form: /^-?[0-9]+(\.[0-9]{1,2})?$/, max: 999_999_999.99 };

export const QUANTITY_FILTERS: Readonly<Record<string, QuantityFilter>> = {
  upfrontCost: { of: ({ upfrontPence }) => upfrontPence, ...MONEY },
  monthlyCost: { of: ({ monthlyPence }) => monthlyPence, ...MONEY },
  totalCost: { of: ({ totalPence }) => totalPence, ...MONEY },
  contractLength: { of: ({ contractMonths }) => contractMonths, scale: 1, decimals: 0, form: /^-?[0-9]+$/, max: 999 },
  dataAllowance: {
    of: ({ dataMegabytes }) => dataMegabytes,
    scale: 1000,
    decimals: 3,
    form: /^(unlimited|-?[0-9]+(\.[0-9]{1,3})?)$/,
    max: 999_999,
  },
};

export const FILTER_NAMES = [PRODUCT_FILTERS, DEAL_SET_FILTERS, QUANTITY_FILTERS].flatMap(Object.keys);

const RANGE_OPERATORS = ['lt', 'lte', 'gt', 'gte'];

function isRange(operator: string): boolean {
  return RANGE_OPERATORS.includes(operator);
}

/** Whether an operator takes exactly one value. */
export function isSingle(operator: string): boolean {
  return operator === 'has' || isRange(operator);
}

/** The operators of a filter: quantities take six, sets `eq` and `ne`, names `has`. */
export function operatorsOf(name: string): readonly string[] {
  if (name === 'name') return ['has'];
  return name in QUANTITY_FILTERS ? ['eq', 'ne', ...RANGE_OPERATORS] : ['eq', 'ne'];
}

/** What is wrong with a value of a filter. */
export function faultOfValue(
  catalogue: OracleCatalogue,
  name: string,
  text: string,
): 'malformed-value' | 'unknown-value' | 'out-of-range' | undefined {
  if (name === 'name') return Array.from(text).length > 100 || wordsOf(text).length > 10 ? 'out-of-range' : undefined;
  const set = PRODUCT_FILTERS[name] ?? DEAL_SET_FILTERS[name];
  if (set?.known !== undefined) return set.known(catalogue).includes(text) ? undefined : 'unknown-value';
  const quantity = QUANTITY_FILTERS[name];
  if ((set?.form ?? quantity?.form)?.test(text) !== true) return 'malformed-value';
  return quantity !== undefined && (Number(text) < 0 || Number(text) > quantity.max) ? 'out-of-range' : undefined;
}

/** A parsed filter of a request. */
export interface OracleFilter {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Whether a product satisfies a filter of products; every product satisfies those of deals. */
export function isProductWithin(catalogue: OracleCatalogue, product: OracleProduct, filter: OracleFilter): boolean {
  if (filter.operator === 'has') return hasWords(product.name, filter.values[0] ?? '');
  const row = PRODUCT_FILTERS[filter.name];
  return row === undefined || isOneOf(row.textsOf(product, catalogue), filter);
}

/** Whether a name has every word of a text, each at the beginning of a word of its own (D23). */
function hasWords(name: string, text: string): boolean {
  const wanted = wordsOf(text);
  return wanted.length > 0 && wanted.every((start) => wordsOf(name).some((word) => word.startsWith(start)));
}

/** The runs of letters and digits, letter by letter, in one case and without accents. */
function wordsOf(text: string): string[] {
  let words = '';
  for (const letter of text.normalize('NFKD')) {
    if (/\p{Mark}/u.test(letter)) continue;
    words += /\p{Letter}|\p{Number}/u.test(letter) ? letter.toLowerCase().toUpperCase() : ' ';
  }
  return words.split(' ').filter((word) => word !== '');
}

export function isDealWithin(catalogue: OracleCatalogue, deal: OracleDeal, filter: OracleFilter): boolean {
  const set = DEAL_SET_FILTERS[filter.name];
  if (set !== undefined) return isOneOf(set.textsOf(deal, catalogue), filter);
  const { of, scale } = QUANTITY_FILTERS[filter.name]!;
  const quantity = of(deal) === 'unlimited' ? Infinity : Number(of(deal));
  const isData = filter.name === 'dataAllowance';
  const values = filter.values.map((value) =>
    isData && (value === 'unlimited' || Number(value) === 999_999) ? Infinity : Math.round(Number(value) * scale),
  );
  return isQuantityWithin(quantity, filter.operator, values);
}

function isOneOf(texts: readonly (string | undefined)[], { operator, values }: OracleFilter): boolean {
  return values.some((value) => texts.includes(value)) === (operator === 'eq');
}

function isQuantityWithin(quantity: number, operator: string, values: readonly number[]): boolean {
  const [value = NaN] = values;
  switch (operator) {
    case 'eq':
      return values.includes(quantity);
    case 'ne':
      return !values.includes(quantity);
    case 'lt':
      return quantity < value;
    case 'lte':
      return quantity <= value;
    case 'gt':
      return quantity > value;
    default:
      return quantity >= value;
  }
}
