import { headerOf, type ReadAnswer } from './read-answers.ts';

/** What is expected of an answer. */
interface ExpectedAnswer {
  /** Default GET. */
  readonly method?: string;
  readonly statuses: readonly number[];
  /** What is wrong with it beside its status, or undefined. */
  readonly faultOf?: (answer: ReadAnswer) => string | undefined;
}

/** A sequence of bytes with what RFC 9112 or RFC 9110 has an origin server answer that only reads. */
export interface HttpCase {
  readonly section: string;
  readonly what: string;
  /** Each in a packet of its own. KEY stands for the key. */
  readonly pieces: readonly string[];
  readonly answers: readonly ExpectedAnswer[];
  /** Whether the connection can be used again: shown by another request on it, or by its end. */
  readonly after: 'open' | 'closed';
  /** What a proxy before us may answer instead, when it understands more or less than we do. */
  readonly proxyStatuses?: readonly number[];
  /** A proxy may take it for HTTP/0.9, whose answers have no head to count them by. */
  readonly isHeadless?: boolean;
}

/** A request that no answer may be to: it stands where only a body, or nothing, can be. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\nx-api-key: KEY\r\n\r\n';

/** The same to be counted, which has no key. */
const BODY_REQUEST = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

const LIST = '/deals/v1/networks/';

interface RequestParts {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly host?: string | undefined;
  readonly lines?: readonly string[];
  readonly body?: string;
}

