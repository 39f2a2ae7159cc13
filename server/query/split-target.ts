import type { QueryIssue } from './query-issue.ts';

/** A `name=value` pair of a query string, decoded, and as it was sent. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

/** Splits a request target at its first `?`: the path and the query exactly as sent. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * The pairs of a query string in order. Empty pairs (`&&`, a last `&`) are nothing; `+` is a space; broken
 * percent-encoding, invalid UTF-8, NUL and bytes that were not encoded are faults of their pair (D4).
 */
export function parsePairs(query: string, issues: QueryIssue[]): readonly QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const raw of query.split('&')) {
    if (raw === '') continue;
    const equals = raw.indexOf('=');
    const rawName = equals === -1 ? raw : raw.slice(0, equals);
    const rawValue = equals === -1 ? '' : raw.slice(equals + 1);
    const name = decode(rawName);
    const value = decode(rawValue);
    if (name === undefined || value === undefined) {
      issues.push({
        code: 'malformed-value',
        parameter: name ?? rawName,
        expected: 'percent-encoded UTF-8 without NUL',
        value: name === undefined ? rawName : rawValue,
      });
    } else {
      pairs.push({ name, value, raw });
    }
  }
  return pairs;
}

function decode(text: string): string | undefined {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7e) return undefined;
  }
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
