import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../data/query/filter.ts';
import type { ResponseName } from '../../data/schema/response.ts';
import { FIXTURE } from '../contract/fixture-catalogue.ts';
import { openOffline } from '../support/offline.ts';
import { answerOf, type OracleAnswer } from '../oracle.ts';
import { createRandom, type Random } from '../support/random.ts';
import { schemaFaults } from './check-answer.ts';
import { PUBLIC_URL, type OracleCatalogue } from './catalogue.ts';
import { FILTER_NAMES } from './filters.ts';
import { randomCatalogue } from './random-catalogue.ts';
import { FAULTS, randomFaultyQuery, randomQuery, spell, type RandomQuery } from './random-query.ts';
import { writeSnapshot } from './write-snapshot.ts';

const SEED = Number(process.env['ORACLE_SEED'] ?? 1);
const QUERY_COUNT = Number(process.env['ORACLE_QUERIES'] ?? 2_000);
const QUERIES_PER_CATALOGUE = 100;
const FAULTY_SHARE = 0.15;

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Asks the server of one catalogue for a target. */
type Ask = (target: string, ifNoneMatch?: string) => Response;

/** Opens a catalogue, through its files and back. */
async function open(catalogue: OracleCatalogue, dealsPerLine?: number): Promise<Ask> {
  const store = mkdtempSync(join(tmpdir(), 'deals-oracle-'));
  writeSnapshot(catalogue, store, dealsPerLine === undefined ? {} : { dealsPerLine });
  const { answer } = await openOffline({ store, publicUrl: PUBLIC_URL });
  rmSync(store, { recursive: true });
  return answer;
}

it('has every filter of the server', () => {
  expect(FILTER_NAMES.toSorted()).toEqual(FILTERS.map(({ name }) => name).toSorted());
});

describe(`the server and the oracle agree, seed ${SEED}`, () => {
  const catalogueCount = Math.ceil(QUERY_COUNT / QUERIES_PER_CATALOGUE);
  const seeds = Array.from({ length: catalogueCount }, (_, position) => SEED * 1_000_003 + position);

  it.each(seeds)('on random queries of the catalogue of seed %d', async (catalogueSeed) => {
    const random = createRandom(catalogueSeed);
    const catalogue = randomCatalogue(random);
    const ask = await open(catalogue, random.pick([1, 7, 4096]));
    for (let i = 0; i < QUERIES_PER_CATALOGUE; i++) {
      const isFaulty = random.isLikely(FAULTY_SHARE);
      const query = isFaulty ? randomFaultyQuery(random, catalogue) : randomQuery(random, catalogue);
      const target = spell(random, query);
      const expected = answerOf(catalogue, target);
      expect([target, isFaulty || expected.status !== 400]).toEqual([target, true]);
      const response = ask(target);
      expectAnswer(target, response, expected);
      if (!('body' in expected)) continue;
      expectSameForSpelling(ask, target, response, spell(random, query));
      expectPages(random, ask, query, response, expected.pageCount, (page) => answerOf(catalogue, target, page));
    }
  });
});

it('the server and the oracle agree on every row of the table of faults', async () => {
  const ask = await open(FIXTURE);
  for (const [name, ...texts] of FAULTS) {
    const target = `/deals/v1/products/?${texts.map((text) => `${name}=${text}`).join('&')}`;
    const expected = answerOf(FIXTURE, target);
    expect([target, expected.status]).toEqual([target, 400]);
    expectAnswer(target, ask(target), expected);
  }
});

/** `toEqual` takes much longer than the comparison, so it only writes the message. */
function expectEqual(target: string, got: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(got, expected)) expect({ target, got }).toEqual({ target, got: expected });
}

function expectAnswer(target: string, { status, headers, body }: Response, expected: OracleAnswer): void {
  const parsed: unknown = JSON.parse(body);
  const name = 'body' in expected ? (Object.keys(expected.body as object)[0] as ResponseName) : 'problem';
  expectEqual(target, { status, faults: schemaFaults(name, parsed) }, { status: expected.status, faults: [] });
  if ('body' in expected) {
    const relations = [...(headers['Link'] ?? '').matchAll(/rel="([a-z]+)"/g)]
      .map(([, relation = '']) => relation)
      .sort();
    expectEqual(
      target,
      { body: parsed, totalCount: headers['X-Total-Count'], relations },
      {
        body: expected.body,
        totalCount: String(expected.totalCount),
        relations: expected.pageCount > 1 ? ['first', 'last', 'next'] : [],
      },
    );
    return;
  }
  // Which faults there are, not in which order they are listed.
  const { code, errors } = parsed as { code: string; errors: { parameter: string; code: string }[] };
  const list = (faults: readonly { parameter: string; code: string }[]): string[] =>
    faults.map((each) => `${decodeURIComponent(each.parameter)} ${each.code}`).sort();
  expectEqual(target, { code, faults: list(errors) }, { code: expected.code, faults: list(expected.faults) });
}

/** Another spelling of the same query gets the same bytes under the same tag, which a client that has it is told (D18). */
function expectSameForSpelling(ask: Ask, target: string, first: Response, respelled: string): void {
  const second = ask(respelled);
  const tag = first.headers['ETag'];
  expectEqual(`${target} as ${respelled}`, [second.body, second.headers['ETag']], [first.body, tag]);
  const unchanged = ask(respelled, tag);
  expectEqual(respelled, [unchanged.status, unchanged.body], [304, '']);
}

/** Following `next` from the first page to the last gives every page, under any spelling of the rest of the query. */
function expectPages(
  random: Random,
  ask: Ask,
  query: RandomQuery,
  first: Response,
  pageCount: number,
  expectedPage: (page: number) => OracleAnswer,
): void {
  let response = first;
  const nextOf = ({ headers }: Response) => /<([^>]*)>\s*;\s*rel="next"/.exec(headers['Link'] ?? '')?.[1];
  for (let page = 1; page < pageCount; page++) {
    const next = nextOf(response) ?? `no next page after page ${page}`;
    response = ask(random.isLikely(0.5) ? next : withCursorOf(next, spell(random, query)));
    const expected = expectedPage(page);
    expectEqual(`page ${page}: ${next}`, JSON.parse(response.body), 'body' in expected ? expected.body : expected);
  }
  expectEqual('the last page', nextOf(response), undefined);
}

function withCursorOf(link: string, target: string): string {
  const cursor = /[?&](cursor=[^&]*)/.exec(link)?.[1] ?? '';
  return `${target}${target.includes('?') ? '&' : '?'}${cursor}`;
}
