import { findNearestWord } from '../query/nearest-word.ts';
import { normaliseName, type Subject } from './subject.ts';
import type { Steps } from '../snapshot/steps.ts';

const NEAREST_COUNT = 5;

/** How many products are compared in a step: some 0.1 ms with the most words that a request may ask for. */
const STEP_PRODUCTS = 32;

/** What a word may have meant. */
export interface KnownNames {
  readonly products: readonly { readonly id: string; readonly slug: string; readonly name: string }[];
  readonly productNameKeys: readonly string[];
  /** What feeds call phones that found no product. */
  readonly unmatchedNames: readonly string[];
  /** Words of other records, each list with what is compared with it. */
  readonly others?: readonly (readonly [asked: string, words: Iterable<string>])[];
}

/**
 * Names that hold every word of a subject that was not found, else those that are the fewest slips away. In steps, since
 * every product is compared with every word.
 */
export function* findNearest({ text, name }: Subject, known: KnownNames): Steps<readonly string[]> {
  const { products, productNameKeys, unmatchedNames, others = [] } = known;
  const words = [...new Set(name.split(' '))].filter((word) => word !== '');
  const holding = new Set<string>();
  if (words.length > 0) {
    for (const [i, product] of products.entries()) {
      if (i % STEP_PRODUCTS === STEP_PRODUCTS - 1) yield;
      const haystack = `${normaliseName(product.name)} ${product.slug}`;
      if (words.every((word) => haystack.includes(word))) holding.add(product.name);
      if (holding.size === NEAREST_COUNT) break;
    }
  }
  if (holding.size > 0) return [...holding];
  const nearest = new Set<string>();
  const candidates: readonly (() => readonly [string, Iterable<string>])[] = [
    () => [text, new Set(products.map(({ id }) => id))],
    () => [text, new Set(products.map(({ slug }) => slug))],
    () => [name, new Set(productNameKeys)],
    () => [text, new Set(unmatchedNames)],
    ...others.map((list) => () => list),
  ];
  for (const list of candidates) {
    const found = findNearestWord(...list());
    if (found !== undefined) nearest.add(found);
    yield;
  }
  return [...nearest];
}
