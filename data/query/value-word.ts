import { CONTENT_FIELDS, META_DATA_FIELDS } from '../field/content.ts';
import { describeField } from '../field/field.ts';
import { FORMATS, SIZES, VIEWS } from '../field/image.ts';
import { SPEC_FIELDS } from '../field/spec.ts';
import { CONDITIONS } from '../record/condition.ts';
import { GIFT_CATEGORY_EXPANSIONS, PREFIXED_EXPANSIONS, PRODUCT_EXPANSIONS } from './expand.ts';
import { OFFERS, type FilterKind } from './filter.ts';
import { SORT_DIRECTIONS } from './sort.ts';

/** A word that a value may hold, and what it does there. */
export interface ValueWord {
  readonly word: string;
  readonly effect: string;
}

export const PRODUCT_EXPANSION_WORDS: readonly ValueWord[] = [
  ...PRODUCT_EXPANSIONS.map(({ word, adds }) => ({ word, effect: `adds ${adds}` })),
  ...PREFIXED_EXPANSIONS.map(({ word, means }) => ({ word, effect: `means \`${means}\`` })),
];

export const GIFT_CATEGORY_EXPANSION_WORDS: readonly ValueWord[] = GIFT_CATEGORY_EXPANSIONS.map(({ word, adds }) => ({
  word,
  effect: `adds ${adds}`,
}));

const ALWAYS: readonly ValueWord[] = ['id', 'name', 'slug'].map((word) => ({
  word,
  effect: `\`${word}\`, which is always there`,
}));

const TEXT_WORDS: readonly ValueWord[] = [
  ...CONTENT_FIELDS.map(({ word, key, ...rest }) => ({ word, effect: `\`content.${key}\`: ${describeField(rest)}` })),
  ...META_DATA_FIELDS.map(({ word, key, ...rest }) => ({
    word,
    effect: `\`metaData.${key}\`: ${describeField(rest)}`,
  })),
];

const SPEC_WORDS: readonly ValueWord[] = SPEC_FIELDS.map(({ word, key, ...rest }) => ({
  word,
  effect: `\`specs.${key}\`: ${describeField(rest)}`,
}));

function imageWords(words: { readonly [Axis in 'view' | 'size' | 'format']: readonly string[] }): readonly ValueWord[] {
  return Object.entries(words).flatMap(([axis, ofAxis]) =>
    ofAxis.map((word) => ({ word, effect: `pictures: a ${axis}, with at least one of each other axis` })),
  );
}

export const PRODUCT_FIELD_WORDS: readonly ValueWord[] = [
  ...ALWAYS,
  ...TEXT_WORDS,
  ...imageWords({ view: VIEWS, size: SIZES, format: FORMATS }),
  ...SPEC_WORDS,
];
/** Gifts and gift categories have the large front picture only (spec §2.11). */
export const GIFT_FIELD_WORDS: readonly ValueWord[] = [
  ...ALWAYS,
  ...TEXT_WORDS,
  ...imageWords({ view: ['front'], size: ['large'], format: FORMATS }),
];

/** The words of the filters whose words are no part of the catalogue. */
export const FILTER_WORDS: Readonly<Partial<Record<FilterKind, readonly ValueWord[]>>> = {
  condition: CONDITIONS.map((word) => ({ word, effect: `${word} products` })),
  offer: OFFERS.map((word) => ({ word, effect: `deals with ${word === 'gift' ? 'a gift' : word}` })),
};

/** The words of `sort` are whole values. */
export function listOrders(wrapper: 'deals' | 'products', keys: readonly string[]): readonly ValueWord[] {
  return keys.flatMap((key) =>
    SORT_DIRECTIONS.map((direction) => ({
      word: `${wrapper}(${key}-${direction})`,
      effect: `${wrapper} by ${key.replaceAll('-', ' ')}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
    })),
  );
}
