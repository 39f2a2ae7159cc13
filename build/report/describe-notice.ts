import { NOTICES, quoteFound, type Notice } from '../../data/report/notice.ts';
import type { NoticeSummary } from '../../data/report/report.ts';
import { createLocationFormatter, type FormatLocation } from '../../data/report/source-location.ts';
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

/**
 * `feeds/house.csv:418 H-1042 upfrontCost: expected …, got "…"; what to do`. @param formatLocation if left out, a
 * location is a line
 */
export function formatNotice(notice: Notice, formatLocation: FormatLocation = createLocationFormatter([])): string {
  const { code, record, field, found } = notice;
  if (NOTICES[code].outcome === 'source' && found !== undefined && isSentence(notice)) return escapeControls(found);
  const place = [formatLocation(notice), record, field].filter((part) => part !== undefined).join(' ');
  return escapeControls(`${place}: ${describeFinding(notice)}`);
}

/** The cause that stopped a source is a sentence with its place and remedy; a list of types is not. */
function isSentence({ code, field, expected }: Notice): boolean {
  return field === undefined && expected === undefined && code !== 'unmapped-type';
}

/** The first samples in full; `rest` says where the others are. */
export function listSamples(
  { count, samples }: Pick<NoticeSummary, 'count' | 'samples'>,
  formatLocation: FormatLocation,
  rest: string,
): string[] {
  const shown = samples.slice(0, SHOWN_SAMPLES).map((notice) => `    ${formatNotice(notice, formatLocation)}`);
  return count <= shown.length ? shown : [...shown, `    and ${count - shown.length} more: ${rest}`];
}
