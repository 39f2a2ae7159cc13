/** A text that is made of others: the names of columns or fields in braces, and what stands between them. */
export interface JoinedText {
  readonly names: readonly string[];
  /** The text with what `find` has for each name; undefined when it has nothing for any of them. */
  fill(find: (name: string) => string | undefined): string | undefined;
}

const HOLE = /\{([^{}]*)\}/g;

/**
 * Reads `{make} {model} ({colour})`, or one name without braces. A name that has no text leaves neither double spaces nor
 * empty brackets. Undefined when the braces do not fit.
 */
export function parseJoinedText(text: string): JoinedText | undefined {
  const names = [...text.matchAll(HOLE)].map(([, name = '']) => name.trim());
  if (/[{}]/.test(text.replaceAll(HOLE, '')) || names.includes('')) return undefined;
  if (names.length === 0) return { names: [text], fill: (find) => find(text) };
  return {
    names,
    fill: (find) => {
      let isEmpty = true;
      const filled = text.replaceAll(HOLE, (_whole, name: string) => {
        const found = find(name.trim()) ?? '';
        isEmpty &&= found.trim() === '';
        return found;
      });
      return isEmpty
        ? undefined
        : filled
            .replaceAll(/\(\s*\)|\[\s*\]/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim();
    },
  };
}
