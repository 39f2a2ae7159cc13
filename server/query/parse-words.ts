import { RESOURCE_WORDS, type ResourceWord } from '../../data/query/endpoint.ts';
import { didYouMean, type QueryIssue } from './query-issue.ts';

const BRACKET = /[(){}]/;
const OPENER = /[({]/;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/**
 * Parses a list of words such as `products(content,images)`, for `expand` and `fields` (spec §4.1, §4.2). Accepts braces
 * for parentheses, and the list without its wrapper (D5). Splits at the brackets, because a regular expression for the
 * whole text would be exponential.
 *
 * Returns the known words, each once, in the order given; every other word is an issue.
 */
export function parseWords<Word extends string>(
  parameter: string,
  text: string,
  resource: ResourceWord,
  vocabulary: ReadonlyMap<string, Word>,
  issues: QueryIssue[],
): ReadonlySet<Word> {
  const found = new Set<Word>();
  const expected = `${resource}(<word>,<word>,…)`;
  const list = openWrapper(parameter, text.trim(), resource, expected, issues);
  if (list === undefined) return found;
  let unknown: Set<string> | undefined;
  for (const item of list.split(',')) {
    const word = item.trim();
    const meaning = vocabulary.get(word);
    // A word listed twice counts once, a misspelled one too (D4).
    if (meaning === undefined) (unknown ??= new Set()).add(word);
    else found.add(meaning);
  }
  if (unknown === undefined) return found;
  const allowed = [...vocabulary.keys()];
  for (const word of unknown) {
    if (word === '') {
      issues.push({ code: 'malformed-value', parameter, expected: `${expected} without an empty word`, value: text });
    } else {
      issues.push(unknownWord(parameter, word, allowed, `one of the words of ${parameter}`, issues.length));
    }
  }
  return found;
}

/** An `unknown-value` issue for a word, with a suggestion unless too many issues came before it. */
export function unknownWord(
  parameter: string,
  word: string,
  allowed: readonly string[],
  expected: string,
  faultCount: number,
): QueryIssue {
  return { code: 'unknown-value', parameter, expected, value: word, ...didYouMean(word, allowed, faultCount) };
}

/** The text between the brackets, or the whole list without wrapper; undefined when the text is malformed. */
function openWrapper(
  parameter: string,
  text: string,
  resource: ResourceWord,
  expected: string,
  issues: QueryIssue[],
): string | undefined {
  const opener = text.search(OPENER);
  if (opener === -1 && !BRACKET.test(text)) return text;
  const wrapper = text.slice(0, opener);
  const inner = text.slice(opener + 1, -1);
  const isClosed = opener < text.length - 1 && text.at(-1) === CLOSERS[text.charAt(opener)];
  if (opener < 1 || !isClosed || BRACKET.test(inner) || wrapper.includes(',')) {
    issues.push({ code: 'malformed-value', parameter, expected, value: text });
    return undefined;
  }
  if (wrapper === resource) return inner;
  // Only one word is possible, so it is suggested for every other.
  const issue = unknownWord(parameter, wrapper, [resource], `the wrapper ${resource}(…)`, issues.length);
  issues.push({ ...issue, suggestion: resource });
  // The words of another resource would only give further issues.
  return (RESOURCE_WORDS as readonly string[]).includes(wrapper) ? undefined : inner;
}
