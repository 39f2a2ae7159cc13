import { compareIds } from '../../data/record/id.ts';
import type { Condition } from '../../data/record/condition.ts';
import { tellsPhone } from './match-name.ts';
import type { MatchableProduct } from './product-list.ts';

const NEAREST_COUNT = 3;

/**
 * Finds the products of a condition whose names share the most words with a name that matched none, among them one that
 * tells a phone or its maker: storage and `5G` in common make no two phones alike.
 */
export type FindNearest = (words: readonly string[], condition: Condition) => readonly MatchableProduct[];

export function createFindNearest(products: readonly MatchableProduct[]): FindNearest {
  const served = products.filter((product) => product.row !== undefined);
  const byWord = new Map<string, number[]>();
  served.forEach((product, position) => {
    for (const word of new Set(product.name.words)) {
      const positions = byWord.get(word);
      if (positions === undefined) byWord.set(word, [position]);
      else positions.push(position);
    }
  });

  return (words, condition) => {
    const shared = new Map<number, string[]>();
    for (const word of new Set(words)) {
      for (const position of byWord.get(word) ?? []) {
        const sharedWords = shared.get(position);
        if (sharedWords === undefined) shared.set(position, [word]);
        else sharedWords.push(word);
      }
    }
    return [...shared]
      .map(([position, sharedWords]) => ({ product: served[position] as MatchableProduct, sharedWords }))
      .filter(({ product, sharedWords }) => product.condition === condition && tellsPhone(sharedWords))
      .sort(
        (a, b) =>
          b.sharedWords.length - a.sharedWords.length ||
          a.product.name.words.length - b.product.name.words.length ||
          compareIds(a.product.id, b.product.id),
      )
      .slice(0, NEAREST_COUNT)
      .map(({ product }) => product);
  };
}
