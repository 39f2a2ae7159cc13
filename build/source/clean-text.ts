import { isUtf8 } from 'node:buffer';
import { decodeHTML, decodeHTMLStrict } from 'entities';
import MarkdownIt from 'markdown-it';
import { valueAt } from './json.ts';
import { encodeWindows1252 } from './text-lines.ts';

/** A text of a foreign feed, repaired and with single spaces; undefined when it is blank or `null`. */
export function cleanText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || (trimmed.length === 4 && trimmed.toLowerCase() === 'null')) return undefined;
  return fixMojibake(trimmed).replace(/\s+/g, ' ');
}

/** A name of a column or attribute in lower case and with single spaces. */
export function normalizeName(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

const NOT_ASCII = /[\u0080-\uffff]/;

/** A text may have been decoded wrongly several times. */
const MAX_ROUNDS = 3;

/**
 * Text that mojibake may decode to: accented letters, typographic signs, other characters of windows-1252, emoji. A text
 * that decodes to anything else is not mojibake: `CAFÉ®` is not `CAFɮ`.
 */
const PLAUSIBLE_TEXT = /^[\0-\u017f\u0192\u02c6\u02dc\u2000-\u2fff\uf000-\uffff\u{10000}-\u{3ffff}]*$/u;

/** Lost characters (U+FFFD), and remains of UTF-8 read as windows-1252 in a text that cannot be repaired. */
const LOST_CHARACTERS = /\ufffd|\u00c2[\u00a0-\u00bf]|\u00c3[\u00a0-\u00bf]|\u00e2\u20ac/;

/**
 * Repairs a text of a feed: undoes UTF-8 read as windows-1252 (`Â£` for `£`), once or several times, if the whole text
 * decodes, and decodes HTML entities once.
 */
export function fixMojibake(text: string): string {
  const unmixed = NOT_ASCII.test(text) ? undoMojibake(text) : text;
  return unmixed.includes('&') ? decodeHTMLStrict(unmixed) : unmixed;
}

/** Whether a repaired text still has lost characters. */
export function hasLostCharacters(text: string | undefined): boolean {
  return text !== undefined && NOT_ASCII.test(text) && LOST_CHARACTERS.test(text);
}

/** Bytes that are valid UTF-8 were UTF-8: real windows-1252 text has no such pairs. */
function undoMojibake(text: string): string {
  let undone = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const bytes = encodeWindows1252(undone);
    if (bytes === undefined || !isUtf8(bytes)) break;
    const decoded = bytes.toString('utf8');
    if (!PLAUSIBLE_TEXT.test(decoded)) break;
    undone = decoded;
  }
  return undone;
}

