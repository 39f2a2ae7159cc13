import type { ProblemCode } from './problem.ts';

interface ExampleError {
  readonly parameter: string;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly value: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string;
}

/** A request to the sample catalogue that gets an error. */
export interface ProblemExample {
  readonly method?: 'POST';
  readonly target: string;
  /** Headers of the request; default is a key that is good. */
  readonly headers?: readonly string[];
  /** A further condition of the example. */
  readonly given?: string;
  readonly detail: string;
  readonly errors: readonly ExampleError[];
}

const KEY = 'x-api-key: $KEY';

/** A request for every code. `oneError` makes those with one wrong parameter. */
export const PROBLEM_EXAMPLES: Readonly<Record<ProblemCode, ProblemExample>> = {
  'unknown-path': {
    target: '/deals/v1/phones/',
    detail: 'There is nothing at this path; paths are compared as sent. Did you mean /deals/v1/products/?',
    errors: [],
  },
  'unknown-product': {
    target: '/deals/v1/products/999999/',
    detail: 'No product has the id 999999.',
    errors: [],
  },
  'method-not-allowed': {
    method: 'POST',
    target: '/deals/v1/products/',
    detail: 'The method "POST" is not GET, HEAD or OPTIONS.',
    errors: [],
  },
  'missing-key': {
    target: '/deals/v1/networks/',
    headers: [],
    detail: 'The request has no header x-api-key.',
    errors: [],
  },
  'invalid-key': {
    target: '/deals/v1/networks/',
    headers: ['x-api-key: not-a-key'],
    detail:
      'The key in x-api-key is not of the form of a key: deals_ and 38 letters and digits, without quotes or a word before it.',
    errors: [],
  },
  'expired-key': {
    target: '/deals/v1/networks/',
    given: 'the key was valid until yesterday',
    detail: 'The key in x-api-key is no longer valid.',
    errors: [],
  },
  'operator-only': {
    target: '/status/data.json',
    given: 'the key has no operator mark',
    detail: 'The key in x-api-key has no operator mark.',
    errors: [],
  },
  'rate-limited': {
    target: '/deals/v1/networks/',
    given: 'the key may ask once in ten seconds, and just has',
    detail: 'The key in x-api-key has used its share of requests; the next one is free in 10 seconds.',
    errors: [],
  },
  'invalid-request': {
    target: '/deals/v1/gifts/categories/?expand=giftcategories(gift)&limit=5',
    detail: 'The request has 2 faults; errors lists each.',
    errors: [
      {
        parameter: 'limit',
        code: 'unknown-parameter',
        detail:
          'limit: not a parameter of this endpoint; expected one of expand, fields; leave it out: everything comes in one answer',
        value: 'limit',
        allowed: ['expand', 'fields'],
      },
      {
        parameter: 'expand',
        code: 'unknown-value',
        detail: 'expand: expected one of the words of expand, got "gift"; did you mean "gifts"?',
        value: 'gift',
        allowed: ['content', 'page-content', 'meta-data', 'images', 'gifts'],
        suggestion: 'gifts',
      },
    ],
  },
  'unknown-parameter': oneError('unknown-parameter', '/deals/v1/gifts/?field=gifts(heading)', {
    parameter: 'field',
    detail: 'field: not a parameter of this endpoint; expected one of fields; did you mean "fields"?',
    value: 'field',
    allowed: ['fields'],
    suggestion: 'fields',
  }),
  'repeated-parameter': oneError('repeated-parameter', '/deals/v1/products/?limit=5&limit=10', {
    parameter: 'limit',
    detail: 'limit: given more than once; expected it once',
    value: 'limit',
  }),
  'malformed-value': oneError('malformed-value', '/deals/v1/products/?sort=deals(total-cost)', {
    parameter: 'sort',
    detail:
      'sort: expected a key with its direction, such as data-allowance-asc, got "total-cost"; use sort=deals(total-cost-asc)',
    value: 'total-cost',
  }),
  'unknown-value': oneError('unknown-value', '/deals/v1/products/?filter[condition]=eq{New}', {
    parameter: 'filter[condition]',
    detail: 'filter[condition]: expected one of new, refurbished, got "New"; did you mean "new"?',
    value: 'New',
    allowed: ['new', 'refurbished'],
    suggestion: 'new',
  }),
  'out-of-range': oneError('out-of-range', '/deals/v1/products/?limit=500', {
    parameter: 'limit',
    detail:
      'limit: expected 1 to 100 products per page, got "500"; use limit=100, and follow rel="next" of the Link header from page to page',
    value: '500',
  }),
  'incomplete-image-selection': oneError(
    'incomplete-image-selection',
    '/deals/v1/products/?fields=products(front,webp)',
    {
      parameter: 'fields',
      detail:
        'fields: expected at least one view, one size and one format for images; missing: size, got "products(front,webp)"',
      value: 'products(front,webp)',
      allowed: ['large', 'medium', 'small'],
    },
  ),
  'invalid-cursor': oneError('invalid-cursor', '/deals/v1/products/?cursor=2', {
    parameter: 'cursor',
    detail: 'cursor: expected a cursor of this query, as the Link header gave it, got "2"',
    value: '2',
  }),
  'repeated-header': {
    target: '/deals/v1/networks/',
    headers: [KEY, KEY],
    detail: 'The header x-api-key was sent more than once.',
    errors: [],
  },
  'too-many-deals': {
    ...oneError('too-many-deals', '/deals/v1/products/?expand=products(deals)&limit=100', {
      parameter: 'expand',
      detail:
        'expand: expected at most 1000 deals in one answer; add limit=deals(n) or ask for fewer products, got "1689 deals"; did you mean "limit=deals(10)"?',
      value: '1689 deals',
      suggestion: 'limit=deals(10)',
    }),
    given: 'the server sends at most 1000 deals in one answer',
  },
  'snapshot-expired': {
    target: '/deals/v1/products/?limit=5&cursor=…',
    given: 'the cursor is of a walk that began two snapshots ago',
    detail: 'The snapshot of this page walk is no longer held; start again from the first page.',
    errors: [],
  },
  'target-too-long': {
    target: '/deals/v1/products/?filter[id]=eq{101,102,103,…}',
    given: 'path and query have 9000 bytes',
    detail: 'The request target has 9000 bytes; at most 8192 are read.',
    errors: [],
  },
  'internal-error': {
    target: '/deals/v1/products/',
    given: 'the service has a fault',
    detail: 'internal error',
    errors: [],
  },
  'no-snapshot': {
    target: '/deals/v1/products/',
    given: 'nothing was published yet',
    detail: 'No catalogue has been published yet.',
    errors: [],
  },
  'snapshot-not-yet': {
    target: '/deals/v1/products/?limit=5&cursor=…',
    given: 'another server gave the cursor from the next snapshot, which this one is about to load',
    detail: 'The snapshot of this cursor is announced, and this server has not loaded it yet.',
    errors: [],
  },
  overloaded: {
    target: '/deals/v1/products/',
    given: 'more requests arrive than can be answered',
    detail: 'More requests arrive than can be answered in time.',
    errors: [],
  },
};

/** The headers with which an example is sent. */
export function headersOfExample({ headers }: ProblemExample): readonly string[] {
  return headers ?? [KEY];
}

function oneError(code: ProblemCode, target: string, fault: Omit<ExampleError, 'code'>): ProblemExample {
  const { parameter, ...rest } = fault;
  return { target, detail: fault.detail, errors: [{ parameter, code, ...rest }] };
}