/** A sound request but for what is given. */
function request(parts: RequestParts = {}): string {
  const { method = 'GET', target = LIST, version = 'HTTP/1.1', lines = [], body = '' } = parts;
  const host = 'host' in parts ? parts.host : 'Host: a';
  const head = [`${method} ${target} ${version}`, host, 'x-api-key: KEY', ...lines].filter(
    (line) => line !== undefined,
  );
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const ok: ExpectedAnswer = { statuses: [200] };
const bad: ExpectedAnswer = { statuses: [400] };

type Row = readonly [section: string, what: string, pieces: string | readonly string[]];
type Options = Pick<HttpCase, 'proxyStatuses' | 'isHeadless'>;

const piecesOf = (pieces: string | readonly string[]): readonly string[] =>
  typeof pieces === 'string' ? [pieces] : pieces;

/** Answered as it should be, after which the connection serves another request. */
const answered = (
  [section, what, pieces]: Row,
  answers: readonly ExpectedAnswer[] = [ok],
  options: Options = {},
): HttpCase => ({
  section,
  what,
  pieces: piecesOf(pieces),
  answers,
  after: 'open',
  ...options,
});

/** Answered as it should be, and closed. */
const last = (row: Row, answers: readonly ExpectedAnswer[] = [ok], options: Options = {}): HttpCase => ({
  ...answered(row, answers),
  after: 'closed',
  ...options,
});

/** Refused, and closed, so that nothing that follows is taken for a request. */
const refused = (row: Row, statuses: readonly number[] = [400], options: Options = {}): HttpCase =>
  last(row, [{ statuses }], options);

const withHeader = (name: string, isRight: (value: string | undefined) => boolean, answer: ExpectedAnswer) => ({
  ...answer,
  faultOf: (received: ReadAnswer): string | undefined => {
    const value = headerOf(received, name);
    return isRight(value) ? undefined : `${name}: ${value}`;
  },
});
const without = (name: string, answer: ExpectedAnswer): ExpectedAnswer =>
  withHeader(name, (value) => value === undefined, answer);

/** A proxy that repairs what it understands passes it on as a sound request. */
const REPAIRED: Options = { proxyStatuses: [200, 400] };

/** Cut where a parser that looks at one packet at a time would slip: one row of RFC 9112 §2.2 each. */
const FRAGMENTS: readonly HttpCase[] = (
  [
    ['in its method', ['G', `E${request().slice(2)}`]],
    ['before its target', ['GET ', request().slice(4)]],
    ['in its target', ['GET /deals', request().slice(10)]],
    ['after its target', [`GET ${LIST}`, request().slice(4 + LIST.length)]],
    ['in its version', [`GET ${LIST} HTTP/1`, request().slice(11 + LIST.length)]],
    ['between CR and LF of its first line', [`GET ${LIST} HTTP/1.1\r`, request().slice(14 + LIST.length)]],
    ['in the name of a header', [request().slice(0, -30), request().slice(-30)]],
    ['before the colon of a header', [`GET ${LIST} HTTP/1.1\r\nHost`, ': a\r\nx-api-key: KEY\r\n\r\n']],
    ['after the colon of a header', [`GET ${LIST} HTTP/1.1\r\nHost:`, ' a\r\nx-api-key: KEY\r\n\r\n']],
    ['in the value of a header', [`GET ${LIST} HTTP/1.1\r\nHost: a\r\nx-api`, '-key: KEY\r\n\r\n']],
    ['before its last line', [request().slice(0, -2), '\r\n']],
    ['in its last line', [request().slice(0, -1), '\n']],
    ['at every byte', Array.from('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')],
  ] as const
).map(([where, pieces]) => answered(['9112 §2.2', `a request that is cut ${where}`, pieces]));

const chunked = (body: string, lines: readonly string[] = []): string =>
  request({ lines: ['Transfer-Encoding: chunked', ...lines], body });

/** RFC 9112: how messages are framed. */
const FRAMING: readonly HttpCase[] = [
  answered(['9112 §2.1', 'a sound request', request()]),
  answered(['9112 §2.2', 'an empty line before the request', `\r\n${request()}`]),
  refused(['9112 §2.2', 'lines that end with LF alone', request().replaceAll('\r\n', '\n')], [400], REPAIRED),
  refused(['9112 §2.2', 'lines that end with CR alone', `GET / HTTP/1.1\rHost: a\r\r${request()}`], [400], REPAIRED),
  refused(['9112 §2.2', 'a lone CR in a header', request({ lines: ['a: b\rc: d'] })], [400], REPAIRED),
  refused(['9112 §2.2', 'a blank before the first header', request({ host: ' Host: a' })], [400], REPAIRED),
  refused(['9112 §2.3', 'no version', 'GET /deals/v1/networks/\r\n\r\n'], [400], { isHeadless: true }),
  refused(['9112 §2.3', 'a version without a minor', request({ version: 'HTTP/1' })], [400], { isHeadless: true }),
  refused(['9112 §2.3', 'a version in lower case', request({ version: 'http/1.1' })]),
  refused(['9112 §2.3', 'a version of several digits', request({ version: 'HTTP/1.10' })], [400], REPAIRED),
  refused(['9112 §2.3', 'another protocol', request({ version: 'FTP/1.1' })]),
  refused(['9110 §2.5', 'a major version that is not spoken', request({ version: 'HTTP/3.0' })], [400, 505], {
    proxyStatuses: [505],
  }),
  refused(['9113 §3.4', 'the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], [400, 505], {
    proxyStatuses: [400, 505],
  }),
  answered(['9112 §3', 'a blank too many in the first line, which may be overlooked', request({ target: ` ${LIST}` })]),
  refused(['9112 §3', 'a blank in the target', request({ target: '/a b' })], [400], { proxyStatuses: [400, 404] }),
  refused(['9112 §3', 'a blank before the method', ` ${request()}`]),
  refused(['9112 §3', 'no target', 'GET HTTP/1.1\r\nHost: a\r\n\r\n']),
  refused(['9112 §3.1', 'a method with a character that no method has', request({ method: 'G(T' })]),
  refused(['9110 §9.1', 'a method in lower case', request({ method: 'get' })]),
  refused(['9110 §9.1', 'an unknown method', request({ method: 'READ' })], [400, 405, 501]),
  answered(['9112 §3', 'a target of 8 KB', request({ target: `/${'a'.repeat(8_000)}` })], [{ statuses: [404] }]),
  answered(
    ['9112 §3', 'a target that is too long', request({ target: `/${'a'.repeat(9_000)}` })],
    [{ statuses: [414] }],
  ),
  refused(
    ['9112 §3', 'a target that is too long for the parser', request({ target: `/${'a'.repeat(60_000)}` })],
    [414],
  ),
  refused(
    ['9112 §3.2', 'a target with a fragment', request({ target: '/#a', lines: ['Connection: close'] })],
    [400, 404],
    {
      proxyStatuses: [200, 400],
    },
  ),
  refused(['9112 §3.2', 'no Host', request({ host: undefined })]),
  answered(['9112 §3.2', 'Host twice', request({ lines: ['Host: b'] })], [bad]),
  answered(['9112 §3.2', 'the same Host twice', request({ lines: ['Host: a'] })], [bad]),
  refused(['9112 §3.2', 'a Host that is none', request({ host: 'Host: a b' })]),
  refused(['9112 §3.2', 'a Host with a path', request({ host: 'Host: a/b' })]),
  refused(['9112 §3.2', 'a Host with a user', request({ host: 'Host: u@a' })]),
  answered(['9112 §3.2', 'an empty Host', request({ host: 'Host:' })], [ok], { proxyStatuses: [400] }),
  answered(['9112 §3.2', 'a Host with a port', request({ host: 'Host: a.example:8080' })]),
  answered(['9112 §3.2', 'a Host that is an address', request({ host: 'Host: [::1]:8080' })]),
  answered(['9112 §3.2.2', 'a target in absolute form', request({ target: `http://b${LIST}` })]),
  answered(['9112 §3.2.2', 'a scheme in capitals', request({ target: `HTTP://b${LIST}` })]),
  refused(['9112 §3.2.3', 'CONNECT', `CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n${SMUGGLED}`], [400, 404, 405, 501]),
  answered(
    ['9112 §3.2.4', 'OPTIONS of the whole server', request({ method: 'OPTIONS', target: '*' })],
    [{ method: 'OPTIONS', statuses: [200, 204, 404] }],
    { proxyStatuses: [400] },
  ),
  refused(['9112 §5.1', 'a blank before the colon', request({ lines: ['Content-Length : 5'] })]),
  refused(['9112 §5.1', 'a tab before the colon', request({ lines: ['Content-Length\t: 5'] })]),
  answered(['9112 §5.1', 'no blank after the colon', request({ host: 'Host:a' })]),
  answered(['9112 §5.1', 'blanks and tabs about a value', request({ host: 'Host: \t a \t ' })], [ok], {
    proxyStatuses: [400],
  }),
  answered(['9112 §5.1', 'an empty value', request({ lines: ['X-Empty:'] })]),
  refused(['9112 §5', 'a header without a name', request({ lines: [': a'] })], [400], REPAIRED),
  refused(['9112 §5', 'a header without a colon', request({ lines: ['nothing'] })], [400], REPAIRED),
  refused(['9110 §5.1', 'a name with a character that no name has', request({ lines: ['a(b: c'] })], [400], REPAIRED),
  refused(['9110 §5.1', 'a name with a NUL', request({ lines: ['a\0b: c'] })]),
  refused(['9110 §5.5', 'a value with a NUL', request({ lines: ['a: b\0c'] })]),
  refused(['9110 §5.5', 'a value with a control character', request({ lines: ['a: b\x01c'] })], [400], REPAIRED),
  answered(['9110 §5.5', 'a value that is not ASCII', request({ lines: ['a: \u00e9'] })]),
  refused(['9112 §5.2', 'a folded line', request({ lines: ['a: b', ' c'] })], [200, 400], REPAIRED),
  refused(['9112 §5.4', 'headers of 100 KB', request({ lines: [`a: ${'b'.repeat(100_000)}`] })], [431], {
    proxyStatuses: [400, 431],
  }),
  refused(['9112 §6.1', 'a length and chunks', chunked(`0\r\n\r\n${SMUGGLED}`, ['Content-Length: 5'])]),
  refused(['9112 §6.1', 'chunks and a length', request({ lines: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: `0\r\n\r\n${SMUGGLED}` })]), // prettier-ignore
  refused(['9112 §6.1', 'chunks in HTTP/1.0', `GET ${LIST} HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`], [400, 401], { proxyStatuses: [400, 401, 501] }), // prettier-ignore
  refused(['9112 §6.1', 'an unknown coding', request({ lines: ['Transfer-Encoding: zip'], body: SMUGGLED })], [400, 501], { proxyStatuses: [400, 501] }), // prettier-ignore
  refused(['9112 §6.1', 'a coding after chunked', request({ lines: ['Transfer-Encoding: chunked, gzip'], body: SMUGGLED })], [400, 501], { proxyStatuses: [400, 501] }), // prettier-ignore
  refused(['9112 §6.1', 'a coding with a control character', request({ lines: ['Transfer-Encoding: \x0bchunked'], body: SMUGGLED })], [400, 501], { proxyStatuses: [400, 501] }), // prettier-ignore
  refused(['9112 §6.1', 'identity', request({ lines: ['Transfer-Encoding: identity'], body: SMUGGLED })], [400, 501], { proxyStatuses: [400, 501] }), // prettier-ignore
  answered(['9112 §6.1', 'chunked in capitals', request({ lines: ['Transfer-Encoding: CHUNKED'], body: '5\r\nabcde\r\n0\r\n\r\n' })]), // prettier-ignore
  answered(['9112 §6.2', 'a body of a length', request({ lines: ['Content-Length: 5'], body: 'abcde' })]),
  answered(['9112 §6.2', 'a request as a body', request({ lines: [`Content-Length: ${BODY_REQUEST.length}`], body: BODY_REQUEST })]), // prettier-ignore
  answered(['9112 §6.2', 'a body of no length', request({ lines: ['Content-Length: 0'] })]),
  refused(['9112 §6.2', 'two lengths', request({ lines: ['Content-Length: 0', 'Content-Length: 5'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'a list of lengths', request({ lines: ['Content-Length: 0, 5'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'a negative length', request({ lines: ['Content-Length: -1'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'a length with a sign', request({ lines: ['Content-Length: +5'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'a length in sixteens', request({ lines: ['Content-Length: 0x5'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'a length that is no number', request({ lines: ['Content-Length: abc'], body: SMUGGLED })]),
  refused(['9112 §6.2', 'an empty length', request({ lines: ['Content-Length:'], body: SMUGGLED })], [400]),
  refused(['9112 §6.2', 'a length beyond 2^64', request({ lines: ['Content-Length: 18446744073709551617'], body: SMUGGLED })]), // prettier-ignore
  answered(['9112 §6.3', 'a request without a body, and another', request() + request()], [ok, ok]),
  answered(['9112 §7.1', 'a body in chunks', chunked('5\r\nabcde\r\n0\r\n\r\n')]),
  answered(['9112 §7.1', 'a request within a chunk', chunked(`5\r\nGET /\r\n0\r\n\r\n`)]),
  answered(['9112 §7.1.1', 'a chunk with an extension', chunked('5;a=b;c="d"\r\nabcde\r\n0\r\n\r\n')]),
  answered(['9112 §7.1.2', 'trailers', chunked('0\r\nX-Trailer: a\r\n\r\n')]),
  last(['9112 §7.1.2', 'trailers that would change the request', chunked('0\r\nHost: b\r\nContent-Length: 7\r\n\r\n')]),
  last(['9112 §7.1', 'a chunk whose length is no number', chunked(`zz\r\n${SMUGGLED}`)], [{ statuses: [200, 400] }]),
  last(['9112 §7.1', 'a chunk of a negative length', chunked(`-5\r\n${SMUGGLED}`)], [{ statuses: [200, 400] }]),
  last(
    ['9112 §7.1', 'a chunk longer than it says', chunked(`1\r\nab\r\n0\r\n\r\n${SMUGGLED}`)],
    [{ statuses: [200, 400] }],
  ),
  last(['9112 §7.1', 'a chunk of 2^64', chunked(`10000000000000000\r\n${SMUGGLED}`)], [{ statuses: [200, 400] }]),
  last(['9112 §7.1.1', 'an extension with a lone LF', chunked(`1;\na\r\n0\r\n\r\n`)], [{ statuses: [200, 400] }]),
  last(['9112 §9.3', 'HTTP/1.0', request({ version: 'HTTP/1.0' })], [without('transfer-encoding', ok)]),
  answered([
    '9112 §9.3',
    'HTTP/1.0 that asks to stay',
    request({ version: 'HTTP/1.0', lines: ['Connection: keep-alive'] }),
  ]),
  last(
    ['9112 §9.6', 'Connection: close', request({ lines: ['Connection: close'] })],
    [withHeader('connection', (value) => value === 'close', ok)],
  ),
  last(['9112 §9.6', 'a request after Connection: close', request({ lines: ['Connection: close'] }) + SMUGGLED]),
  last(['9112 §9.6', 'Close in another case', request({ lines: ['connection: CLOSE'] })]),
  answered(
    ['9112 §9.3.2', 'ten requests at once', request().repeat(10)],
    Array.from({ length: 10 }, () => ok),
  ),
  answered(
    [
      '9112 §9.3.2',
      'different requests at once, in order',
      request() + request({ target: '/nothing' }) + request({ method: 'HEAD' }),
    ],
    [ok, { statuses: [404] }, { method: 'HEAD', statuses: [200] }],
  ),
];

/** RFC 9110: what requests mean. */
const MEANING: readonly HttpCase[] = [
  answered(
    ['9110 §6.6.1', 'every answer has its date', request()],
    [withHeader('date', (value) => !Number.isNaN(Date.parse(value ?? '')), ok)],
  ),
  answered([
    '9110 §7.8',
    'Upgrade to what is not spoken',
    request({ lines: ['Connection: Upgrade', 'Upgrade: websocket'] }),
  ]),
  answered(['9110 §7.8', 'Upgrade to HTTP/2', request({ lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'] })]), // prettier-ignore
  answered(
    ['9110 §8.6', 'the length of an answer', request()],
    [withHeader('content-length', (value) => Number(value) > 0, ok)],
  ),
  answered(
    ['9110 §9.3.2', 'HEAD has the length of GET and no body', request({ method: 'HEAD' }) + request()],
    [withHeader('content-length', (value) => Number(value) > 0, { method: 'HEAD', statuses: [200] }), ok],
  ),
  ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) =>
    answered(
      [
        '9110 §15.5.6',
        `${method} is refused with Allow`,
        request({ method, lines: ['Content-Length: 2'], body: '{}' }),
      ],
      [withHeader('allow', (value) => value === 'GET, HEAD, OPTIONS', { statuses: [405] })],
    ),
  ),
  {
    ...answered(['9110 §9.3.8', 'TRACE is refused', request({ method: 'TRACE' })], [{ statuses: [405] }]),
    proxyStatuses: [405],
  },
  answered(
    ['9110 §9.3.7', 'OPTIONS has no body', request({ method: 'OPTIONS' })],
    [without('content-length', { method: 'OPTIONS', statuses: [204] })],
  ),
  answered([
    '9110 §10.1.1',
    '100-continue with a body',
    [request({ lines: ['Expect: 100-continue', 'Content-Length: 2'] }), 'ab'],
  ]),
  answered(
    ['9110 §10.1.1', 'an unknown expectation', request({ lines: ['Expect: nonsense'] })],
    [{ statuses: [417, 200] }],
  ),
  last(['9110 §10.1.1', '100-continue in HTTP/1.0', request({ version: 'HTTP/1.0', lines: ['Expect: 100-continue'] })]),
  answered(
    ['9110 §11.6.1', 'a 401 says how', request({ lines: [] }).replace('x-api-key: KEY\r\n', '')],
    [withHeader('www-authenticate', (value) => value !== undefined, { statuses: [401] })],
  ),
  answered(
    ['9110 §12.5.3', 'an unknown coding', request({ lines: ['Accept-Encoding: zip'] })],
    [without('content-encoding', ok)],
  ),
  answered(
    ['9110 §12.5.3', 'no coding at all', request({ lines: ['Accept-Encoding: br;q=0, gzip;q=0'] })],
    [without('content-encoding', ok)],
  ),
  answered(['9110 §12.5.5', 'Vary', request()], [withHeader('vary', (value) => value === 'Accept-Encoding', ok)]),
  answered(
    ['9110 §13.1.2', 'If-None-Match: *', request({ lines: ['If-None-Match: *'] })],
    [withHeader('etag', (value) => value !== undefined, { statuses: [304] })],
  ),
  answered(['9110 §13.1.2', 'another tag', request({ lines: ['If-None-Match: "other"'] })]),
  answered(['9110 §13.1.3', 'If-Modified-Since where there is no date', request({ lines: ['If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT'] })]), // prettier-ignore
  answered(['9110 §14.2', 'a range where there are none', request({ lines: ['Range: bytes=0-3'] })]),
  answered(['9110 §14.2', 'a range that cannot be', request({ target: '/', lines: ['Range: bytes=9-1'] })]),
  answered(
    [
      '9110 §15.4.5',
      'a 304 has no body, and the next answer follows',
      request({ lines: ['If-None-Match: *'] }) + request(),
    ],
    [{ statuses: [304] }, ok],
  ),
];

export const HTTP_CASES: readonly HttpCase[] = [...FRAGMENTS, ...FRAMING, ...MEANING];
