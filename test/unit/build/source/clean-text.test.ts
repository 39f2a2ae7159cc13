import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fixMojibake,
  hasLostCharacters,
  htmlToText,
  markdownToText,
  looksLikeMarkup,
} from '../../../../build/source/clean-text.ts';
import { decodeWindows1252 } from '../../../../build/source/text-lines.ts';

/** UTF-8 read as windows-1252 and written again, so many times. */
function mangle(text: string, times = 1): string {
  return times === 0 ? text : mangle(decodeWindows1252(Buffer.from(text)), times - 1);
}

describe('mojibake', () => {
  it.each([
    '£10 a month',
    'café',
    'Señor Öl',
    'Zażółć “Plus” – 5€',
    'iPhone™ 📱',
    'ESPAÑA',
    '\ufeffPlan',
    'Ünlimited°',
  ])('is repaired, once and several times over: %s', (text) => {
    for (const times of [1, 2, 3]) expect(fixMojibake(mangle(text, times))).toBe(text);
  });

  it.each([
    'café',
    'CAFÉ®',
    'CAFÉ™',
    'CAFÉ’S',
    'Jalapeño',
    '“Plus” – 5€',
    '£10 or €12',
    'àéîõü ÀÉÎÕÜ',
    'le café»…',
    'maçã”…',
    'É“clair”',
    'Straße 5½',
    'ł ż Ж ω 中文 📱',
    'Vodafone Red™',
    'AT&T',
    '±5 °C',
  ])('is not what a sound text is taken for: %s', (text) => {
    expect([fixMojibake(text), hasLostCharacters(text)]).toEqual([text, false]);
  });

  it('of any text of letters, signs and emoji that people write is undone', () => {
    const signs = Array.from('abc 019 £€éèüöñçßÉÀŁłŹž“”‘’–—…•™®©½°📱🎁');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs)), (characters) => {
        const text = characters.join('');
        expect(fixMojibake(mangle(text))).toBe(fixMojibake(text));
      }),
    );
  });

  it.each(['Caf\ufffd 4GB', 'Caf� \ufffd', 'Â£10 – Ж', 'cafÃ© – é', 'itâ€\ufffds', 'itâ€?s Ж'])(
    'that cannot be repaired is left as it is, and is told: %s',
    (text) => {
      expect([fixMojibake(text), hasLostCharacters(text)]).toEqual([text, true]);
    },
  );
});

describe('the text of a page', () => {
  it.each([
    ['', ''],
    ['A phone.', 'A phone.'],
    ['<p>One.</p><p>Two <em>words</em>.</p>', 'One.\n\nTwo words.'],
    ['<!-- wp:paragraph {"dropCap":true} --><p>One.</p><!-- /wp:paragraph -->', 'One.'],
    ['line<br>line<br />line', 'line\nline\nline'],
    ['<ul><li>a</li><li>b</li></ul>', 'a\nb'],
    ['<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a b\n1 2'],
    ['<h2>Title</h2>text', 'Title\n\ntext'],
    ['one\n\n\n\ntwo', 'one\n\ntwo'],
    ['Tom &amp; Jerry&#8217;s &pound;5&nbsp;deal', 'Tom & Jerry’s £5 deal'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['a < b and b > a', 'a < b and b > a'],
    ['5 <6', '5 <6'],
    ['<a href="x" title="a > b">link</a>', 'link'],
    ['a<script>if (a < b) alert("</p>")</script>b', 'a b'],
    ['a<STYLE>p { }</style >b', 'a b'],
    ['a<script>never closed', 'a'],
    ['a<!-- never closed', 'a'],
    ['a<b never closed', 'a'],
    ['a<a title="never closed>b', 'ab'],
    ['[caption id="a" width="300"]<img src="x"> A phone[/caption]', 'A phone'],
    ['[gallery ids="1,2"]text [1] [sic]', 'text [1] [sic]'],
    ['&unknown; &', '&unknown; &'],
  ])('of %j', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each([
    ['tags that are never closed', '<a '],
    ['signs', '<'],
    ['brackets', '[caption '],
  ])('is found in a moment, also of a hundred thousand %s', (_what, piece) => {
    expect(() => htmlToText(piece.repeat(100_000))).not.toThrow();
  });
});

describe('the text of a page in Markdown', () => {
  it.each([
    ['# Pixel 9\n\nA **great** phone, *really*.', 'Pixel 9\n\nA great phone, really.'],
    ['See [the deals](https://x.example/a_b "now") and ![a picture](front.png)', 'See the deals and'],
    ['- **128GB**\n- 256GB\n', '- 128GB\n- 256GB'],
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
    expect(looksLikeMarkup(text)).toBe(false);
  });

  it.each([
    '# Title',
    'a [link](https://x.example)',
    'so **bold**',
    'a *great*, phone',
    '- a\n- b',
    '`a`',
    'A &amp; B',
  ])('is looked for in %j', (text) => {
    expect(looksLikeMarkup(text)).toBe(true);
  });
});
