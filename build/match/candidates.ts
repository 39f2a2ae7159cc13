import type { MatchRule } from '../../data/record/deal.ts';
import { compareIds } from '../../data/record/id.ts';
import { recordKey, type Condition } from '../../data/record/product.ts';
import type { Manufacturer } from '../../data/snapshot/format.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import type { MatchedProduct, MatchEvidence } from '../records/catalogue.ts';
import { groupBy } from '../source/record.ts';
import type { ExcludedProduct, JoinedRecords, SuppressedProduct } from '../records/join-records.ts';
import { createProductName, identifiesPhone, type ProductName } from './compare-names.ts';
import { createMakerNames, type MakerNames } from './maker-names.ts';
import { parseNameWords, startsAt } from './name-words.ts';
import { PHONE_MAKERS } from './phone-makers.ts';

/** A product that a deal may be for: a served one, or a suppressed one, whose deals must not go to another product. */
export interface MatchableProduct {
  /** `101/new`. */
  readonly key: string;
  readonly id: string;
  readonly condition: Condition;
  readonly record: MatchedProduct;
  readonly name: ProductName;
  /** Row in the catalogue, unless it is suppressed. */
  readonly row: number | undefined;
  /** Why it is suppressed, if it is. */
  readonly suppressed: SuppressedProduct['code'] | undefined;
}

/** An excluded product, with its name in comparable form. */
export interface NamedExcludedProduct {
  readonly id: string;
  readonly product: ExcludedProduct;
  readonly name: ProductName;
}

/** Every product that deals are matched with, in order of the catalogue; suppressed ones last. */
export function listMatchableProducts(joined: JoinedRecords): readonly MatchableProduct[] {
  const { products, manufacturers } = joined.records;
  const makers = listMakers(manufacturers);
  return [
    ...products.map(({ record }, row) => createMatchable(record, makers, row, undefined)),
    ...joined.suppressed.map(({ product, code }) => createMatchable(product.record, makers, undefined, code)),
  ];
}

/** The excluded products of the CMS whose names could be read. */
export function listNamedExcludedProducts({ records, excluded }: JoinedRecords): readonly NamedExcludedProduct[] {
  const makers = listMakers(records.manufacturers);
  return excluded.flatMap((product) => {
    if (product.name === undefined) return [];
    return { id: product.id, product, name: nameProduct(product.name, product.condition, undefined, makers) };
  });
}

/** The spellings of each maker by its slug: those of the CMS, and those of our list that the CMS lacks. */
type Makers = ReadonlyMap<string, MakerNames>;

function listMakers(manufacturers: readonly Manufacturer[]): Makers {
  const makers = new Map(manufacturers.map(({ slug, name }) => [slug, createMakerNames(slug, name)]));
  for (const { slug } of PHONE_MAKERS) {
    if (!manufacturers.some((maker) => maker.slug.replaceAll('-', '') === slug)) {
      makers.set(slug, createMakerNames(slug, undefined));
    }
  }
  return makers;
}

function createMatchable(
  record: MatchedProduct,
  makers: Makers,
  row: number | undefined,
  suppressed: SuppressedProduct['code'] | undefined,
): MatchableProduct {
  return {
    key: recordKey(record),
    id: record.id,
    condition: record.condition,
    record,
    name: nameProduct(record.name, record.condition, record.manufacturer, makers),
    row,
    suppressed,
  };
}

/** A grade in the name of a new phone is a word of its model (`Note Pristine`). */
function nameProduct(
  name: string,
  condition: Condition | undefined,
  manufacturer: string | undefined,
  makers: Makers,
): ProductName {
  const parsed = parseNameWords(name, () => condition === 'new');
  const maker = manufacturer ?? findLeadingMaker(parsed.words, makers);
  return createProductName(parsed, maker, (maker && makers.get(maker)) || createMakerNames(maker, undefined));
}

/** The maker with which the name of a product without a maker begins, by its name or by a series. */
function findLeadingMaker(words: readonly string[], makers: Makers): string | undefined {
  for (const [slug, { phrases, unsaid }] of makers) {
    if (words[0] === unsaid || phrases.some((phrase) => startsAt(words, 0, phrase))) return slug;
  }
  return undefined;
}

/** The result of matching a reference. It is the same for every deal with that reference. */
export type ProductMatch =
  | {
      readonly kind: 'product';
      readonly row: number;
      readonly id: string;
      readonly condition: Condition;
      readonly evidence: MatchEvidence;
    }
  | {
      readonly kind: 'suppressed';
      readonly key: string;
      readonly id: string;
      readonly condition: Condition;
      readonly code: SuppressedProduct['code'];
    }
  | {
      readonly kind: 'none';
      readonly details: NoticeDetails & { readonly code: 'unknown-product' | 'ambiguous-product' };
      /** What the feed calls it. */
      readonly name: string;
      /** The field, when `name` is not a name. */
      readonly field?: UnmatchedField;
      /** The nearest products, or the possible ones: `101/new`. */
      readonly nearest: readonly string[];
      /** The product of the CMS that it means and that is not served. */
      readonly excluded?: ExcludedProduct;
      /** The served variant of the phone that it means, which is sold in the other condition only: `101/new`. */
      readonly otherVariant?: string;
    }
  /** The parts of the reference contradict each other, or its condition is unknown. */
  | { readonly kind: 'contradiction'; readonly details: NoticeDetails };

/** The fields, except the name, by which a feed may name a product. */
export type UnmatchedField = 'productId' | 'gtin' | 'feedIds';

/** The result of one kind of lookup: phones by id, in any condition. */
export interface ReferenceHit {
  readonly products: readonly MatchableProduct[];
  readonly rule: MatchRule;
  readonly field: string;
  readonly found: string;
  /** `matches` lists it; it was not found by comparing names. */
  readonly isStated: boolean;
}

const NEAREST_COUNT = 3;

/**
 * Finds the products of a condition whose names share the most words with a name that matched none. One of these words
 * must identify a phone or its maker: storage and `5G` in common do not make two phones alike.
 */
export type FindNearestProducts = (words: readonly string[], condition: Condition) => readonly MatchableProduct[];

export function createNearestProductFinder(products: readonly MatchableProduct[]): FindNearestProducts {
  const served = products.filter((product) => product.row !== undefined);
  const byWord = groupBy(served, ({ name }) => name.words);

  return (words, condition) => {
    const shared = groupBy([...new Set(words)], (word) => byWord.get(word) ?? []);
    return [...shared]
      .filter(([product, sharedWords]) => product.condition === condition && identifiesPhone(sharedWords))
      .sort(
        ([a, wordsOfA], [b, wordsOfB]) =>
          wordsOfB.length - wordsOfA.length || a.name.words.length - b.name.words.length || compareIds(a.id, b.id),
      )
      .slice(0, NEAREST_COUNT)
      .map(([product]) => product);
  };
}
