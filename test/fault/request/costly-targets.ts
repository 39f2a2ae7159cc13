import { MAX_TARGET_BYTES } from '../../../data/query/parameter.ts';

const PRODUCTS = '/deals/v1/products/?';
const CLOSE = '}';

/** As much of something as a target can hold, `at` telling them apart. */
function fill(start: string, unit: string | ((at: number) => string), end = ''): string {
  let text = PRODUCTS + start;
  for (let at = 0; ; at++) {
    const next = typeof unit === 'string' ? unit : unit(at);
    if (text.length + next.length + end.length > MAX_TARGET_BYTES) return text + end;
    text += next;
  }
}

const short = (at: number): string => at.toString(36);

/** The targets that cost the most to read, one for each thing that there can be thousands of. */
export const COSTLY_TARGETS: readonly (readonly [what: string, target: string])[] = [
  ['broken escapes as names', fill('', '%zz=&')],
  ['broken escapes that differ', fill('', (at) => `%z${short(at)}&`)],
  ['overlong encodings', fill('', '%c0%80&')],
  ['characters of four bytes', fill('', '%F0%9F%93%B1&')],
  ['parameters', fill('', 'a&')],
  ['parameters that differ', fill('', (at) => `${short(at)}&`)],
  ['parameters that look like keys', fill('', 'deals_00000000&')],
  ['empty pairs', fill('', '&')],
  ['unknown filters', fill('', (at) => `filter[${at}]=eq{1}&`)],
  ['unknown operators', fill('', (at) => `filter[id]=e${at}{1}&`)],
  ['filters of one retailer', fill('', (at) => `filter[retailers]=eq{z${at}}&`)],
  ['unknown retailers', fill('filter[retailers]=eq{', (at) => `x${at},`, `y${CLOSE}`)],
  ['misspelled retailers', fill('filter[retailers]=eq{', (at) => `retailer-of-lang-name-${at}-shap,`, `y${CLOSE}`)],
  [
    'misspelled retailers of many letters',
    fill('filter[retailers]=eq{', (at) => `${'retailer-'.repeat(6)}${at},`, CLOSE),
  ],
  ['slugs of retailers', fill('filter[retailers]=eq{', (at) => `retailer-of-long-name-${at}-shop,`, `5000${CLOSE}`)],
  ['ids of retailers', fill('filter[retailers]=eq{', (at) => `${5_000 + (at % 1_000)},`, `5000${CLOSE}`)],
  ['ids of products', fill('filter[id]=eq{', (at) => `${at},`, `1${CLOSE}`)],
  ['slugs of products', fill('filter[slug]=eq{', (at) => `${short(at)},`, `1${CLOSE}`)],
  ['one long number', fill('filter[totalCost]=eq{', '9', CLOSE)],
  ['expansions', fill('expand=', (at) => `${short(at)},`)],
  ['sorts', fill('sort=', (at) => `x${at}(),`)],
  ['sort keys', fill('sort=', (at) => `deals(${at}-asc),`)],
  ['brackets', fill('expand=', '(')],
  ['braces', fill('filter[id]=eq{', '{')],
  ['blanks', fill('filter[retailers]=eq{', '+', `a${CLOSE}`)],
  ['a cursor', fill('cursor=', 'a')],
  ['a number of digits', `/deals/v1/products/${'9'.repeat(8_000)}/`],
];
