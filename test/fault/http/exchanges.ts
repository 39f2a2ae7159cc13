import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerOf, type RawResponse } from '../../support/raw-socket.ts';

/** A row of `exchanges.tsv`: bytes, and the responses that RFC 9112 and RFC 9110 allow a server that only reads. */
export interface Exchange {
  /** The section of the RFC. */
  readonly rule: string;
  readonly request: string;
  readonly responses: readonly { readonly method: string; readonly statuses: readonly number[] }[];
  /** Whether the connection serves another request, or the server closes it. */
  readonly after: 'open' | 'closed';
  /** Other statuses that a proxy may answer, because it repairs or refuses more than the server. */
  readonly proxyStatuses: readonly number[];
  /** A proxy may read it as HTTP/0.9, whose responses have no headers to count them by. */
  readonly isHeadless: boolean;
  /** What is wrong with a header of the first response, or undefined. */
  readonly faultOf: (first: RawResponse) => string | undefined;
  /** Each in its own packet. KEY stands for the key. */
  readonly pieces: readonly string[];
}

/**
 * Columns are separated by tabs. `statuses` has a status or several for each response, with its method where that is not
 * GET. `header` is `name: value`, or `no name`. In the bytes, ` | ` separates packets, and `{a*8000}` repeats.
 */
export const EXCHANGES: readonly Exchange[] = readFileSync(join(import.meta.dirname, 'exchanges.tsv'), 'utf8')
  .split('\n')
  .slice(1, -1)
  .map(parseRow);

function parseRow(line: string): Exchange {
  const [rule = '', request = '', statuses = '', after, nginx = '', header = '', bytes = ''] = line.split('\t');
  return {
    rule,
    request,
    responses: parseResponses(statuses),
    after: after as Exchange['after'],
    proxyStatuses: nginx.includes('/') || Number(nginx) > 0 ? nginx.split('/').map(Number) : [],
    isHeadless: nginx === 'headless',
    faultOf: (first) => findHeaderFault(first, header),
    pieces: parseBytes(bytes),
  };
}

function parseResponses(text: string): Exchange['responses'] {
  const [, one = text, count = '1'] = /^(.*) x(\d+)$/.exec(text) ?? [];
  const responses = one.split(', ').map((response) => {
    const [statuses = '', method = 'GET'] = response.split(' ').toReversed();
    return { method, statuses: statuses.split('/').map(Number) };
  });
  return Array.from({ length: Number(count) }, () => responses).flat();
}

function parseBytes(text: string): readonly string[] {
  const eachByte = /^\(each byte\) (.*)$/.exec(text);
  if (eachByte !== null) return Array.from(unescape(eachByte[1] ?? ''));
  return text
    .split(' | ')
    .map((piece) => unescape(piece).replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, part, count) => part.repeat(Number(count))));
}

function unescape(text: string): string {
  return JSON.parse(`"${text.replaceAll('"', '\\"')}"`) as string;
}

function findHeaderFault(first: RawResponse, expected: string): string | undefined {
  if (expected === '-') return undefined;
  const [, isAbsent, name = '', wanted] = /^(no )?([\w-]+)(?:: (.*))?$/.exec(expected) ?? [];
  const value = headerOf(first, name);
  const isRight = isAbsent === undefined ? value !== undefined && matches(value, wanted ?? '*') : value === undefined;
  return isRight ? undefined : `${expected}, got ${value}`;
}

function matches(value: string, wanted: string): boolean {
  if (wanted === '> 0') return Number(value) > 0;
  if (wanted === 'a date') return !Number.isNaN(Date.parse(value));
  return wanted === '*' || value === wanted;
}
