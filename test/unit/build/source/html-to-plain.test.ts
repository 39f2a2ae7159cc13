import { describe, expect, it } from 'vitest';
import { htmlToText, looksLikeHtml } from '../../../../build/source/plain-text.ts';

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
    ['comments that are never closed', '<!--'],
    ['tags that are never closed', '<a '],
    ['quotes that are never closed', '<a b="'],
    ['scripts', '<script>'],
    ['signs', '<'],
    ['brackets', '[caption '],
    ['entities', '&amp'],
    ['spaces', ' \n'],
  ])('is found in a moment, also of a hundred thousand %s', (_what, piece) => {
    const started = performance.now();
    htmlToText(piece.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each([
    ['plain text', false],
    ['a < b', false],
    ['https://x.example/?a=1&copy=2', false],
    ['a <b>word</b>', true],
    ['Tom &amp; Jerry', true],
    ['&#8217;', true],
    ['<!-- wp:p -->', true],
  ])('is looked for in %j: %s', (text, isHtml) => {
    expect(looksLikeHtml(text)).toBe(isHtml);
  });
});
