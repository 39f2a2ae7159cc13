import type { Notice } from '../../data/report/notice.ts';
import type { Origin } from '../source/origin.ts';

/** What is wrong with a record, apart from which record it is. */
export type Finding = Pick<Notice, 'code' | 'field' | 'found' | 'expected' | 'remedy'>;

const FOUND_MAX_LENGTH = 80;

/** The notice of a finding about the record `record` at `origin`. */
export function createNotice(finding: Finding, record: string, origin: Origin): Notice {
  const { source, file, line, list } = origin;
  return { ...finding, record, source, file, line, ...(list === undefined ? {} : { list }) };
}

/** `feeds/house.csv:418`, where a person looks for a row of a feed. */
export function describeOrigin(origin: Origin): string {
  return `${origin.file}:${origin.line}`;
}

/** A text from outside, cut so that it fits a report. */
export function cutText(text: string): string {
  return text.length > FOUND_MAX_LENGTH ? `${text.slice(0, FOUND_MAX_LENGTH - 1)}…` : text;
}

/** The same, quoted for a sentence. */
export function quoteText(text: string): string {
  return JSON.stringify(cutText(text));
}
