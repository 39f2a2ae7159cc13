import { element } from '../lib/element.js';

/** @typedef {Node | string} Inline */

/** A word of code, or a link. */
const MARK = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g;

/**
 * The little of Markdown that the description is written in: paragraphs, lists, headings, code and links within this
 * server. Everything else is text.
 * @param {string} text
 * @param {{ readonly heading?: 'h2' | 'h3' | 'h4' }} [options] what `##` becomes
 * @returns {readonly HTMLElement[]}
 */
export function readMarkdown(text, { heading = 'h3' } = {}) {
  return text.split(/\n{2,}/).map((block) => {
    if (block.startsWith('## ')) {
      const title = block.slice(3);
      return element(heading, { id: toAnchor(title) }, ...readInline(title));
    }
    const lines = block.split('\n');
    if (lines.every((line) => line.startsWith('- '))) {
      return element('ul', {}, ...lines.map((line) => element('li', {}, ...readInline(line.slice(2)))));
    }
    return element('p', {}, ...readInline(lines.join(' ')));
  });
}

/**
 * @param {string} text of one line
 * @returns {readonly Inline[]}
 */
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
 * @returns {string}
 */
export function toAnchor(title) {
  return `about-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
