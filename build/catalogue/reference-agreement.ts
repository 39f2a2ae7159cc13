import type { Condition } from '../../data/record/condition.ts';
import type { ProductReference } from '../../data/record/deal.ts';
import { isOtherColour } from './colour-words.ts';
import { cutText, quoteText, type Finding } from './finding.ts';
import { coloursIn, parseStorage, saysNoOther, type FeedName } from './match-name.ts';
import type { Hit, ProductMatch } from './match-product.ts';
import { isStorage } from './name-words.ts';
import type { MatchableProduct } from './product-list.ts';

/**
 * What condition a reference states: its own, that of its name, or new. Words of a name that disagree with it are a
 * contradiction; those that say `not new` where nothing else is stated mean what the settings of the feed say.
 */
export function conditionOf(
  { condition: stated, conditionWords, saysNotNew = false, name: text = '' }: ProductReference,
  name: FeedName | undefined,
): { readonly kind: 'condition'; readonly condition: Condition } | Extract<ProductMatch, { kind: 'contradiction' }> {
  const inName = name?.condition;
  const said = saysNotNew ? (inName === undefined || inName === 'refurbished' ? 'refurbished' : 'both') : inName;
  if (said === 'both' || (stated !== undefined && said !== undefined && said !== stated)) {
    return contradiction({
      field: 'condition',
      found: `${stated === undefined ? '' : `${stated}, `}named ${JSON.stringify(text)}`,
      expected: `a condition that agrees with the name, which says ${said === 'both' ? 'both new and not new' : said}`,
      remedy: 'correct the condition or the name in the feed',
    });
  }
  if (stated === undefined && said === 'refurbished' && conditionWords === undefined) {
    return {
      kind: 'contradiction',
      finding: {
        code: 'missing-field',
        field: 'condition',
        found: cutText(text),
        expected: 'a condition beside a name that says the phone is not new',
        remedy: 'state the condition in the feed, or set "conditionWords": "refurbished" for it',
      },
    };
  }
  return { kind: 'condition', condition: stated ?? said ?? 'new' };
}

function contradiction(
  facts: Omit<Finding, 'code'> & { readonly found: string },
): Extract<ProductMatch, { kind: 'contradiction' }> {
  return { kind: 'contradiction', finding: { code: 'contradictory-facts', ...facts, found: cutText(facts.found) } };
}

/** Two parts of a reference name two phones. */
export function disagreement(
  product: MatchableProduct,
  hit: Hit,
  other: Hit,
  others: readonly MatchableProduct[],
): ProductMatch {
  return contradiction({
    field: other.field,
    found: `${other.found} beside ${hit.field} ${hit.found}`,
    expected: `one product; ${hit.field} is ${describeProduct(product)}, ${other.field} ${distinctPhones(others).slice(0, 2).map(describeProduct).join(' and ')}`,
    remedy: 'correct the feed, or the `matches` of the product',
  });
}

/** A storage or a colour that the reference states and that is not the product's, or not the name's. */
export function findDisagreement(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): ProductMatch | undefined {
  const wrong = findWrongStorage(product, reference, name);
  if (wrong !== undefined) {
    return contradiction({
      field: 'storage',
      found: `${wrong} in ${JSON.stringify(reference.storage ?? reference.name)}`,
      expected: `the storage that the name says, and that of ${describeProduct(product)}`,
      remedy: 'correct the feed, or the `matches` of the product',
    });
  }
  const { colour } = reference;
  if (name === undefined || colour === undefined || !isOtherColour(colour, coloursIn(name, product.name)))
    return undefined;
  return contradiction({
    field: 'colour',
    found: `${colour}, named ${JSON.stringify(reference.name)}`,
    expected: 'the colour that the name says',
    remedy: 'correct the colour or the name in the feed',
  });
}

/**
 * A storage that the reference states and that its name or the product does not have. What a name of another phone says
 * is not about the product: there the id decides.
 */
function findWrongStorage(
  product: MatchableProduct,
  reference: ProductReference,
  name: FeedName | undefined,
): string | undefined {
  const named = (name?.words ?? []).filter((word) => isStorage(word));
  const declared = name?.declaredStorage ?? parseStorage(reference.storage);
  if (declared !== undefined && named.length > 0 && !named.includes(declared)) return declared;
  if (name !== undefined && !saysNoOther(name, product.name)) return undefined;
  return statedStorages(name, reference).find((size) => !hasStorage(product, size));
}

/** The storages that a reference states: in its name, in a column of its own. */
export function statedStorages(name: FeedName | undefined, { storage }: ProductReference): readonly string[] {
  const declared = name?.declaredStorage ?? parseStorage(storage);
  return [...(name?.words ?? []).filter((word) => isStorage(word)), ...(declared === undefined ? [] : [declared])];
}

/** Whether the product comes in that storage, or in one that its name does not say. */
export function hasStorage({ name }: MatchableProduct, size: string): boolean {
  return name.storage === undefined || name.words.includes(size);
}

export function describeProduct({ key, record }: MatchableProduct): string {
  return `${key} ${quoteText(record.name)}`;
}

/** One product of each id and condition: the two sides of a duplicate are one phone. */
export function distinctPhones(products: readonly MatchableProduct[]): readonly MatchableProduct[] {
  return [...new Map(products.map((product) => [product.key, product])).values()];
}
