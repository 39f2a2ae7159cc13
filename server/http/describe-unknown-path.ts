import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { PRODUCT_EXPANSIONS } from '../../data/query/expand.ts';
import { FOREIGN_PATHS, hasWord, joinWords } from '../../data/query/foreign-word.ts';
import { findNearestWord } from '../../data/query/nearest-word.ts';

const SENTENCE = 'There is nothing at this path; paths are compared as sent.';

/** Longer paths are no slip of a person. */
const MAX_GUESSED_LENGTH = 200;

/** `products`, `gifts` and the other words that a path of the interface begins with. */
const COLLECTIONS: readonly string[] = [...new Set(ENDPOINTS.map(({ path }) => path.split('/')[3] ?? ''))];
const PAGES: readonly string[] = ['explore', 'docs', 'status', 'problems'];

/** What may stand before the collection: here `/deals/v1/`, elsewhere `/api/v1/` or nothing. */
const PREFIX = /^(?:api|rest|deals|v[0-9]{1,3})$/i;
const PRODUCT_ID = /^[0-9]{1,20}$/;

/** What is wrong with a path that leads nowhere, and the path that was probably meant. */
export function describeUnknownPath(path: string): string {
  const meant = path.length > MAX_GUESSED_LENGTH ? undefined : findMeantPath(path);
  return meant === undefined ? SENTENCE : `${SENTENCE} Did you mean ${meant}?`;
}

/** Word for word: what all paths begin with would make any two of them look alike. */
function findMeantPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const prefix: string[] = [];
  while (PREFIX.test(parts[0] ?? '') && !prefix.includes(parts[0] ?? '')) prefix.push(parts.shift() ?? '');
  const [word, ...rest] = parts;
  if (word === undefined) return prefix.length === 0 ? undefined : '/deals/v1/products/';
  const [stem = ''] = word.split('.');
  const collection = findNearestWord(stem, COLLECTIONS);
  const foreign = [word, stem, rest.at(-1) ?? ''].map(findForeignPath).find((use) => use !== undefined);
  if (collection === undefined && foreign !== '/deals/v1/products/') return foreign ?? findPage(stem, prefix, rest);
  return writePath(collection ?? 'products', rest);
}

function findForeignPath(word: string): string | undefined {
  return FOREIGN_PATHS.find(({ words }) => hasWord(words, joinWords(word)))?.use;
}

function findPage(word: string, prefix: readonly string[], rest: readonly string[]): string | undefined {
  const page = prefix.length + rest.length === 0 ? findNearestWord(word, PAGES) : undefined;
  return page === undefined ? undefined : `/${page}/`;
}

/** The path of a collection, of one of its products, or of what is part of that; lists come whole. */
function writePath(collection: string, [first, second]: readonly string[]): string {
  const list = `/deals/v1/${collection}/`;
  if (first === undefined) return list;
  if (collection === 'gifts') {
    return findNearestWord(first, ['categories']) === undefined ? list : `${list}categories/`;
  }
  if (collection !== 'products') return list;
  const [id = ''] = first.split('.');
  // What is repeated is a number, and nothing else that somebody sent.
  if (!PRODUCT_ID.test(id)) return `${list}?filter[slug]=eq{<product slug>}`;
  const words = PRODUCT_EXPANSIONS.map((expansion): string => expansion.word);
  const expansion = second === undefined ? undefined : findNearestWord(second, words);
  return expansion === undefined ? `${list}${id}/` : `${list}${id}/?expand=products(${expansion})`;
}
