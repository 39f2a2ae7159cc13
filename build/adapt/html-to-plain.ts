import { decodeHTML } from 'entities';

/** Tags that begin a new paragraph; `br` and list items begin a new line. */
const BLOCKS =
  /^(?:address|article|aside|blockquote|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;
const LINES = /^(?:br|caption|li|tr)$/;
const CELLS = /^(?:td|th)$/;

/** Elements of which the text is not for people. */
const HIDDEN = /^(?:script|style|template|noscript|iframe|svg|textarea)$/;

const TAG_START = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/y;

/** The rest of a tag; a `>` in quotes does not end it. */
const TAG_REST = /[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;

/** What the editor of WordPress itself puts between brackets in place of a picture or a film. */
const SHORTCODE = /\[\/?(?:audio|caption|embed|gallery|playlist|video|wp_caption)(?:\s[^[\]]{0,2000})?\]/g;

/**
 * The text of a page, paragraph by paragraph. Comments go, and with them the marks that the block editor leaves; an
 * entity is decoded once. Takes time in proportion to the text, whatever is in it.
 */
export function htmlToPlain(html: string): string {
  let text = '';
  let offset = 0;
  while (offset < html.length) {
    const open = html.indexOf('<', offset);
    if (open === -1) break;
    text += html.slice(offset, open);
    const { end, mark } = readMarkup(html, open);
    text += mark;
    offset = end;
  }
  return tidy(decodeHTML((text + html.slice(offset)).replaceAll(SHORTCODE, ' ')));
}

/** Whether a text has tags or entities at all: what has none is not to be changed. */
export function looksLikeHtml(text: string): boolean {
  return /<(?:\/?[a-zA-Z]|!--)/.test(text) || /&(?:#[0-9]|#x[0-9a-f]|[a-z]{2,8};)/i.test(text);
}

/** Whether a text has a tag that no sentence has by chance. */
export function hasHtmlTag(text: string): boolean {
  return /<\/[a-z][a-z0-9]{0,20}>|<(?:p|div|br|hr|h[1-6]|ul|ol|li)(?:\s[^<>]{0,1000})?\/?>/i.test(text);
}

/** Where the markup at `open` ends, and what stands for it in the text. */
function readMarkup(html: string, open: number): { readonly end: number; readonly mark: string } {
  if (html.startsWith('<!--', open)) return { end: endOf(html, '-->', open + 4), mark: '' };
  TAG_START.lastIndex = open;
  const [, slash = '', rawName] = TAG_START.exec(html) ?? [];
  // A sign, as in `a < b`.
  if (rawName === undefined) return { end: open + 1, mark: '<' };
  const name = rawName.toLowerCase();
  TAG_REST.lastIndex = TAG_START.lastIndex;
  const end = TAG_REST.test(html) ? TAG_REST.lastIndex : endOf(html, '>', open);
  if (slash === '' && HIDDEN.test(name)) return { end: endOfElement(html, name, end), mark: ' ' };
  return { end, mark: markOf(name, slash === '/') };
}

function markOf(name: string, isClosing: boolean): string {
  if (BLOCKS.test(name)) return '\n\n';
  if (LINES.test(name)) return isClosing ? '' : '\n';
  return CELLS.test(name) ? ' ' : '';
}

/** After the next `mark`; without one, the end: what follows an open comment or tag is not for people. */
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

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(/[ \t\r\u00a0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
