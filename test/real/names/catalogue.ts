import type { Random } from '../../support/random.ts';
import { groupBy, NAMED_SERIES, type Condition, type Generation, type Product } from './judge.ts';
import { PHONE_LIST, type Phone, type Size } from './phones.ts';

/** The CMS export of a seed: half of the phones, as an editor writes them. */
export interface Catalogue {
  readonly products: readonly Product[];
  readonly productsByWords: ReadonlyMap<string, readonly Product[]>;
  /** The phones of which the CMS has any product. */
  readonly phones: ReadonlySet<Phone>;
}

/** Words by which an edition of the iPhone SE goes; the issue wants each found by the other. */
export const SE_EDITIONS: Readonly<Record<string, readonly string[]>> = {
  'SE (2020)': ['SE (2020)', 'SE 2020', 'SE 2nd Gen', 'SE (2nd Generation)', 'SE (2nd Gen)'],
  'SE (2022)': ['SE (2022)', 'SE 2022', 'SE 3rd Gen', 'SE (3rd Generation)', 'SE (3rd Gen)'],
};

export function makeCatalogue(random: Random): Catalogue {
  const products: Product[] = [];
  // Some editors leave out the maker where the name holds a series word.
  const unnamed = new Set(random.some(['Apple', 'Samsung', 'Google', 'Xiaomi'], 0.4));
  let number = 100;
  const inside = random.shuffled(PHONE_LIST).slice(0, PHONE_LIST.length / 2);
  for (const phone of inside) {
    const hasRam = random.isLikely(0.2) && phone.sizes.some(({ ram }) => ram !== undefined);
    const generation = generationInName(phone, random);
    const style = {
      hasRam,
      generation,
      namesMaker: !unnamed.has(phone.maker) || !NAMED_SERIES.has(phone.series),
      spelling: random.below(4),
    };
    const kept = random.some(phone.sizes, 0.8);
    const sizes = kept.length === 0 ? [random.pick(phone.sizes)] : kept;
    // Sizes that differ by RAM alone are one product where names do not say the RAM.
    const distinct = hasRam
      ? sizes
      : sizes.filter((size, at) => sizes.findIndex((other) => other.storage === size.storage) === at);
    const hasStorage = phone.sizes.length > 1 || random.isLikely(0.8);
    for (const size of distinct) {
      number += 1;
      const name = writeProductName(phone, hasStorage ? size : undefined, style);
      const conditions: Condition[] = random.pick([
        ['new'],
        ['new', 'refurbished'],
        ['new', 'refurbished'],
        ['refurbished'],
      ]);
      for (const condition of conditions) {
        products.push({
          id: String(number),
          condition,
          phone,
          storage: hasStorage ? size.storage : undefined,
          ram: hasRam && hasStorage ? size.ram : undefined,
          generation,
          name: condition === 'new' ? name : `Refurbished ${name}`,
          gtin: gtinOf(condition === 'new' ? number : number + 500_000),
          edition: String(condition === 'new' ? 40_000 + number : 60_000 + number),
          stated: number % 12 === 0 ? `Shop code QZ${number}` : '',
          version: String(condition === 'new' ? 20_000 + number : 30_000 + number),
        });
      }
    }
  }
  return {
    products,
    productsByWords: groupBy(products, ({ phone }) => phone.words),
    phones: new Set(inside),
  };
}

/** A 5G form always says so; of other phones with 5G half do, and some of the 4G forms say `4G`. */
function generationInName(phone: Phone, random: Random): Generation {
  if (phone.is5gForm) return '5G';
  if (phone.is5gOnly) return phone.maker !== 'Apple' && random.isLikely(0.5) ? '5G' : '';
  const hasSibling = PHONE_LIST.some(
    (other) =>
      other.is5gForm && other.words === phone.words && other.maker === phone.maker && other.series === phone.series,
  );
  return hasSibling && random.isLikely(0.2) ? '4G' : '';
}

interface ProductStyle {
  readonly hasRam: boolean;
  readonly generation: Generation;
  readonly namesMaker: boolean;
  readonly spelling: number;
}

function writeProductName(phone: Phone, size: Size | undefined, style: ProductStyle): string {
  const maker = style.namesMaker ? phone.maker : '';
  const editions = SE_EDITIONS[phone.model];
  let model = editions?.[style.spelling % editions.length] ?? phone.model;
  if (style.spelling === 1) model = model.replace(/\+$/, ' Plus');
  if (style.spelling === 2) model = model.replace(/^(Z Flip|Z Fold|Note)(\d)/, '$1 $2');
  const sizes = size === undefined ? '' : writeProductSize(size, style);
  return [maker, phone.series, model, style.generation, sizes].filter((part) => part !== '').join(' ');
}

function writeProductSize({ ram, storage }: Size, { hasRam, spelling }: ProductStyle): string {
  const text = storage === 1024 ? '1TB' : `${storage}GB`;
  if (!hasRam || ram === undefined) return text;
  return [`${ram}GB RAM ${text}`, `${text} (${ram}GB RAM)`, `${ram}GB/${text}`, `${ram}GB+${text}`][spelling] ?? text;
}

/** A GTIN-13 that is this number's alone, with its check digit. */
function gtinOf(number: number): string {
  const digits = `506${String(number).padStart(9, '0')}`;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
