import { PHONE_LIST, type Phone } from './phones.ts';

export type Condition = 'new' | 'refurbished';
export type Generation = '' | '4G' | '5G';

/** A product of the CMS export, with what its name says. */
export interface Product {
  readonly id: string;
  readonly condition: Condition;
  readonly phone: Phone;
  readonly storage: number | undefined;
  readonly ram: number | undefined;
  readonly generation: Generation;
  readonly name: string;
  readonly gtin: string;
  readonly edition: string;
  readonly version: string;
  /** A name that `matches` states, or `''`. */
  readonly stated: string;
}

/** What the text of a name says, known from how it was written; the text itself is never read. */
export interface Said {
  /** The phone whose words were written. */
  phone: Phone;
  maker: boolean;
  series: boolean;
  generation: Generation;
  storage: number | undefined;
  ram: number | undefined;
  /** The storage that a column states, where the name may say none. */
  columnStorage?: number;
  /** The condition that name and column come to. */
  condition: Condition;
  /** The rule by which no product may be found. */
  broken?: string;
  /** A statement of condition that no id mends either. */
  contradiction?: string;
  /** What INPUTS leaves open, so that the product may be found or not. */
  open?: string;
  /** A `+` that decides nothing: the model with Plus could be meant as well. */
  isPlusOpen?: boolean;
}

/** What INPUTS wants for a name: this product; this product or none; none. */
export interface Label {
  readonly kind: 'must' | 'may' | 'none';
  readonly keys: readonly string[];
  readonly rule: string;
}

/** Models older than 5G, which can be on no list of models sold in both forms. */
const BEFORE_5G: Readonly<Record<string, RegExp>> = {
  iPhone: /^(7|8|X|11|SE)/,
  Galaxy: /^(S[789]|Note[89]|J\d|A\d\+? \(201\d\)|A(10|20e|30s|40|50|70|80)$)/,
  Pixel: /^([23].*|XL|)$/,
  Mate: /^(10|20) ?(Pro|Lite)?$/,
  Xperia: /^(XZ|L)\d/,
  'Huawei/': /^(P[1-3]0|Y[69]|P smart \(2019\))/,
  'OnePlus/': /^[3-6]T?$/,
};

export function keyOf(product: Product): string {
  return `${product.id}/${product.condition}`;
}

/** The series words that INPUTS "Maker and series" names; other series words are left open. */
export const NAMED_SERIES = new Set(['Galaxy', 'iPhone', 'Pixel', 'Redmi', 'Xperia']);

/** The start of the list of models sold in both forms, as INPUTS "5G and 4G" names it. */
const BOTH_FORMS: Readonly<Record<string, RegExp>> = {
  Galaxy: /^(A13|A14|A15|A16|A17|A22|A32|A52|S10|S20|S20 FE|Z Flip|Note20)$/,
  Pixel: /^4a$/,
  Redmi: /^Note 1[0-4]$/,
  Mate: /^20 X$/,
  'Huawei/': /^P40 Lite$/,
  'OPPO/': /^(A54|A77)$/,
};

/** Models of which it is open whether that list means them too: `Moto G`, `Redmi Note 10 to 14`, `S10`, `S20`, `Note20`. */
const PERHAPS_BOTH_FORMS: Readonly<Record<string, RegExp>> = {
  Galaxy: /^(S10|S20|Note20)(e|\+| Ultra| Lite)$/,
  Redmi: /^Note 1[0-4] ?\S/,
  Moto: /^G/,
  'Huawei/': /^P40 Lite E$/,
};

const phonesByWords = groupBy(PHONE_LIST, ({ words }) => words);

/** Labels what a name says by the rules of INPUTS "Matching", against the products of the CMS. */
export function judge(said: Said, productsByWords: ReadonlyMap<string, readonly Product[]>): Label {
  const none = (rule: string): Label => ({ kind: 'none', keys: [], rule });
  if (said.contradiction !== undefined) return none(said.contradiction);
  if (said.broken !== undefined) return none(said.broken);
  const doubts = new Set<string>();
  if (said.open !== undefined) doubts.add(said.open);

  const models = meantModels(said, doubts);
  if (models === undefined) return none('Maker and series: a bare model never matches without its maker');

  const words = [said.phone.words, ...(said.isPlusOpen === true ? [`${said.phone.words}plus`] : [])];
  let left = words.flatMap((word) => productsByWords.get(word) ?? []);
  if (said.isPlusOpen === true) doubts.add('Plus: free-standing before a size it decides nothing');
  const ramStep = ({ ram }: Product): boolean => ramAgrees(ram, said.ram);
  const steps: readonly (readonly [string, (product: Product) => boolean | string])[] = [
    ['Words: every other word must agree', ({ phone }) => models.has(`${phone.maker}/${phone.series}`)],
    ['5G and 4G', (product) => generationAgrees(product, said.generation)],
    [
      'Words: the storage must agree',
      ({ storage }) => storage === said.storage || (said.columnStorage !== undefined && storage === said.columnStorage),
    ],
    ['Storage and RAM: the RAM of both sides must agree', ramStep],
    ['Condition: it always agrees', ({ condition }) => condition === said.condition],
  ];
  let rule = 'Words: no product has the words of the model';
  for (const [name, agrees] of steps) {
    if (left.length > 0) rule = name;
    if (
      agrees === ramStep &&
      new Set(left.map(({ ram }) => ram)).size > 1 &&
      left.some(({ ram }) => (ram === undefined) !== (said.ram === undefined))
    ) {
      // Also where these are of another condition: INPUTS says of a product that differs by RAM alone only that RAM may not be missing.
      doubts.add('Storage and RAM: products differ by RAM');
    }
    left = left.filter((product) => {
      const verdict = agrees(product);
      if (typeof verdict === 'string') doubts.add(verdict);
      return verdict !== false;
    });
  }

  const [first, ...others] = left;
  if (first === undefined) return none(rule);
  const keys = left.map(keyOf);
  if (others.length > 0) {
    if (said.isPlusOpen === true && said.open === undefined) return none('Plus: both phones are in the catalogue');
    if (said.isPlusOpen === true) return { kind: 'may', keys, rule: [...doubts].join('; ') };
    // One is as the name says it, the other is without RAM: INPUTS says of neither that it gives way.
    if (left.some(({ ram }) => ram === said.ram))
      return { kind: 'may', keys, rule: 'Storage and RAM: products differ by RAM' };
    return none('Words: two candidates are no match');
  }
  if (doubts.size > 0) return { kind: 'may', keys, rule: [...doubts].join('; ') };
  return { kind: 'must', keys, rule: 'Words: all agree' };
}

