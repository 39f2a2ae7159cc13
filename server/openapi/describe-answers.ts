import { ANSWER_HEADERS, type AnswerHeader } from '../../data/query/header.ts';
import { PROBLEM_EXAMPLES } from '../../data/query/problem-example.ts';
import { PROBLEMS, type ProblemCode } from '../../data/query/problem.ts';
import { answerComponent } from '../../data/schema/answer.ts';
import { refer, type Json } from './reference.ts';

/** On every answer, to whatever. */
const ALWAYS: readonly AnswerHeader[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Vary',
];
/** On every answer to a good key. */
const OF_KEY: readonly AnswerHeader[] = ['RateLimit-Policy', 'RateLimit'];

/** What may come with each status besides. */
const OF_STATUS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses that are found out before the key is looked at, and so say nothing of its share (D3). */
const BEFORE_KEY: ReadonlySet<number> = new Set([401, 405, 414]);

/** An answer with a body, or without one. */
export function describeAnswer(description: string, headers: readonly AnswerHeader[], content?: Json): Json {
  return {
    description,
    headers: referToHeaders([...ALWAYS, ...headers]),
    ...(content === undefined ? {} : { content }),
  };
}

/** The 200 and the 304 of a request of the interface. */
export function describeReadAnswers(
  description: string,
  schema: Json,
  hasPages: boolean,
): Readonly<Record<string, Json>> {
  const both: readonly AnswerHeader[] = ['X-Snapshot', 'ETag', 'Cache-Control', ...OF_KEY];
  return {
    200: describeAnswer(
      description,
      [...both, 'X-Total-Count', ...(hasPages ? (['Link'] as const) : []), 'Content-Encoding'],
      { 'application/json': { schema } },
    ),
    304: describeAnswer('Nothing has changed since the answer whose `ETag` was sent; there is no body.', both),
  };
}

/** Who is refused: whoever asks the interface, an operator, or anybody at all. */
type Asked = 'interface' | 'operator' | 'open';

/** The refusals that have these codes, by status. */
export function describeRefusals(codes: readonly ProblemCode[], asked: Asked): Readonly<Record<string, Json>> {
  const statuses = [...new Set(codes.map((code): number => PROBLEMS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
      const answer = describeAnswer(
        ofStatus.map(describeProblem).join('\n'),
        [
          ...(asked === 'interface' ? (['X-Snapshot'] as const) : []),
          'Cache-Control',
          ...(OF_STATUS[status] ?? []),
          // To the first page of the walk; what an operator walks has none.
          ...(asked === 'interface' && status === 410 ? (['Link'] as const) : []),
          ...(asked !== 'open' && !BEFORE_KEY.has(status) ? OF_KEY : []),
        ],
        {
          'application/problem+json': {
            schema: refer('schemas', answerComponent('problem')),
            examples: Object.fromEntries(ofStatus.map((code) => [code, refer('examples', code)])),
          },
        },
      );
      return [status, answer];
    }),
  );
}

/** Every header of an answer, by name. */
export function describeHeaders(): Readonly<Record<AnswerHeader, Json>> {
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, { meaning, example }]) => [
      name,
      { description: `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`, schema: { type: 'string' }, example },
    ]),
  ) as unknown as Readonly<Record<AnswerHeader, Json>>;
}

/** The body of every error as it comes on the sample, by code. */
export function describeProblemExamples(): Readonly<Record<ProblemCode, Json>> {
  return Object.fromEntries(
    Object.entries(PROBLEM_EXAMPLES).map(([code, { detail, errors }]) => {
      const { title, status } = PROBLEMS[code as ProblemCode];
      const value = { type: `/problems/${code}`, title, status, detail, instance: REQUEST_ID, code, errors };
      return [code, { summary: title, value }];
    }),
  ) as unknown as Readonly<Record<ProblemCode, Json>>;
}

const REQUEST_ID = ANSWER_HEADERS['X-Request-Id'].example;

function describeProblem(code: ProblemCode): string {
  const { cause, cure } = PROBLEMS[code];
  return `- [\`${code}\`](/problems/${code}): ${cause} ${cure}`;
}

function referToHeaders(names: readonly AnswerHeader[]): Readonly<Record<string, Json>> {
  return Object.fromEntries([...new Set(names)].map((name) => [name, refer('headers', name)]));
}
