import { describe, expect, it } from 'vitest';
import { looksLikeMarkdown, markdownToText } from '../../../../build/source/plain-text.ts';

describe('the text of a page in Markdown', () => {
  it.each([
    ['# Pixel 9\n\nA **great** phone, *really*.', 'Pixel 9\n\nA great phone, really.'],
    ['See [the deals](https://x.example/a_b "now") and ![a picture](front.png)', 'See the deals and'],
    ['- 128GB\n- 256GB\n', '128GB\n256GB'],
    ['1. Choose\n2. Pay', '1. Choose\n2. Pay'],
    ['1. Choose\n\n2. Pay', '1. Choose\n\n2. Pay'],
    ['2026. A good year', '2026. A good year'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b\n1 2'],
    ['> quoted\n\n---\n\n`code` and ~~old~~ new', 'quoted\n\ncode and old new'],
    ['```\nconst a = 1;\n```', 'const a = 1;'],
    ['<p>HTML &amp; <strong>more</strong></p><ul><li>one</li></ul>', 'HTML & more\n\none'],
    ['one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
    ['a \\*star\\*', 'a *star*'],
    ['[a]: https://x.example\n\n[a] link', 'a link'],
  ])('%j', (markdown, text) => {
    expect(markdownToText(markdown)).toBe(text);
  });

  it.each([
    'A phone.',
    '5 * 3 * 2 = 30',
    '#1 phone of the year',
    'I <3 it, and 5 < 6 > 4',
    'snake_case_name and __init',
    'Terms* apply',
    'S10+ (128GB) & S10',
    '£20 - £30 ~ or so',
    'C:\\phones\\new',
    'https://x.example/?a=1&copy=2_3_4',
  ])('that is %j stays as it is', (text) => {
    expect(markdownToText(text)).toBe(text);
    expect(looksLikeMarkdown(text)).toBe(false);
  });

  it.each(['[', '_a', '***a', '>', '* ', '1. ', '![[', '`a', '<a ', 'a|', '[a]: b\n', 'a@'])(
    'is found in a moment, also of fifty thousand signs of %j',
    (piece) => {
      const text = piece.repeat(50_000 / piece.length);
      expect(() => markdownToText(text)).not.toThrow();
    },
  );

  it.each(['# Title', 'a [link](https://x.example)', 'so **bold**'])('is looked for in %j', (text) => {
    expect(looksLikeMarkdown(text)).toBe(true);
  });
});
