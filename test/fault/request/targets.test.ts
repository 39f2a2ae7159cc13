import { expect, it } from 'vitest';
import { errorResponse, readBody } from '../../../server/http/response.ts';
import { toOriginForm } from '../../../server/http/request.ts';
import { splitTarget } from '../../../server/query/query-text.ts';
import { resolveRequest, singleSnapshot } from '../../../server/catalogue.ts';
import { FIXTURE } from '../../contract/fixture-catalogue.ts';
import { schemaFaults } from '../../oracle/check-answer.ts';
import { openCatalogue } from '../../unit/server/open-catalogue.ts';
import { createRandom } from '../../support/random.ts';
import { byTier, TIER } from '../tier.ts';
import { COSTLY_TARGETS } from './costly-targets.ts';
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

it.skipIf(TIER === 'first').each(COSTLY_TARGETS)(`%s takes less than ${MAX_PARSE_MS} ms to read`, (_, target) => {
  expect(faultOf(target)).toBeUndefined();
  expect(timeReading(target)).toBeLessThan(MAX_PARSE_MS);
});
