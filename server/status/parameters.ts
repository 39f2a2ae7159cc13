import { findNearestWord } from '../../data/query/edit-distance.ts';
import { NOTICE_CODES, type NoticeCode } from '../../data/report/notice.ts';
import { SNAPSHOT_ID } from '../../data/snapshot/format.ts';
import type { QueryIssue } from '../query/query-issue.ts';
import { parseQueryString } from '../query/query-string.ts';
import { DEFAULT_RECORD_LIMIT, isNoticeCode, MAX_RECORD_LIMIT } from './records.ts';

/** No record has a longer name. */
const MAX_WORD_LENGTH = 200;

const CURSOR = /^([0-9a-zA-Z-]{1,40})\.([0-9]{1,15})$/;

/** The start of a page of records: its snapshot, and the byte of its file. */
export interface RecordsCursor {
  readonly snapshot: string;
  readonly from: number;
}

/** The parameters of `/status/records.json`. */
export interface RecordsParameters {
  readonly code: NoticeCode;
  readonly source?: string;
  readonly limit: number;
  readonly cursor?: RecordsCursor;
}

export type ParsedParameters<Value> =
  | { readonly kind: 'parsed'; readonly value: Value }
  | { readonly kind: 'refused'; readonly issues: readonly QueryIssue[] };

/** `/status/data.json` has no parameters, so every parameter is an error (D4). */
export function parseNoParameters(query: string): ParsedParameters<undefined> {
  const { issues } = splitParameters(query, []);
  return issues.length > 0 ? { kind: 'refused', issues } : { kind: 'parsed', value: undefined };
}

/** An unknown, repeated, empty or malformed parameter is an error (D4). */
export function parseRecordsParameters(query: string): ParsedParameters<RecordsParameters> {
  const { values, issues } = splitParameters(query, ['code', 'source', 'limit', 'cursor']);
  const code = values.get('code') ?? '';
  const source = values.get('source');
  const limit = values.get('limit');
  const cursor = values.get('cursor');
  if (!isNoticeCode(code) && !issues.some(({ parameter }) => parameter === 'code')) issues.push(noticeCodeIssue(code));
  const limitNumber = limit === undefined ? DEFAULT_RECORD_LIMIT : parseLimit(limit, issues);
  const position = cursor === undefined ? undefined : parseCursor(cursor, issues);
  if (issues.length > 0 || !isNoticeCode(code)) return { kind: 'refused', issues };
  return {
    kind: 'parsed',
    value: {
      code,
      ...(source === undefined ? {} : { source }),
      limit: limitNumber,
      ...(position === undefined ? {} : { cursor: position }),
    },
  };
}

/** The word of `/status/explain.json`. */
export function parseExplainParameters(query: string): ParsedParameters<string> {
  const { values, issues } = splitParameters(query, ['record']);
  const record = (values.get('record') ?? '').trim();
  if (issues.length === 0 && (record === '' || record.length > MAX_WORD_LENGTH)) {
    const expected = `a product by id, slug or name, a deal by key, or either by file:line, of at most ${MAX_WORD_LENGTH} characters`;
    issues.push({ code: 'malformed-value', parameter: 'record', expected, value: record });
  }
  return issues.length > 0 ? { kind: 'refused', issues } : { kind: 'parsed', value: record };
}

/** The text of a cursor. A byte that is not the start of a line is rejected later. */
export function formatCursor({ snapshot, from }: RecordsCursor): string {
  return `${snapshot}.${from}`;
}

/** The issue of a wrong cursor. */
export function recordsCursorIssue(value: string): QueryIssue {
  return { code: 'invalid-cursor', parameter: 'cursor', expected: 'a cursor from next, as it was', value };
}

function splitParameters(query: string, allowed: readonly string[]) {
  const { pairs, issues: faults } = parseQueryString(query);
  const issues: QueryIssue[] = [...faults];
  const values = new Map<string, string>();
  for (const { name, value } of pairs) {
    if (!allowed.includes(name)) {
      const suggestion = findNearestWord(name, allowed);
      const expected = allowed.length === 0 ? 'no parameters' : allowed.join(', ');
      issues.push({
        code: 'unknown-parameter',
        parameter: name,
        expected,
        value,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    } else if (values.has(name)) {
      issues.push({ code: 'repeated-parameter', parameter: name, expected: 'it once', value });
    } else if (value === '') {
      issues.push({ code: 'malformed-value', parameter: name, expected: 'a value', value });
    } else {
      values.set(name, value);
    }
  }
  return { values, issues };
}

function noticeCodeIssue(value: string): QueryIssue {
  const expected = 'a code that the report of a build gives';
  if (value === '') return { code: 'malformed-value', parameter: 'code', expected, value };
  const suggestion = findNearestWord(value, NOTICE_CODES);
  return {
    code: 'unknown-value',
    parameter: 'code',
    expected,
    value,
    allowed: NOTICE_CODES,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function parseLimit(value: string, issues: QueryIssue[]): number {
  const isNumber = /^[0-9]{1,9}$/.test(value);
  const limit = Number(value);
  if (isNumber && limit >= 1 && limit <= MAX_RECORD_LIMIT) return limit;
  const expected = `a whole number from 1 to ${MAX_RECORD_LIMIT}`;
  issues.push({ code: isNumber ? 'out-of-range' : 'malformed-value', parameter: 'limit', expected, value });
  return DEFAULT_RECORD_LIMIT;
}

function parseCursor(value: string, issues: QueryIssue[]): RecordsCursor | undefined {
  const [, snapshot = '', from = ''] = CURSOR.exec(value) ?? [];
  if (SNAPSHOT_ID.test(snapshot)) return { snapshot, from: Number(from) };
  issues.push(recordsCursorIssue(value));
  return undefined;
}
