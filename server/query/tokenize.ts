/** A word, `name(list)` or `name{list}`: one part of the value of a parameter, between commas. */
export interface Item {
  /** The word, or what stands before the bracket. */
  readonly name: string;
  readonly bracket: '' | '(' | '{';
  /** The texts between the commas within the brackets, without spaces around them. */
  readonly list: readonly string[];
}

const ITEM = /([^(){},]*)(?:\(([^()]*)\)\s*|\{([^{}]*)\}\s*)?(?:,|$)/y;

/** The items of a value; the last one is undefined where the value does not follow the grammar from there on. */
export function tokenize(text: string): readonly (Item | undefined)[] {
  const items: Item[] = [];
  for (let at = 0; ;) {
    ITEM.lastIndex = at;
    const match = ITEM.exec(text);
    if (match === null) return [...items, undefined];
    const [whole, name = '', inParentheses, inBraces] = match;
    const inner = inParentheses ?? inBraces;
    items.push({
      name: inner === undefined ? name.trim() : name.trimStart(),
      bracket: inner === undefined ? '' : inParentheses === undefined ? '{' : '(',
      list: inner?.split(',').map((each) => each.trim()) ?? [],
    });
    if (!whole.endsWith(',')) return items;
    at += whole.length;
  }
}
