import { CONTENT_FIELDS, META_DATA_FIELDS } from '../../../data/field/field.ts';
import { FORMATS, SIZES, VIEWS } from '../../../data/field/image.ts';
import { SPEC_FIELDS } from '../../../data/field/spec.ts';
import { ENDPOINTS, RESOURCE_WORDS } from '../../../data/query/endpoint.ts';
import {
  DEAL_SORT_KEYS,
  GIFT_CATEGORY_EXPANSIONS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  PRODUCT_SORT_KEYS,
  SORT_DIRECTIONS,
} from '../../../data/query/vocabulary.ts';
import { FILTER_OPERATORS, FILTERS, OFFERS } from '../../../data/query/filter.ts';
import { MAX_TARGET_BYTES } from '../../../data/query/parameter.ts';
import type { OracleCatalogue } from '../../oracle/catalogue.ts';
import { randomFaultyQuery, randomQuery, spell } from '../../oracle/random-query.ts';
import type { Random } from '../../support/random.ts';

const PARAMETERS = [...new Set(ENDPOINTS.flatMap(({ parameters }) => parameters))].filter((name) => name !== 'filter');

/** Every word that means something somewhere, to be put where it means nothing. */
const WORDS: readonly string[] = [
  ...PRODUCT_EXPANSIONS.map(({ word }) => word),
  ...GIFT_CATEGORY_EXPANSIONS.map(({ word }) => word),
  ...PREFIXED_EXPANSIONS.map(({ word }) => word),
  ...CONTENT_FIELDS.map(({ word }) => word),
  ...META_DATA_FIELDS.map(({ word }) => word),
  ...SPEC_FIELDS.map(({ word }) => word),
  ...VIEWS,
  ...SIZES,
  ...FORMATS,
  ...OFFERS,
  ...RESOURCE_WORDS,
  ...DEAL_SORT_KEYS.flatMap((key) => SORT_DIRECTIONS.map((order) => `${key}-${order}`)),
  ...PRODUCT_SORT_KEYS.flatMap((key) => SORT_DIRECTIONS.map((order) => `${key}-${order}`)),
  'new',
  'refurbished',
  'unlimited',
  'o2',
  'apple',
  '101',
];

/** Values that are at the edge of something, or mean something to some parser. */
const ODDITIES: readonly string[] = [
  '',
  ' ',
  '\t',
  '\u0000',
  ...'0 -0 -1 1e9 0x10 1_000 2147483648 9007199254740993 999999999.99 999999.999 ٣ NaN Infinity null undefined'.split(
    ' ',
  ),
  ...'__proto__ constructor toString hasOwnProperty [object_Object] + . .. ../../etc/passwd % %% %2 %zz %00 %ff'.split(
    ' ',
  ),
  ...'%c0%80 %ed%a0%80 %F0%9F%93%B1 %e2%80%ae %ef%bb%bf %0d%0aX-Injected:%20yes <script> " \' ` ; | \\ ${7*7} # ? *'.split(
    ' ',
  ),
  ...'{ } ( ) [ ] {{{{ )))) , ,, = & && eq{ eq{} eq{,} deals( products()'.split(' '),
  ...'\u0001 \u007f \u00e9 \u00ff %F4%90%80%80 %u0041 %E0%80%AF %c3 %C3%A9'.split(' '),
];

const WRAPPERS = [...RESOURCE_WORDS, 'deals', ...FILTER_OPERATORS, '', 'x', '__proto__'];

/** A request target that may mean anything or nothing, out of the words of the interface, and then damaged. */
export function randomTarget(random: Random, catalogue: OracleCatalogue): string {
  let target = baseTarget(random, catalogue);
  for (let damages = random.pick([0, 1, 1, 2, 3, 8]); damages > 0; damages--) {
    target = random.pick(DAMAGES)(random, target);
  }
  // The parser lets no longer one through.
  return target.slice(0, 4 * MAX_TARGET_BYTES);
}

function baseTarget(random: Random, catalogue: OracleCatalogue): string {
  const kind = random.below(10);
  if (kind < 3) return spell(random, randomQuery(random, catalogue));
  if (kind < 5) return spell(random, randomFaultyQuery(random, catalogue));
  const path = random.pick(ENDPOINTS).path.replace('<id>', random.pick(['101', '1', '', word(random)]));
  const pairs = Array.from({ length: random.pick([0, 1, 2, 3, 5, 20]) }, () => `${name(random)}=${value(random)}`);
  return `${path}?${pairs.join('&')}`;
}

