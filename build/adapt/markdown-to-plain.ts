import MarkdownIt from 'markdown-it';
import { htmlToPlain } from './html-to-plain.ts';

const markdown = new MarkdownIt({ html: true });

// The number of an item is a word of the text: a paragraph may begin with "2026. ".
markdown.renderer.rules['list_item_open'] = (tokens, index) => {
  const { info = '', markup = '' } = tokens[index] ?? {};
  const first = tokens[index + 1];
  if (info !== '' && first?.type === 'paragraph_open') first.hidden = true;
  return info === '' ? '<li>' : `<li>${info}${markup} `;
};

/** Marks of Markdown that no sentence has by chance: a heading, a link, bold text. */
const MARKS = /^#{1,6} \S|\[[^[\]\n]{1,300}\]\([^()\s]{1,300}\)|\*\*[^\s*][^*\n]{0,300}\*\*/m;

/** The line ends that stand between the tags of a list or a table, and in no text. */
const BETWEEN_TAGS = /(?<!\n)\n+(?=<\/?(?:li|ul|ol|table|thead|tbody|tr|th|td)[ >])/g;

/** The text of a page in Markdown, which may hold HTML, paragraph by paragraph (`html-to-plain.ts`). */
export function markdownToPlain(text: string): string {
  return htmlToPlain(markdown.render(text).replaceAll(BETWEEN_TAGS, ''));
}

/** Whether a text that may be Markdown certainly is. */
export function looksLikeMarkdown(text: string): boolean {
  return MARKS.test(text);
}
