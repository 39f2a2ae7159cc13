import { FORMATS, MEDIA_TYPE } from '../../data/field/image.ts';
import type { ResponseHeader } from '../../data/query/header.ts';
import { PROBLEMS } from '../../data/query/problem.ts';
import {
  describeErrorResponses,
  describeOperation,
  describeResponse,
  listRouteProblems,
  refer,
  type Json,
  type RouteOperation,
} from './describe-responses.ts';
import { describeStatus } from './describe-status.ts';

/** The groups of paths outside the interface. */
export const ROUTE_GROUPS = {
  Health: 'For monitoring.',
  Pictures: 'What the URLs of pictures lead to.',
  Reference: 'What this interface is, for people and programs.',
  Status: 'What became of the sources, for keys with the operator mark.',
} as const;

const PAGE_HEADERS: readonly ResponseHeader[] = [
  'Cache-Control',
  'Content-Security-Policy',
  'Referrer-Policy',
  'Cross-Origin-Resource-Policy',
];

const IF_NONE_MATCH = refer('parameters', 'if-none-match');
const HTML: Json = { 'text/html': { schema: { type: 'string' } } };

/** The paths outside the interface (D19). */
export function describeRoutes(): Readonly<Record<string, Json>> {
  // Health checks are answered under overload too.
  const ofHealth = describeErrorResponses(
    listRouteProblems().filter((code) => code !== 'overloaded'),
    'open',
  );
  const anywhere = describeErrorResponses(listRouteProblems(), 'open');
  const withPath = describeErrorResponses(listRouteProblems('unknown-path'), 'open');
  return {
    '/health/live': describeOpen('Health', {
      id: 'readLiveness',
      summary: 'Whether the process answers',
      description: 'It does as long as it can, with or without a catalogue.',
      responses: { 200: describeResponse('It does.', ['Cache-Control'], asJson('Live')), ...ofHealth },
    }),
    '/health/ready': describeOpen('Health', {
      id: 'readReadiness',
      summary: 'The snapshot being served, and its age',
      description:
        'Watch `stale`: no build has made or confirmed the snapshot for longer than it should take, so builds no longer run, or are refused.',
      responses: {
        200: describeResponse('There is a snapshot.', ['Cache-Control'], asJson('Ready')),
        ...ofHealth,
        503: describeResponse('There is none.', ['Cache-Control', 'Retry-After'], asJson('NotReady')),
      },
    }),
    '/images/{folder}/{file}': describeOpen('Pictures', {
      id: 'readPicture',
      summary: 'A picture',
      description:
        'Taken from the URLs in `images` and in deals as they are. A path names its content, which never changes.',
      parameters: [
        inPath('folder', 'Names the original and how it was rendered.', '^[0-9a-f]+$'),
        inPath('file', 'Size and format.', `^[a-z-]+\\.(?:${FORMATS.join('|')})$`),
        IF_NONE_MATCH,
      ],
      responses: {
        200: describeResponse(
          'The picture.',
          ['ETag', 'Cache-Control', 'Cross-Origin-Resource-Policy'],
          Object.fromEntries(FORMATS.map((format) => [MEDIA_TYPE[format], {}])),
        ),
        304: describeResponse('The client has it already.', ['ETag', 'Cache-Control', 'Cross-Origin-Resource-Policy']),
        ...withPath,
      },
    }),
    '/problems/': describeOpen('Reference', {
      id: 'listProblems',
      summary: 'Every error code, as a page',
      description: 'With its status and its meaning.',
      responses: { 200: describeResponse('The page.', PAGE_HEADERS, HTML), ...anywhere },
    }),
    '/problems/{code}': describeOpen('Reference', {
      id: 'explainProblem',
      summary: 'What an error code means, as a page',
      description: 'Its cause, its cure, and a request that gets it. The `type` of an error leads here.',
      parameters: [
        {
          name: 'code',
          in: 'path',
          required: true,
          description: 'The `code` of an error.',
          schema: { type: 'string', enum: Object.keys(PROBLEMS) },
          examples: { word: { summary: 'a word that is not known', value: 'unknown-value' } },
        },
      ],
      responses: { 200: describeResponse('The page.', PAGE_HEADERS, HTML), ...withPath },
    }),
    '/openapi.json': describeOpen('Reference', {
      id: 'readOpenApi',
      summary: 'This document',
      description: 'The description of the interface as OpenAPI 3.1, the same for every snapshot.',
      parameters: [IF_NONE_MATCH],
      responses: {
        200: describeResponse('The document.', ['ETag', 'Cache-Control', 'Content-Encoding'], {
          'application/json': { schema: { type: 'object' } },
        }),
        304: describeResponse('The client has it already.', ['ETag', 'Cache-Control']),
        ...anywhere,
      },
    }),
    ...describeStatus(),
  };
}

/** An operation that needs no key. */
function describeOpen(group: keyof typeof ROUTE_GROUPS, operation: Omit<RouteOperation, 'group' | 'isOpen'>): Json {
  return describeOperation({ ...operation, group, isOpen: true });
}

function inPath(name: string, description: string, pattern: string): Json {
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
}

function asJson(schema: string): Json {
  return { 'application/json': { schema: refer('schemas', schema) } };
}
