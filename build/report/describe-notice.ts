import { NOTICES, quoteFound, type Notice } from '../../data/report/notice.ts';
import type { NoticeSummary } from '../../data/report/report.ts';
import { formatLocation } from '../../data/report/source-location.ts';
import { escapeControls } from '../source/quote.ts';

/** How many samples of each kind of notice are shown; the report has more. */
const SHOWN_SAMPLES = 3;

/** `expected …, got "…"; what to do`. @param more follows what was found */
export function describeFinding(notice: Notice, more = ''): string {
  const { code, found, expected } = notice;
  const { meaning, remedy } = NOTICES[code];
  const wanted = expected === undefined ? meaning : `expected ${expected}`;
  const got = found === undefined ? '' : `, got ${quoteFound(found, notice)}${more}`;
  return `${wanted}${got}; ${notice.remedy ?? remedy}`;
}

/** `feeds/house.csv:418 H-1042 upfrontCost: expected …, got "…"; what to do`. */
export function formatNotice(notice: Notice): string {
  const { code, record, field, found } = notice;
  if (NOTICES[code].outcome === 'source' && found !== undefined && isSentence(notice)) return escapeControls(found);
  const place = [formatLocation(notice), record, field].filter((part) => part !== undefined).join(' ');
  return escapeControls(`${place}: ${describeFinding(notice)}`);
}

/** The cause that stopped a source is a sentence with its place and remedy; a list of types is not. */
function isSentence({ code, field, expected }: Notice): boolean {
  return field === undefined && expected === undefined && code !== 'unmapped-type';
}

/** Whether it is as a stated rule wants it, so that nothing needs to be done. */
export function isExpected({ outcome }: Pick<NoticeSummary, 'outcome'>): boolean {
  return outcome === 'duplicate' || outcome === 'out-of-scope';
}

/**
 * A kind of notice with its first samples.
 * @param rest where the others are
 * @param comparedWith a snapshot: its count is said where it is another
 */
export function describeSummary(summary: NoticeSummary, rest: string, comparedWith?: string): string[] {
  const { outcome, count, code, before, samples } = summary;
  const earlier = before !== undefined && before.snapshot === comparedWith ? `, ${before.count} before` : '';
  const heading = `  ${outcome}: ${count} ${code}${earlier} (${NOTICES[code].meaning})`;
  if (isExpected(summary)) return [heading];
  const shown = samples.slice(0, SHOWN_SAMPLES).map((notice) => `    ${formatNotice(notice)}`);
  const more = count - shown.length;
  return [heading, ...shown, ...(more > 0 ? [`    and ${more} more: ${rest}`] : [])];
}
