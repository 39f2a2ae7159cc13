import { findNearestWord } from '../../data/query/nearest-word.ts';
import { RESOURCE_WORDS, type ResourceWord } from '../../data/query/resource.ts';
import type { QueryIssue } from './query-issue.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

/**
 * Reads a list of words, `products(content,images)`, as `expand` and `fields` take it (spec §4.1, §4.2). Two spellings
 * that the specification itself shows mean the same (D5): braces for parentheses, and the bare list without its wrapper.
 * Scanned by hand: the natural regular expression for it is exponential.
 *
 * Returns the words that are known, each once, in the order given; every other is an issue.
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
  // A word listed twice counts once, a misspelled one too (D4).
  for (const word of new Set(list.split(',').map((item) => item.trim()))) {
    const meaning = vocabulary.get(word);
    if (meaning !== undefined) {
      found.add(meaning);
    } else if (word === '') {
      issues.push({ code: 'malformed-value', parameter, expected: `${expected} without an empty word`, value: text });
    } else {
      const expectedWord = `one of the words of ${parameter}`;
      issues.push(unknownWord(parameter, word, [...vocabulary.keys()], expectedWord, issues.length));
    }
  }
  return found;
}

/** Faults of a request that are told the words allowed: a request of nothing but faults is not to cost more than others. */
const MAX_HELPED_FAULTS = 20;

/**
 * An `unknown-value` issue for a word, with the words allowed and the nearest of them, unless `faultCount` faults of
 * the request have had that help already.
 */
export function unknownWord(
  parameter: string,
  word: string,
  allowed: readonly string[],
  expected: string,
  faultCount = 0,
): QueryIssue {
  const issue = { code: 'unknown-value', parameter, expected, value: word } as const;
  if (faultCount >= MAX_HELPED_FAULTS) return issue;
  const suggestion = findNearestWord(word, allowed);
  return { ...issue, allowed, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** The text between the brackets, or the whole bare list; undefined when its words cannot be told. */
function openWrapper(
  parameter: string,
  text: string,
  resource: ResourceWord,
  expected: string,
  issues: QueryIssue[],
): string | undefined {
  const opener = findBracket(text, '({');
  if (opener === -1 && findBracket(text, ')}') === -1) return text;
  const wrapper = text.slice(0, opener);
  const inner = text.slice(opener + 1, -1);
  const isClosed = opener < text.length - 1 && text.at(-1) === CLOSERS[text.charAt(opener)];
  if (opener < 1 || !isClosed || findBracket(inner, '(){}') !== -1 || wrapper.includes(',')) {
    issues.push({ code: 'malformed-value', parameter, expected, value: text });
    return undefined;
  }
  if (wrapper === resource) return inner;
  // There is one answer only, so it is offered however far the word is from it.
  issues.push({ ...unknownWord(parameter, wrapper, [resource], `the wrapper ${resource}(…)`), suggestion: resource });
  // The words of another resource would only be blamed for being elsewhere.
  return (RESOURCE_WORDS as readonly string[]).includes(wrapper) ? undefined : inner;
}

function findBracket(text: string, brackets: string): number {
  for (let i = 0; i < text.length; i++) {
    if (brackets.includes(text.charAt(i))) return i;
  }
  return -1;
}
