/** Deeper than any editor nests; a bound, since the text comes from outside. */
const MAX_DEPTH = 50;

/** Nodes of Contentful and of Strapi's blocks that hold text of a line, not lines. */
const INLINE = /^(?:text|hyperlink|link|entry-hyperlink|asset-hyperlink|resource-hyperlink|embedded-entry-inline)$/;

/** A node of a rich text, in the words of Contentful (`nodeType`, `value`, `content`) or of Strapi (`type`, `text`, `children`). */
interface RichNode {
  readonly kind: string;
  readonly text: string;
  readonly children: readonly unknown[];
}

/** The text of a rich text document, paragraph by paragraph; pictures and embedded entries have none. */
export function richTextToPlain(value: unknown): string {
  const paragraphs: string[] = [];
  for (const node of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    addParagraphs(node, paragraphs, MAX_DEPTH);
  }
  return paragraphs.join('\n\n');
}

export function isRichTextDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 'document';
}

function addParagraphs(value: unknown, paragraphs: string[], depth: number): void {
  const node = readNode(value);
  if (node === undefined || depth === 0) return;
  if (INLINE.test(node.kind) || node.children.some((child) => INLINE.test(readNode(child)?.kind ?? ''))) {
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