/** The `maker/series` that the name can mean, or undefined where it cannot mean any. */
function meantModels({ phone, maker, series }: Said, doubts: Set<string>): ReadonlySet<string> | undefined {
  const alike = phonesByWords.get(phone.words) ?? [];
  if (maker && (series || phone.series === '')) return new Set([`${phone.maker}/${phone.series}`]);
  if (maker) {
    const ofMaker = new Set(alike.filter((other) => other.maker === phone.maker).map(modelOf));
    // The name is the whole name of a phone that has no series word.
    if (ofMaker.has(`${phone.maker}/`)) return new Set([`${phone.maker}/`]);
    if (ofMaker.size > 1) doubts.add('Maker and series: phones of two series could be meant');
    if (!NAMED_SERIES.has(phone.series)) doubts.add('Maker and series: INPUTS does not name the series word');
    if (!/\d|Z/.test(phone.model)) doubts.add('Maker and series: a word without a number could be of several models');
    return ofMaker;
  }
  if (series && phone.series !== '') {
    if (!NAMED_SERIES.has(phone.series)) doubts.add('Maker and series: INPUTS does not name the series word');
    return new Set(alike.filter((other) => other.series === phone.series).map(modelOf));
  }
  const first = phone.model.split(' ')[0] ?? '';
  const isLikeSeries = /^[A-Za-z]{3,}\d*$/.test(first) || first === 'Z';
  if (!isLikeSeries || new Set(alike.map(modelOf)).size > 1) return undefined;
  doubts.add('Maker and series: INPUTS does not say whether the word is a series word');
  return new Set([modelOf(phone)]);
}

function modelOf({ maker, series }: Phone): string {
  return `${maker}/${series}`;
}

function generationAgrees(product: Product, said: Generation): boolean | string {
  const { phone, generation } = product;
  if (generation === said) return true;
  if (generation !== '' || said === '') return false;
  const list = phone.series === '' ? `${phone.maker}/` : phone.series;
  if (BOTH_FORMS[list]?.test(phone.model) === true) return false;
  const isPair = new Set(
    (phonesByWords.get(phone.words) ?? [])
      .filter((other) => modelOf(other) === modelOf(phone))
      .map((other) => other.is5gForm),
  );
  // Sold in both forms, so the list has to grow by it; what it may say of 4G hangs on that.
  if (isPair.size > 1) return said === '5G' ? false : '5G and 4G: is the model on the list?';
  if (PERHAPS_BOTH_FORMS[list]?.test(phone.model) === true) return '5G and 4G: is the model on the list?';
  if (said === '5G') return phone.is5gOnly || '5G and 4G: 5G added to a phone that may have none';
  // The list may hold others that were sold when there was 5G.
  return BEFORE_5G[list]?.test(phone.model) === true || '5G and 4G: is the model on the list?';
}

function ramAgrees(ram: number | undefined, said: number | undefined): boolean {
  return ram === undefined || said === undefined || ram === said;
}

export function groupBy<Item>(items: Iterable<Item>, keyOfItem: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOfItem(item));
    if (group === undefined) groups.set(keyOfItem(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Labels a row whose id or GTIN is that of `product` (INPUTS "Ids do not overrule names"); `byName` is the label of its name alone. */
export function judgeWithId(product: Product, byName: Label, said: Said): Label {
  const key = keyOf(product);
  if (said.contradiction !== undefined) return byName;
  if (said.condition !== product.condition) return { kind: 'none', keys: [], rule: 'Condition: it always agrees' };
  switch (byName.kind) {
    case 'must':
      if (byName.keys[0] !== key) return { kind: 'none', keys: [], rule: 'Ids do not overrule names' };
      return { kind: 'must', keys: [key], rule: 'Ids: the name means the same' };
    case 'may': {
      if (byName.keys.includes(key)) return { kind: 'must', keys: [key], rule: 'Ids: the id decides' };
      return { kind: 'may', keys: [key], rule: `Ids; ${byName.rule}` };
    }
    case 'none':
      return { kind: 'must', keys: [key], rule: 'Ids: the name means no product or several, the id decides' };
  }
}
