import type { Random } from '../../support/random.ts';
import type { Catalogue } from './catalogue.ts';
import type { Condition, Product, Said } from './judge.ts';
import { PHONE_LIST, type Phone, type Size } from './phones.ts';

/** A name being written: the text of each part, and what the text says. */
export interface Draft {
  readonly phone: Phone;
  readonly size: Size;
  readonly said: Said;
  readonly parts: Record<Part, string>;
  order: readonly Part[];
  style: (text: string) => string;
  /** The condition column of the row. */
  column: '' | Condition;
}

export type Part = 'before' | 'maker' | 'series' | 'model' | 'generation' | 'sizes' | 'after';

/** Changes the draft as a shop would; false where this draft has nothing to change. */
export type Write = (draft: Draft, random: Random, catalogue: Catalogue) => boolean;

/** A way of writing; two of one `slot` do not go together. */
export interface Way {
  readonly slot: string;
  readonly write: Write;
  /** The phones that the way is about, where it is not about all. */
  readonly of?: (phone: Phone) => boolean;
}

const ORDER: readonly Part[] = ['before', 'maker', 'series', 'model', 'generation', 'sizes', 'after'];

/** A phone, of the CMS or not, in one of its sizes, as its maker writes it. */
export function draftName(catalogue: Catalogue, random: Random, of: (phone: Phone) => boolean): Draft | undefined {
  const products = catalogue.products.filter(({ phone }) => of(phone));
  const product = random.isLikely(0.65) && products.length > 0 ? random.pick(products) : undefined;
  const phones = product === undefined ? PHONE_LIST.filter(of) : [product.phone];
  return phones.length === 0 ? undefined : draftOf(random.pick(phones), random, product);
}

export function draftOf(phone: Phone, random: Random, product?: Product): Draft {
  const fitting = phone.sizes.filter(
    ({ ram, storage }) =>
      (product?.storage ?? storage) === storage && (product?.ram === undefined || product.ram === ram),
  );
  const size = random.pick(fitting.length === 0 ? phone.sizes : fitting);
  const hasStorage = product === undefined || product.storage !== undefined || random.isLikely(0.1);
  const condition = product?.condition ?? (random.isLikely(0.7) ? 'new' : 'refurbished');
  const generation = product?.generation ?? (phone.is5gForm ? '5G' : '');
  // RAM is said where products differ by it; elsewhere it may be missing.
  const ram = product?.ram !== undefined && random.isLikely(0.7) ? size.ram : undefined;
  const storage = storageText(size.storage);
  return {
    phone,
    size,
    said: {
      phone,
      maker: true,
      series: phone.series !== '',
      generation,
      storage: hasStorage ? size.storage : undefined,
      ram: hasStorage ? ram : undefined,
      condition,
    },
    parts: {
      before: '',
      maker: phone.maker,
      series: phone.series,
      model: phone.model,
      generation,
      sizes: hasStorage ? (ram === undefined ? storage : `${ram}GB RAM ${storage}`) : '',
      after: '',
    },
    order: ORDER,
    style: (text) => text,
    column: condition === 'new' ? (random.isLikely(0.5) ? 'new' : '') : condition,
  };
}

export function textOf({ parts, order, style }: Draft): string {
  return style(
    order
      .map((part) => parts[part])
      .filter((text) => text !== '')
      .join(' '),
  );
}

export function storageText(storage: number): string {
  return storage === 1024 ? '1TB' : `${storage}GB`;
}
