import { decodeHTML } from 'entities';
import MarkdownIt from 'markdown-it';
import { valueAt } from './json.ts';

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

/** Whether a text has tags or entities. */
export function looksLikeHtml(text: string): boolean {
  return /<(?:\/?[a-zA-Z]|!--)/.test(text) || ENTITY.test(text);
}

const ENTITY = /&(?:#[0-9]|#x[0-9a-f]|[a-z]{2,8};)/i;

/** Whether a text has a tag that no sentence contains by chance. */
export function hasHtmlTag(text: string): boolean {
  return /<\/[a-z][a-z0-9]{0,20}>|<(?:p|div|br|hr|h[1-6]|ul|ol|li)(?:\s[^<>]{0,1000})?\/?>/i.test(text);
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

const markdown = new MarkdownIt({ html: true });

// The number of a list item stays in the text: a paragraph may start with "2026. ".
markdown.renderer.rules['list_item_open'] = (tokens, index) => {
  const { info = '', markup = '' } = tokens[index] ?? {};
  const first = tokens[index + 1];
  if (info !== '' && first?.type === 'paragraph_open') first.hidden = true;
  return info === '' ? '<li>' : `<li>${info}${markup} `;
};

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
  return hasHtmlTag(text) || ENTITY.test(text) || MARKDOWN_MARKS.some((mark) => mark.test(text));
}

/** Deeper than any editor nests. */
const MAX_DEPTH = 50;

/** The inline nodes of Contentful and of Strapi's blocks. */
const INLINE_NODES =
  /^(?:text|hyperlink|link|entry-hyperlink|asset-hyperlink|resource-hyperlink|embedded-entry-inline)$/;

/** A node of a rich text of Contentful (`nodeType`, `value`, `content`) or Strapi (`type`, `text`, `children`). */
interface RichNode {
  readonly kind: string;
  readonly text: string;
  readonly children: readonly unknown[];
}

/** Converts a rich text document to plain text, without pictures and embedded entries. */
export function richTextToText(value: unknown): string {
  const paragraphs: string[] = [];
  for (const node of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    addParagraphs(node, paragraphs, MAX_DEPTH);
  }
  return paragraphs.join('\n\n');
}

/** Whether a value is a document of Contentful, or a list of the blocks of Strapi. */
export function isRichText(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((node) => Array.isArray(valueAt(node, 'children')));
  return valueAt(value, 'nodeType') === 'document';
}

function addParagraphs(value: unknown, paragraphs: string[], depth: number): void {
  const node = readNode(value);
  if (node === undefined || depth === 0) return;
  if (INLINE_NODES.test(node.kind) || node.children.some((child) => INLINE_NODES.test(readNode(child)?.kind ?? ''))) {
    const text = inlineText(value, depth).trim();
    if (text !== '') paragraphs.push(text);
    return;
  }
  for (const child of node.children) addParagraphs(child, paragraphs, depth - 1);
}

function inlineText(value: unknown, depth: number): string {
  const node = readNode(value);
  if (node === undefined || depth === 0) return '';
  return node.text + node.children.map((child) => inlineText(child, depth - 1)).join('');
}

function readNode(value: unknown): RichNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { nodeType, type, value: ownText, text, content, children } = value as Readonly<Record<string, unknown>>;
  const kind = nodeType ?? type;
  if (typeof kind !== 'string') return undefined;
  const inner = content ?? children;
  const words = ownText ?? text;
  return {
    kind,
    text: typeof words === 'string' ? words : '',
    children: Array.isArray(inner) ? (inner as readonly unknown[]) : [],
  };
}
