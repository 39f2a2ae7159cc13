import { expect, it } from 'vitest';
import { MAX_TARGET_BYTES } from '../../../data/query/parameter.ts';
import { errorResponse, readBody } from '../../../server/http/response.ts';
import { toOriginForm } from '../../../server/http/request.ts';
import { splitTarget } from '../../../server/query/query-text.ts';
import { resolveRequest, singleSnapshot } from '../../../server/catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { schemaFaults } from '../../oracle/check-answer.ts';
import { openCatalogue } from '../../unit/server/open-catalogue.ts';
import { createRandom } from '../../support/random.ts';
import { byTier, TIER } from '../tier.ts';
import { randomTarget } from './random-target.ts';

const SEED = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const COUNT = byTier({ first: 6_000, second: 300_000, long: 20_000_000 });
const TIMEOUT_MS = byTier({ first: 60_000, second: 600_000, long: 24 * 3_600_000 });

const MAX_PARSE_MS = 10;
/** Chance, such as a collection of garbage, does not slow every try. */
const SECOND_LOOKS = 8;

/** A large market: a misspelled retailer is compared with each of them. */
const snapshot = await openCatalogue({
  ...FIXTURE,
  retailers: [
    ...FIXTURE.retailers,
    ...Array.from({ length: 1_000 }, (_, at) => ({
      id: String(5_000 + at),
      name: `Retailer ${at}`,
      slug: `retailer-of-long-name-${at}-shop`,
      logos: { large: '', deal: '' },
    })),
  ],
});

/** What a target is told: nothing where it is no route's, a status that is ours, and a problem of the one shape. */
function faultOf(target: string): string | undefined {
  const { path, query } = splitTarget(toOriginForm(target));
  const understood = resolveRequest({ path, query }, singleSnapshot(snapshot));
  if (!('code' in understood)) return undefined;
  const response = errorResponse(understood, 'a');
  const { status } = response;
  if (![400, 404, 410].includes(status)) return `status ${status}`;
  const problem = JSON.parse(readBody(response)) as { readonly status: number };
  const faults = schemaFaults('problem', problem);
  return problem.status === status && faults.length === 0 ? undefined : `${status}, ${faults.slice(0, 3).join(', ')}`;
}

/** The milliseconds it takes at best of several tries. */
function timeReading(target: string): number {
  const times = Array.from({ length: SECOND_LOOKS }, () => {
    const start = performance.now();
    faultOf(target);
    return performance.now() - start;
  });
  return Math.min(...times);
}

it(
  `no target makes the server fail (${COUNT} targets, FAULT_SEED=${SEED})`,
  () => {
    const faults: string[] = [];
    for (let at = 0; at < COUNT; at++) {
      // Each can be had again without those before it.
      const target = randomTarget(createRandom(SEED + at * 7_919), FIXTURE);
      const fault = faultOf(target);
      if (fault !== undefined) faults.push(`target ${at}: ${JSON.stringify(target)}: ${fault}`);
    }
    expect(faults).toEqual([]);
  },
  TIMEOUT_MS,
);

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
const COSTLY_TARGETS: readonly (readonly [what: string, target: string])[] = [
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

it.skipIf(TIER === 'first').each(COSTLY_TARGETS)(`%s takes less than ${MAX_PARSE_MS} ms to read`, (_, target) => {
  expect(faultOf(target)).toBeUndefined();
  expect(timeReading(target)).toBeLessThan(MAX_PARSE_MS);
});
