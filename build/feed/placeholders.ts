/** A text with the names of columns or fields in braces. */
export interface JoinedText {
  readonly names: readonly string[];
  /** Replaces each name by its value; undefined when every value is missing or blank. */
  fill(find: (name: string) => string | undefined): string | undefined;
}

const COLUMN_PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Reads `{make} {model} ({colour})`, or one name without braces. A missing value leaves neither double spaces nor empty
 * brackets. Undefined when the braces do not match.
 */
export function parseJoinedText(text: string): JoinedText | undefined {
  const names = [...text.matchAll(COLUMN_PLACEHOLDER)].map(([, name = '']) => name.trim());
  if (/[{}]/.test(text.replaceAll(COLUMN_PLACEHOLDER, '')) || names.includes('')) return undefined;
  if (names.length === 0) return { names: [text], fill: (find) => find(text) };
  return {
    names,
    fill: (find) => {
      let isEmpty = true;
      const filled = text.replaceAll(COLUMN_PLACEHOLDER, (_whole, name: string) => {
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

/** Fills the placeholders of a constant: `{network} {dataGb}` becomes `Three 100GB`. Undefined when one is missing. */
export function fillConstant(text: string, found: (name: string) => string | undefined): string | undefined {
  return fillPlaceholders(text, FIELD_PLACEHOLDER, found);
}

/**
 * Replaces each match of a pattern by the value of its name; undefined when a value is missing.
 *
 * @param pattern has the name in its first group or, of two spellings, in its second
 */
export function fillPlaceholders(
  text: string,
  pattern: RegExp,
  find: (name: string) => string | undefined,
): string | undefined {
  let isComplete = true;
  const filled = text.replaceAll(pattern, (_whole, first: string | undefined, second: unknown) => {
    const value = find(first ?? String(second));
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}

/** The fields in the placeholders of a constant. */
export function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(FIELD_PLACEHOLDER)].map(([, name]) => name ?? '');
}

const FIELD_PLACEHOLDER = /\{([A-Za-z]+)\}/g;
