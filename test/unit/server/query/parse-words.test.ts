import { describe, expect, it } from 'vitest';
import { parseWords, unknownWord } from '../../../../server/query/parse-words.ts';
import type { QueryIssue } from '../../../../server/query/query-issue.ts';
import { parsed, sentences } from './parsed.ts';

const VOCABULARY = new Map([
  ['content', 'content'],
  ['images', 'images'],
  ['product-content', 'content'],
]);
const parse = (text: string) => (issues: QueryIssue[]) => [
  ...parseWords('expand', text, 'products', VOCABULARY, issues),
];

describe('a list of words (spec §4.1, D4, D5)', () => {
  it.each<[string, string[]]>([
    ['products(content)', ['content']],
    ['products(content,images)', ['content', 'images']],
    ['products{content,images}', ['content', 'images']],
    ['content', ['content']],
    ['images,content', ['images', 'content']],
    ['  products( content ,  images )  ', ['content', 'images']],
    [' content , images ', ['content', 'images']],
    ['products(content,content)', ['content']],
    ['products(product-content,content)', ['content']],
  ])('reads %j', (text, words) => {
    expect(parsed(parse(text))).toEqual({ value: words, refusals: [] });
  });

  it.each<[string, string[], string[]]>([
    ['products(content', [], ['malformed-value products(content']],
    ['products(content}', [], ['malformed-value products(content}']],
    ['products{content)', [], ['malformed-value products{content)']],
    ['products(', [], ['malformed-value products(']],
    ['products)', [], ['malformed-value products)']],
    ['content)', [], ['malformed-value content)']],
    ['(content)', [], ['malformed-value (content)']],
    ['products((content))', [], ['malformed-value products((content))']],
    ['products(content)images', [], ['malformed-value products(content)images']],
    ['products(content),images', [], ['malformed-value products(content),images']],
    ['content,products(images)', [], ['malformed-value content,products(images)']],
    ['products(content)products(images)', [], ['malformed-value products(content)products(images)']],
    ['products()', [], ['malformed-value products()']],
    ['products(content,)', ['content'], ['malformed-value products(content,)']],
    [',content', ['content'], ['malformed-value ,content']],
    ['content,,images', ['content', 'images'], ['malformed-value content,,images']],
    ['products(contents)', [], ['unknown-value contents']],
    ['products(Content,images)', ['images'], ['unknown-value Content']],
    ['a,b,content', ['content'], ['unknown-value a', 'unknown-value b']],
    // One slip made twice is one slip.
    ['imags,content,imags', ['content'], ['unknown-value imags']],
    ['Products(content)', ['content'], ['unknown-value Products']],
    ['phones(content)', ['content'], ['unknown-value phones']],
    // Words of another resource are not blamed one by one.
    ['gifts(heading)', [], ['unknown-value gifts']],
    ['giftcategories(anything)', [], ['unknown-value giftcategories']],
  ])('refuses %j', (text, words, refusals) => {
    expect(parsed(parse(text))).toEqual({ value: words, refusals: refusals.map((refusal) => `expand: ${refusal}`) });
  });

  it('offers the word that was meant, and lists those allowed', () => {
    expect(unknownWord('expand', 'imags', ['content', 'images'], 'a word', 0)).toEqual({
      code: 'unknown-value',
      parameter: 'expand',
      expected: 'a word',
      value: 'imags',
      allowed: ['content', 'images'],
      suggestion: 'images',
    });
    expect(unknownWord('expand', 'xyzzy', ['content'], 'a word', 0)).not.toHaveProperty('suggestion');
  });

  it('says what was expected and what arrived, one sentence for each code', () => {
    expect(sentences(parse('products(content'))).toEqual([
      'expand: expected products(<word>,<word>,…), got "products(content"',
    ]);
    expect(sentences(parse('imags'))).toEqual([
      'expand: expected one of the words of expand, got "imags"; did you mean "images"?',
    ]);
    expect(sentences(parse('gifts(content)'))).toEqual([
      'expand: expected the wrapper products(…), got "gifts"; did you mean "products"?',
    ]);
  });

  it('takes time in proportion to the text, regardless of what it is', () => {
    const startedAt = performance.now();
    for (const text of [`products(${'a,'.repeat(4_000)}`, '('.repeat(8_000), `products(${'content,'.repeat(1_000)}`]) {
      parsed(parse(text));
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
