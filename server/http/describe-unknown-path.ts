import { ENDPOINTS } from '../../data/query/endpoint.ts';
import { findNearestWord } from '../../data/query/nearest-word.ts';

const SENTENCE = 'There is nothing at this path; paths are compared as sent.';

/** `products`, `gifts` and the other words that a path of the interface begins with. */
const COLLECTIONS: readonly string[] = [...new Set(ENDPOINTS.map(({ path }) => path.split('/')[3] ?? ''))];

const PRODUCT_ID = /^[0-9]{1,20}$/;

/** What is wrong with a path that leads nowhere, and the path that was probably meant. */
export function describeUnknownPath(path: string): string {
  const meant = findMeantPath(path);
  return meant === undefined ? SENTENCE : `${SENTENCE} Did you mean ${meant}?`;
}

/** Word for word: what all paths begin with would make any two of them look alike. */
function findMeantPath(path: string): string | undefined {
  const [first = '', ...others] = path.split('/').filter((part) => part !== '');
  if (first.toLowerCase() !== 'deals') return undefined;
  const [word = '', rest, ...more] = /^v[0-9]{1,3}$/i.test(others[0] ?? '') ? others.slice(1) : others;
  const collection = findNearestWord(word, COLLECTIONS);
  if (collection === undefined || more.length > 0) return undefined;
  const list = `/deals/v1/${collection}/`;
  if (rest === undefined) return list;
  // What is repeated is a number, and nothing else that somebody sent.
  if (collection === 'products') return PRODUCT_ID.test(rest) ? `${list}${rest}/` : undefined;
  return collection === 'gifts' && findNearestWord(rest, ['categories']) !== undefined
    ? `${list}categories/`
    : undefined;
}
