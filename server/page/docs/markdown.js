import { element } from '../lib/element.js';

/** @typedef {Node | string} Inline */

/** A word of code, or a link. */
const MARK = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g;

/**
 * The little of Markdown that the description is written in: paragraphs, lists, code and links within this server. Everything
 * else is text.
 * @param {string} text
 */
export function readMarkdown(text) {
  const blocks = text.split(/\n{2,}/).filter((block) => block !== '');
  return blocks.map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return element('p', {}, ...readInline(lines.join(' ')));
    return element('ul', {}, ...lines.map((line) => element('li', {}, ...readInline(line.slice(2)))));
  });
}

/** @param {string} text of one line */
export function readInline(text) {
  /** @type {Inline[]} */
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    const [whole, code, label, target] = match;
    parts.push(text.slice(from, match.index));
    if (code !== undefined) parts.push(element('code', {}, code));
    else parts.push(element('a', { href: target ?? '' }, ...readInline(label ?? '')));
    from = match.index + whole.length;
  }
  return [...parts, text.slice(from)];
}

/**
 * The id of a heading.
 * @param {string} title
 */
export function toAnchor(title) {
  return `about-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
