import type { QueryIssue } from './query-issue.ts';

/** A `name=value` pair of a query string, decoded, and as it was sent. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
}

/** A query string, split and decoded once: the cursor, the parameters and the links are all read from these pairs. */
export interface QueryString {
  /** In the order sent; a pair that cannot be decoded is not among them. */
  readonly pairs: readonly QueryPair[];
  readonly issues: readonly QueryIssue[];
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
export function parseQueryString(query: string): QueryString {
  const pairs: QueryPair[] = [];
  const issues: QueryIssue[] = [];
  if (query === '') return { pairs, issues };
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
  return { pairs, issues };
}

/** Anything but printable ASCII that stands for itself. */
const NOT_LITERAL = /[%+]|[^ -~]/;
const NOT_ASCII = /[\u007f-\uffff]/;

function decode(text: string): string | undefined {
  if (!NOT_LITERAL.test(text)) return text;
  if (NOT_ASCII.test(text)) return undefined;
  try {
    const decoded = decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