function name(random: Random): string {
  const kind = random.below(10);
  if (kind < 4) return random.pick(PARAMETERS);
  if (kind < 8) return `filter[${random.pick(FILTERS).name}]`;
  return random.pick([word(random), `filter[${word(random)}]`, 'filter', 'filter[', 'filter[[id]]', 'filter[id][id]']);
}

/** A list in brackets of any kind, of words of any kind, to any depth. */
function value(random: Random, depth = 0): string {
  const items = Array.from({ length: random.pick([1, 1, 1, 2, 3, 12]) }, () =>
    depth < 3 && random.isLikely(0.1) ? value(random, depth + 1) : word(random),
  );
  const list = items.join(random.pick([',', ',', ',', ' ,', '%2C', ';']));
  const [open, close] = random.pick([
    ['(', ')'],
    ['{', '}'],
    ['', ''],
    ['%28', '%29'],
    ['%7B', '%7D'],
    ['(', '}'],
    ['{', ''],
  ] as const);
  return random.isLikely(0.8) ? `${random.pick(WRAPPERS)}${open}${list}${close}` : list;
}

function word(random: Random): string {
  const kind = random.below(10);
  if (kind < 6) return random.pick(WORDS);
  if (kind < 9) return random.pick(ODDITIES);
  return String(random.below(2 ** 31) / random.pick([1, 1, 100, 1_000]));
}

type Damage = (random: Random, target: string) => string;

const insert = (text: string, at: number, what: string): string => text.slice(0, at) + what + text.slice(at);
const place = (random: Random, text: string): number => random.below(text.length + 1);
const character = (random: Random): string => String.fromCharCode(random.below(256));
const escape = (code: number): string => `%${code.toString(16).padStart(2, '0')}`;

const DAMAGES: readonly Damage[] = [
  (random, target) => insert(target, place(random, target), random.pick(ODDITIES)),
  (random, target) => insert(target, place(random, target), character(random)),
  (random, target) => insert(target, place(random, target), escape(random.below(256))),
  (random, target) => {
    const at = place(random, target);
    return target.slice(0, at) + target.slice(at + random.pick([1, 1, 3, 20]));
  },
  (random, target) => {
    const at = place(random, target);
    return target.slice(0, at) + character(random) + target.slice(at + 1);
  },
  // Encoded, though it need not be; and once more.
  (random, target) => {
    const at = random.below(target.length);
    const code = target.charCodeAt(at);
    return Number.isNaN(code) || code > 255 ? target : target.slice(0, at) + escape(code) + target.slice(at + 1);
  },
  (_, target) => target.replaceAll('%', '%25'),
  (random, target) => {
    const at = random.below(target.length);
    return target.slice(0, at) + target.slice(at).toUpperCase();
  },
  // A part of it again, once or until it is too long.
  (random, target) => {
    const at = place(random, target);
    const part = target.slice(at, at + random.pick([1, 3, 10, 100]));
    // Those of full length take as long as a hundred others.
    const count = random.isLikely(0.02) ? 9_000 : random.pick([1, 2, 2, 2, 2, 3, 30]);
    return insert(target, at, part.repeat(Math.min(count, Math.ceil((MAX_TARGET_BYTES * 1.1) / (part.length + 1)))));
  },
  (_, target) => `${target}&${target.slice(target.indexOf('?') + 1)}`,
  (random, target) => `${target}&${name(random)}=${value(random)}`,
  (random, target) =>
    `${target}&cursor=${random.pick(['0', 'a'.repeat(32), `${'0'.repeat(31)}z`, random.pick(ODDITIES)])}`,
  (random, target) => target.replace('/', random.pick(['//', '/./', '/../', '/%2e%2e/', '\\', '/;/', ''])),
  (random, target) =>
    random.pick(['http://h', 'https://u:p@[::1]:1', 'HTTP://', 'ftp://h', '//h', '*', 'h:443']) + target,
  (random, target) => random.pick([target.replace('?', ''), target.replaceAll('&', '&&'), target.replaceAll('=', '')]),
];
