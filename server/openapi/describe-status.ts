import { NOTICE_CODES } from '../../data/report/notice.ts';
import type { RecordSearch } from '../status/record-search.ts';
import { DEFAULT_RECORD_LIMIT, MAX_RECORD_LIMIT } from '../status/records.ts';
import type { Status } from '../status/status.ts';
import {
  describeErrorResponses,
  describeOperation,
  describeResponse,
  listRouteProblems,
  type Json,
} from './describe-responses.ts';

/** Type and meaning of a member of a response. */
type Member = readonly [type: 'array' | 'integer' | 'object' | 'string', description: string];

const STATUS_MEMBERS: Readonly<Record<keyof Status, Member>> = {
  now: ['string', 'The clock of the server, by which ages are told.'],
  snapshot: ['object', 'The snapshot being served: its id, its age, its counts. Absent without one.'],
  sources: ['array', 'Where it came from: each source with its state, rows and ages.'],
  gates: ['array', 'What the gates said when it was published.'],
  notices: ['array', 'What was left out or noticed, by code and source: counts, meaning and remedy.'],
  unmatchedNames: ['array', 'What feeds call phones that found no product, with the nearest by name.'],
  withoutDeals: ['object', 'Products without a deal: what was read for each, and when it last had one.'],
  changes: ['object', 'What differs from the snapshot before.'],
  lastBuild: ['object', 'How the last build ended, and what it was refused for.'],
  pull: [
    'object',
    'What came from an object store, and how the last look at it went. Absent where snapshots are built.',
  ],
  snapshots: ['array', 'What the store holds, the newest first.'],
  faults: ['array', 'Why something of this is not there.'],
};

const RECORDS_MEMBERS = {
  snapshot: ['string', 'The snapshot whose records these are.'],
  code: ['string', 'The code that was asked for.'],
  source: ['string', 'The source that was asked for; absent for all.'],
  outcome: ['string', 'What became of the records.'],
  meaning: ['string', 'What the code means.'],
  remedy: ['string', 'What to do about it.'],
  count: ['integer', 'How many there are, on all pages.'],
  records: ['array', 'A page of them, with source, file and line, what was expected and what was found.'],
  next: ['string', 'Where the next page is; absent on the last.'],
} as const satisfies Record<string, Member>;

const EXPLAIN_MEMBERS: Readonly<Record<keyof RecordSearch, Member>> = {
  asked: ['string', 'The word that was asked about.'],
  snapshot: ['string', 'The snapshot that was searched.'],
  now: ['string', 'The clock of the server, by which ages are told.'],
  currencyLabel: ['string', 'The currency symbol of the catalogue.'],
  products: ['object', 'Products that are served.'],
  deals: ['object', 'Deals that are served.'],
  leftOut: ['object', 'Records that are not, each with the rule that leaves it out.'],
  names: ['object', 'What feeds call phones, where that holds the word, and what became of the deals.'],
  renamed: [
    'array',
    'Products that the snapshot before has by that name or slug, each with `renamed`: what was called otherwise, from and to',
  ],
  gone: ['array', 'Products that the snapshot before had.'],
  nearest: ['array', 'When nothing was found: what may have been meant.'],
};

const OF_KEY = ['missing-key', 'invalid-key', 'expired-key', 'rate-limited', 'operator-only'] as const;
const OF_QUERY = ['unknown-parameter', 'malformed-value', 'invalid-request'] as const;
const OF_FILES = [...OF_QUERY, 'repeated-parameter'] as const;

/** The data of the page `/status/`, for keys with the operator role. */
export function describeStatus(): Readonly<Record<string, Json>> {
  return {
    '/status/data.json': describeStatusPath({
      id: 'readStatus',
      summary: 'What is served, where it came from, what was left out and why',
      members: STATUS_MEMBERS,
      optional: ['snapshot', 'withoutDeals', 'changes', 'lastBuild', 'pull'],
      refusals: listRouteProblems(...OF_KEY, ...OF_QUERY),
    }),
    '/status/records.json': describeStatusPath({
      id: 'listRecords',
      summary: 'The records that have a code of the report, a page at a time',
      parameters: [
        inQuery('code', 'A code of `notices`.', { type: 'string', enum: NOTICE_CODES }, 'unknown-product', true),
        inQuery('source', 'Only of this source.', { type: 'string' }, 'house'),
        inQuery(
          'limit',
          `How many records a page has, ${DEFAULT_RECORD_LIMIT} without it.`,
          { type: 'integer', minimum: 1, maximum: MAX_RECORD_LIMIT },
          10,
        ),
        inQuery('cursor', 'Where a page begins, from `next` as it is.', { type: 'string' }),
      ],
      members: RECORDS_MEMBERS,
      optional: ['source', 'next'],
      refusals: listRouteProblems(
        ...OF_KEY,
        ...OF_FILES,
        'unknown-value',
        'out-of-range',
        'invalid-cursor',
        'snapshot-expired',
        'no-snapshot',
      ),
    }),
    '/status/explain.json': describeStatusPath({
      id: 'explainRecord',
      summary: 'What became of a product or a deal',
      parameters: [
        inQuery(
          'record',
          'A product by id, slug, name or a part of it; what a feed calls a phone; a deal by its key; either by file and line.',
          { type: 'string' },
          'Kestrel K9',
          true,
        ),
      ],
      members: EXPLAIN_MEMBERS,
      optional: [],
      refusals: listRouteProblems(...OF_KEY, ...OF_FILES, 'snapshot-expired', 'no-snapshot'),
    }),
  };
}

function describeStatusPath(operation: {
  readonly id: string;
  readonly summary: string;
  readonly parameters?: readonly Json[];
  readonly members: Readonly<Record<string, Member>>;
  readonly optional: readonly string[];
  readonly refusals: Parameters<typeof describeErrorResponses>[0];
}): Json {
  const { id, summary, parameters, members, optional, refusals } = operation;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(members).map(([name, [type, description]]) => [name, { type, description }]),
    ),
    required: Object.keys(members).filter((name) => !optional.includes(name)),
  };
  return describeOperation({
    id,
    group: 'Status',
    summary,
    description: 'Needs a key with the operator mark. The page [/status/](/status/) shows it.',
    ...(parameters === undefined ? {} : { parameters }),
    responses: {
      200: describeResponse(
        'As told by the files of the store.',
        ['Cache-Control', 'Content-Encoding', 'RateLimit-Policy', 'RateLimit'],
        { 'application/json': { schema } },
      ),
      ...describeErrorResponses(refusals, 'operator'),
    },
  });
}

function inQuery(name: string, description: string, schema: Json, value?: string | number, required = false): Json {
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    description,
    schema,
    ...(value === undefined ? {} : { examples: { sample: { summary: 'on the sample', value } } }),
  };
}
