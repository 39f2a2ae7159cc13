import { findNearestWord } from '../../data/query/edit-distance.ts';
import type { ProblemCode } from '../../data/query/problem.ts';

/** A `name=value` pair of a query string, decoded, and as it was sent. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

/** A query string, split and decoded once: the cursor, the parameters and the links are all read from these pairs. */
export interface QueryString {
  /** In the order sent; a pair that cannot be decoded is not among them. */
  readonly pairs: readonly QueryPair[];
  readonly issues: readonly QueryIssue[];
}

/** Splits a request target at its first `?`: the path and the query exactly as sent. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * The pairs of a query string in order. Empty pairs (`&&`, a last `&`) are skipped, and `+` is a space. Broken
 * percent-encoding, invalid UTF-8, NUL and bytes that were not encoded are issues (D4).
 */
export function parseQueryString(query: string): QueryString {
  const pairs: QueryPair[] = [];
  const issues: QueryIssue[] = [];
  const faulty = new Set<string>();
  if (query === '') return { pairs, issues };
  for (const raw of query.split('&')) {
    if (raw === '') continue;
    const equals = raw.indexOf('=');
    const rawName = equals === -1 ? raw : raw.slice(0, equals);
    const rawValue = equals === -1 ? '' : raw.slice(equals + 1);
    const name = decode(rawName);
    const value = decode(rawValue);
    if (name === undefined || value === undefined) {
      // A repeated error is one issue.
      if (faulty.has(raw)) continue;
      faulty.add(raw);
      issues.push({
        code: 'malformed-value',
        parameter: name ?? rawName,
        expected: 'percent-encoded UTF-8 without NUL',
        value: name === undefined ? rawName : rawValue,
      });
    } else {
      pairs.push({ name, value, raw });
    }
  }
  return { pairs, issues };
}

/** Characters that must be decoded. */
const NOT_LITERAL = /[%+]|[^ -~]/;

/**
 * ASCII, and percent-encoded UTF-8 of one to four bytes without NUL (RFC 3629 §4). `decodeURIComponent` throws for other
 * texts, and thousands of errors for one target took 13 ms.
 */
const WELL_FORMED =
  /^(?:[^%\0\u007f-\uffff]|%(?!00)[0-7][0-9a-f]|%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]|%(?:e0%[ab][0-9a-f]|ed%[89][0-9a-f]|e[1-9a-cef]%[89ab][0-9a-f])%[89ab][0-9a-f]|%(?:f0%[9ab][0-9a-f]|f4%8[0-9a-f]|f[1-3]%[89ab][0-9a-f])%[89ab][0-9a-f]%[89ab][0-9a-f])*$/i;

function decode(text: string): string | undefined {
  if (!NOT_LITERAL.test(text)) return text;
  if (!WELL_FORMED.test(text)) return undefined;
  return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

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

/** One error of a request: the parameter, what was expected, what arrived, and the nearest allowed word (D4, D17). */
export interface QueryIssue {
  readonly code: ProblemCode;
  /** As sent: `filter[networks]`; the path's id as `id`. */
  readonly parameter: string;
  /** What was expected, as the end of a sentence that begins with "expected". */
  readonly expected: string;
  /** What arrived: the whole value, or the wrong word. */
  readonly value: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string | undefined;
}

/** Issues of a request with allowed words: a request full of errors must not cost more than others. */
const MAX_HELPED_ISSUES = 20;
/** The same limit in words to compare with, such as a thousand retailers. */
const MAX_COMPARED_WORDS = 2_000;

/** Collects the errors of a request. Each method returns undefined, for a parser to return in place of a value. */
export class QueryIssues {
  readonly list: QueryIssue[] = [];

  add(
    code: ProblemCode,
    parameter: string,
    expected: string,
    value: string,
    help: Pick<QueryIssue, 'allowed' | 'suggestion'> = {},
  ): undefined {
    this.list.push({ code, parameter, expected, value, ...help });
  }

  /** A word that is none of those allowed, with these and the nearest of them, unless too many issues came before. */
  addUnknown(
    code: 'unknown-value' | 'unknown-parameter',
    parameter: string,
    word: string,
    allowed: readonly string[],
    expected: string,
  ): undefined {
    const before = this.list.length;
    const isHelped = before < MAX_HELPED_ISSUES && before * allowed.length <= MAX_COMPARED_WORDS;
    const suggestion = isHelped ? findNearest(word, allowed) : undefined;
    const help = suggestion === undefined ? { allowed } : { allowed, suggestion };
    this.add(code, parameter, expected, word, isHelped ? help : {});
  }
}

const BRACKETED = /\[([^[\]]*)\]$/;

/**
 * The word that was probably meant. Filters are compared by their names, because `filter[…]` would make any two look alike:
 * `networks` and `filters[network]` are `filter[networks]`.
 */
function findNearest(word: string, allowed: readonly string[]): string | undefined {
  const nameOf = (text: string): string => BRACKETED.exec(text)?.[1] ?? text;
  const byName = new Map(allowed.map((each) => [nameOf(each), each]));
  const nearest = findNearestWord(nameOf(word), byName.keys());
  return nearest === undefined ? undefined : byName.get(nearest);
}

/** One sentence a client developer can act on: the parameter, what was expected, what arrived. */
export function describeQueryIssue(issue: QueryIssue): string {
  const { code, expected, suggestion } = issue;
  // Of too many deals the suggestion is another parameter, which `expected` names.
  const isWord = suggestion !== undefined && code !== 'too-many-deals';
  const help = isWord ? `; did you mean ${quote(suggestion)}?` : '';
  const parameter = cut(issue.parameter);
  if (code === 'unknown-parameter')
    return `${parameter}: not a parameter of this endpoint; expected ${expected}${help}`;
  if (code === 'repeated-parameter') return `${parameter}: given more than once; expected ${expected}${help}`;
  return `${parameter}: expected ${expected}, got ${quote(issue.value)}${help}`;
}

/** Quotes a text from outside and cuts it to 80 characters. */
function quote(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
