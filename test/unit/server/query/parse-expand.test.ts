import { describe, expect, it } from 'vitest';
import {
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
} from '../../../../data/query/vocabulary.ts';
import {
  joinProjection,
  parseGiftCategoryExpand,
  parseProductExpand,
} from '../../../../server/query/parse-projection.ts';
import { parsed } from './parsed.ts';

describe('expand (spec §4.1)', () => {
  it.each(PRODUCT_EXPANSIONS)('reads products($word)', ({ word }) => {
    const { value, refusals } = parsed((issues) => [...parseProductExpand(`products(${word})`, issues)]);
    expect({ value, refusals }).toEqual({ value: [word], refusals: [] });
  });

  it.each(PREFIXED_EXPANSIONS)('reads $word as $means (D5)', ({ word, means }) => {
    expect(parsed((issues) => [...parseProductExpand(word, issues)])).toEqual({ value: [means], refusals: [] });
    expect(parsed((issues) => [...parseGiftCategoryExpand(word, issues)]).refusals).toEqual([
      `expand: unknown-value ${word}`,
    ]);
  });

  it.each(GIFT_CATEGORY_EXPANSIONS)('reads giftcategories($word)', ({ word }) => {
    const { value, refusals } = parsed((issues) => [...parseGiftCategoryExpand(`giftcategories(${word})`, issues)]);
    expect({ value, refusals }).toEqual({ value: [word], refusals: [] });
  });

  it.each(['specs', 'deals', 'grouped', 'cheapestDeal'])('refuses %s on gift categories', (word) => {
    expect(parsed((issues) => [...parseGiftCategoryExpand(word, issues)])).toEqual({
      value: [],
      refusals: [`expand: unknown-value ${word}`],
    });
  });

  it('adds whole groups, which fields narrows where both name one (D6)', () => {
    expect(joinProjection(new Set(['content', 'specs', 'page-content', 'meta-data', 'images']), {})).toEqual({
      content: 'whole',
      pageContent: 'whole',
      metaData: 'whole',
      specs: 'whole',
      images: 'whole',
    });
    expect(joinProjection(new Set(['content', 'specs']), { content: ['heading'], metaData: ['title'] })).toEqual({
      content: ['heading'],
      specs: 'whole',
      metaData: ['title'],
    });
    expect(joinProjection(new Set(['deals', 'grouped', 'cheapestDeal', 'gifts']), {})).toEqual({});
  });
});
