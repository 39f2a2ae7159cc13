import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FILTERS } from '../../data/query/filter.ts';
import type { ResponseName } from '../../data/schema/response.ts';
import { openOffline } from '../../server/offline.ts';
import { answerOf, compareTexts, type OracleAnswer } from '../oracle.ts';
import { schemaFaults } from './check-answer.ts';
import { FILTER_NAMES } from './filters.ts';
import { firstDifference } from './first-difference.ts';
import { randomCatalogue } from './random-catalogue.ts';
import { randomFaultyQuery, randomQuery, spell, type RandomQuery } from './random-query.ts';
import { createRandom, type Random } from '../support/random.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { writeSnapshot } from './write-snapshot.ts';

const SEED = Number(process.env['ORACLE_SEED'] ?? 1);
const QUERY_COUNT = Number(process.env['ORACLE_QUERIES'] ?? 2_000);
const QUERIES_PER_CATALOGUE = 100;
const FAULTY_SHARE = 0.15;

interface Response {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Asks the server of this catalogue for a target. */
type Ask = (target: string, ifNoneMatch?: string) => Response;

const store = mkdtempSync(join(tmpdir(), 'deals-oracle-'));
afterAll(() => rmSync(store, { recursive: true }));

it('has every filter of the server', () => {
  expect(FILTER_NAMES.toSorted()).toEqual(FILTERS.map(({ name }) => name).toSorted());
});

describe(`the server and the oracle agree, seed ${SEED}`, () => {
  const catalogueCount = Math.ceil(QUERY_COUNT / QUERIES_PER_CATALOGUE);
  const seeds = Array.from({ length: catalogueCount }, (_, position) => SEED * 1_000_003 + position);

  it.each(seeds)('on random queries of the catalogue of seed %d', async (catalogueSeed) => {
    const random = createRandom(catalogueSeed);
    const catalogue = randomCatalogue(random);
    const id = writeSnapshot(catalogue, store, { dealsPerLine: random.pick([1, 7, 4096]) });
    const ask = await openAsk(id);
    let failure: string | undefined;
    for (let i = 0; i < QUERIES_PER_CATALOGUE && failure === undefined; i++) {
      const isFaulty = random.isLikely(FAULTY_SHARE);
      const query = isFaulty ? randomFaultyQuery(random, catalogue) : randomQuery(random, catalogue);
      const target = spell(random, query);
      const expected = answerOf(catalogue, target);
      const expectedPage = (page: number): OracleAnswer => answerOf(catalogue, target, page);
      const difference =
        (isFaulty || expected.status !== 400 ? undefined : 'a query of the generator has a fault') ??
        findDifference(ask(target), expected) ??
        findSpellingDifference(random, ask, query, target, expected) ??
        findPageDifference(random, ask, query, target, expectedPage);
      if (difference !== undefined) failure = `query ${i}\n${target}\n${difference}`;
    }
    expect(failure, `ORACLE_SEED=${SEED} catalogue ${catalogueSeed} ${failure ?? ''}`).toBeUndefined();
    rmSync(join(store, id), { recursive: true });
  });
});

async function openAsk(snapshotId: string): Promise<Ask> {
  const offline = await openOffline({ store, snapshotId, publicUrl: DEFAULT_SETTINGS.publicUrl });
  return (target, ifNoneMatch) => {
    const { status, headers, body } = offline.answer(target, ifNoneMatch);
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return { status, headers: Object.fromEntries(lowered) as Record<string, string>, text: body };
  };
}

function findDifference({ status, headers, text }: Response, expected: OracleAnswer): string | undefined {
  if (status !== expected.status) return `expected ${JSON.stringify(expected).slice(0, 300)}, got ${status} ${text}`;
  const body: unknown = JSON.parse(text);
  if (!('body' in expected)) return findRefusalDifference(body, expected);
  const [faults] = schemaFaults(Object.keys(expected.body as object)[0] as ResponseName, body);
  if (faults !== undefined) return `schema: ${faults}`;
  const relations = [...(headers['link'] ?? '').matchAll(/rel="([a-z]+)"/g)].map(([, relation]) => relation ?? '');
  return firstDifference(
    {
      body: expected.body,
      totalCount: String(expected.totalCount),
      links: expected.pageCount > 1 ? ['first', 'last', 'next'] : [],
    },
    { body, totalCount: headers['x-total-count'], links: relations.sort(compareTexts) },
    'answer',
  );
}

/** Compares which faults there are, not in which order they are listed. */
function findRefusalDifference(body: unknown, expected: Extract<OracleAnswer, { code: unknown }>): string | undefined {
  const [fault] = schemaFaults('problem', body);
  if (fault !== undefined) return `schema: ${fault}`;
  const { code, errors } = body as { code: string; errors: { parameter: string; code: string }[] };
  const listed = (faults: readonly { parameter: string; code: string }[]): string[] =>
    faults.map((each) => `${decodeURIComponent(each.parameter)} ${each.code}`).sort();
  return firstDifference({ code: expected.code, faults: listed(expected.faults) }, { code, faults: listed(errors) });
}

/** Another spelling of the same query gets the same bytes under the same tag, which a client that has it is told (D18). */
function findSpellingDifference(
  random: Random,
  ask: Ask,
  query: RandomQuery,
  target: string,
  expected: OracleAnswer,
): string | undefined {
  if (expected.status !== 200) return undefined;
  const first = ask(target);
  const respelled = spell(random, query);
  const second = ask(respelled);
  const tag = first.headers['etag'] ?? '';
  if (first.text !== second.text || tag === '' || tag !== second.headers['etag']) {
    return `expected the same bytes and tag for ${respelled}; tags ${tag} and ${second.headers['etag']}`;
  }
  const unchanged = ask(respelled, tag);
  return unchanged.status === 304 && unchanged.text === ''
    ? undefined
    : `expected 304 for ${respelled} with its tag, got ${unchanged.status}`;
}

/** Following `next` from the first page to the last gives every page, under any spelling of the rest of the query. */
function findPageDifference(
  random: Random,
  ask: Ask,
  query: RandomQuery,
  target: string,
  expectedPage: (page: number) => OracleAnswer,
): string | undefined {
  const first = expectedPage(0);
  if (!('body' in first) || first.pageCount === 1) return undefined;
  let response = ask(target);
  for (let page = 1; page < first.pageCount; page++) {
    const next = /<([^>]*)>\s*;\s*rel="next"/.exec(response.headers['link'] ?? '')?.[1];
    if (next === undefined) return `page ${page - 1} of ${first.pageCount} has no next link`;
    response = ask(random.isLikely(0.5) ? next : withCursorOf(next, spell(random, query)));
    const expected = expectedPage(page);
    const body: unknown = JSON.parse(response.text);
    const difference = firstDifference('body' in expected ? expected.body : expected, body, `page ${page}`);
    if (difference !== undefined) return difference;
  }
  return response.headers['link']?.includes('rel="next"') === true ? 'the last page has a next link' : undefined;
}

function withCursorOf(link: string, target: string): string {
  const cursor = /[?&](cursor=[^&]*)/.exec(link)?.[1] ?? '';
  return `${target}${target.includes('?') ? '&' : '?'}${cursor}`;
}