/** Tags that start a new paragraph; `br` and list items start a new line. */
const BLOCK_TAGS =
  /^(?:address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;
const LINE_TAGS = /^(?:br|caption|li|tr)$/;
const CELL_TAGS = /^(?:td|th)$/;

/** Elements whose text is not for people. */
const HIDDEN_TAGS = /^(?:script|style|template|noscript|iframe|svg|textarea)$/;

const TAG_START = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/y;

/** The rest of a tag; a `>` in quotes does not end it. */
const TAG_REST = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;

/** The shortcodes of WordPress itself for pictures and media. */
const SHORTCODE = /\[\/?(?:audio|caption|embed|gallery|playlist|video|wp_caption)(?:\s[^[\]]{0,2000})?\]/g;

/**
 * Converts HTML to plain text, with a blank line between paragraphs. Comments are removed, with those of the block editor;
 * an entity is decoded once. Takes linear time for any text.
 */
export function htmlToText(html: string): string {
  let text = '';
  let offset = 0;
  while (offset < html.length) {
    const open = html.indexOf('<', offset);
    if (open === -1) break;
    text += html.slice(offset, open);
    const { end, mark } = readTag(html, open);
    text += mark;
    offset = end;
  }
  return collapseWhitespace(decodeHTML((text + html.slice(offset)).replaceAll(SHORTCODE, ' ')));
}

const ENTITY = /&(?:#[0-9]|#x[0-9a-f]|[a-z]{2,8};)/i;

/** Whether a text has a tag that no sentence contains by chance. */
export function hasHtmlTag(text: string): boolean {
  return /<\/[a-z][a-z0-9]{0,20}>|<(?:p|div|br|hr|h[1-6]|ul|ol|li)(?:\s[^<>]{0,1000})?\/?>/i.test(text);
}

/** Whether a text has an entity, or a tag that no sentence contains by chance. */
export function looksLikeHtml(text: string): boolean {
  return hasHtmlTag(text) || ENTITY.test(text);
}

/** The end of the markup at `open`, and its replacement in the text. */
function readTag(html: string, open: number): { readonly end: number; readonly mark: string } {
  if (html.startsWith('<!--', open)) return { end: endOf(html, '-->', open + 4), mark: '' };
  TAG_START.lastIndex = open;
  const [, slash = '', rawName] = TAG_START.exec(html) ?? [];
  // Not a tag, as in `a < b`.
  if (rawName === undefined) return { end: open + 1, mark: '<' };
  const name = rawName.toLowerCase();
  TAG_REST.lastIndex = TAG_START.lastIndex;
  const end = TAG_REST.test(html) ? TAG_REST.lastIndex : endOf(html, '>', open);
  if (slash === '' && HIDDEN_TAGS.test(name)) return { end: endOfElement(html, name, end), mark: ' ' };
  return { end, mark: markOf(name, slash === '/') };
}

function markOf(name: string, isClosing: boolean): string {
  if (BLOCK_TAGS.test(name)) return '\n\n';
  if (LINE_TAGS.test(name)) return isClosing ? '' : '\n';
  return CELL_TAGS.test(name) ? ' ' : '';
}

/** The offset after the next `mark`, or the end of the text: an unclosed comment or tag hides the rest. */
function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

function endOfElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b`, 'gi');
  close.lastIndex = from;
  const match = close.exec(html);
  return match === null ? html.length : endOf(html, '>', match.index);
}

function collapseWhitespace(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/[ \t\r\u00a0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

// Lists stay as they are written: a paragraph may start with "2026. ".
const markdown = new MarkdownIt({ html: true }).disable('list');

/** Marks of Markdown that no sentence contains by chance. */
const MARKDOWN_MARKS: readonly RegExp[] = [
  // A heading, a list, a quotation.
  /^(?:#{1,6} | {0,3}[-*+] +|> )\S/m,
  // A link or a picture.
  /\[[^[\]\n]{1,300}\]\([^()\s]{1,300}(?: "[^"\n]{0,300}")?\)/,
  // Bold text, emphasis, code.
  /\*\*[^\s*][^*\n]{0,300}\*\*|`[^`\n]{1,300}`/,
  /(?:^|[\s(])([*_])[^\s*_](?:[^*_\n]{0,300}[^\s*_])?\1(?=[\s.,;:!?)]|$)/m,
];

/** Line ends between the tags of a list or a table, which are not part of a text. */
const BETWEEN_TAGS = /(?<!\n)\n+(?=<\/?(?:li|ul|ol|table|thead|tbody|tr|th|td)[ >])/g;

/** Converts Markdown, which may contain HTML, to plain text. */
export function markdownToText(text: string): string {
  return htmlToText(markdown.render(text).replaceAll(BETWEEN_TAGS, ''));
}

/** Whether a text has tags, entities or marks of Markdown that no sentence contains by chance. */
export function looksLikeMarkup(text: string): boolean {
  return looksLikeHtml(text) || MARKDOWN_MARKS.some((mark) => mark.test(text));
}

/** Deeper than any editor nests. */
const MAX_DEPTH = 50;

/** The inline nodes of Contentful and of Strapi's blocks. */
const INLINE_NODES =
  /^(?:text|hyperlink|link|entry-hyperlink|asset-hyperlink|resource-hyperlink|embedded-entry-inline)$/;

/**
 * The plain text of a rich text document, without pictures and embedded entries: a document of Contentful (`nodeType`,
 * `value`, `content`), or the blocks of Strapi (`type`, `text`, `children`). Any other value is returned as it is.
 */
export function richTextToText(value: unknown): unknown {
  const isRichText = Array.isArray(value)
    ? value.length > 0 && value.every((node) => Array.isArray(valueAt(node, 'children')))
    : valueAt(value, 'nodeType') === 'document';
  return isRichText ? paragraphsIn([value].flat(), MAX_DEPTH).join('\n\n') : value;
}

function paragraphsIn(nodes: readonly unknown[], depth: number): readonly string[] {
  return nodes.flatMap((node) => {
    const children = childrenOf(node);
    if (depth === 0) return [];
    if (![node, ...children].some(isInline)) return paragraphsIn(children, depth - 1);
    const text = inlineText(node, depth).trim();
    return text === '' ? [] : [text];
  });
}

function inlineText(node: unknown, depth: number): string {
  const text = valueAt(node, 'value') ?? valueAt(node, 'text');
  const inner = depth === 0 ? [] : childrenOf(node).map((child) => inlineText(child, depth - 1));
  return (typeof text === 'string' ? text : '') + inner.join('');
}

function isInline(node: unknown): boolean {
  const kind = valueAt(node, 'nodeType') ?? valueAt(node, 'type');
  return typeof kind === 'string' && INLINE_NODES.test(kind);
}

function childrenOf(node: unknown): readonly unknown[] {
  const children = valueAt(node, 'content') ?? valueAt(node, 'children');
  return Array.isArray(children) ? children : [];
}
