import { element } from '../lib/element.js';
import { createRecordTable } from './record-table.js';
import { describeHeld } from './show-sources.js';
import { createButton, createShortList, formatNumber } from '../lib/table.js';
import { withCode } from './with-code.js';

/** @typedef {import('./read-status.js').Status} Status */
/** @typedef {import('../../../data/report/report.ts').NoticeSummary} NoticeSummary */
/** @typedef {import('../../../data/report/notice.ts').Outcome} Outcome */

/** What becomes of a record, what costs most first. @type {Readonly<Record<Outcome, { readonly text: string, readonly kind: string }>>} */
const OUTCOMES = {
  source: { text: 'whole source', kind: 'bad' },
  quarantined: { text: 'quarantined', kind: 'bad' },
  notice: { text: 'served, look at it', kind: 'warning' },
  duplicate: { text: 'duplicate', kind: '' },
  'out-of-scope': { text: 'out of scope', kind: '' },
};
const RANKED = /** @type {Outcome[]} */ (Object.keys(OUTCOMES));

/** What is new and what costs most comes first; the others are a press of a button away. */
const SHOWN_CODES = 15;

/**
 * What was left out of the catalogue or looks odd, and why: an entry for each code and source.
 * @param {Status} status
 * @param {(words: string) => void} search
 * @returns {readonly HTMLElement[]}
 */
export function showLeftOut(status, search) {
  const title = element('h2', { id: 'left-out-title' }, 'Left out, and why');
  const notices = status.report?.notices ?? [];
  if (notices.length === 0)
    return [title, element('p', { class: 'muted' }, 'The report of the snapshot names nothing.')];
  const rank = (/** @type {NoticeSummary} */ { outcome }) => RANKED.indexOf(outcome);
  const ranked = notices.toSorted(
    (a, b) => Number(isNew(b, status)) - Number(isNew(a, status)) || rank(a) - rank(b) || b.count - a.count,
  );
  const frame = element('div');
  const buttons = [undefined, ...RANKED].map((outcome) => {
    const chosen = ranked.filter((notice) => outcome === undefined || notice.outcome === outcome);
    const button = createButton(describeChoice(outcome, chosen), () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      frame.replaceChildren(
        createShortList(chosen, SHOWN_CODES, (shown) =>
          element('div', {}, ...shown.map((notice) => describeNotice(notice, status, search))),
        ),
      );
    });
    button.disabled = chosen.length === 0;
    return button;
  });
  buttons[0]?.click();
  const held = describeHeld(status.served?.sources ?? []);
  return [
    title,
    ...(held.length === 0
      ? []
      : [
          element(
            'p',
            { class: 'muted' },
            `${held.join('; ')}. What was left out before is not below, and is not mended by that.`,
          ),
        ]),
    element('div', { class: 'row tight filters', role: 'group', 'aria-label': 'Show' }, ...buttons),
    frame,
  ];
}

/**
 * `quarantined (27 records)`.
 * @param {Outcome | undefined} outcome undefined for all of them
 * @param {readonly NoticeSummary[]} notices
 * @returns {string}
 */
function describeChoice(outcome, notices) {
  if (outcome === undefined) return `everything (${formatNumber(notices.length)})`;
  return `${OUTCOMES[outcome].text} (${formatNumber(notices.reduce((sum, { count }) => sum + count, 0))})`;
}

/**
 * Whether the count is another than in the snapshot before.
 * @param {NoticeSummary} notice
 * @param {Pick<Status, 'served'>} status
 * @returns {boolean}
 */
export function isNew({ before }, { served }) {
  return before !== undefined && before.snapshot === served?.previous;
}

/**
 * A code with its meaning and remedy; its first records are shown when it is opened.
 * @param {NoticeSummary} notice
 * @param {Status} status
 * @param {(words: string) => void} search
 * @returns {HTMLElement}
 */
function describeNotice(notice, status, search) {
  const { code, source, outcome, count, before, samples } = notice;
  const { meaning, remedy } = status.codes[code];
  const step = count - (before?.count ?? 0);
  const rest = count - samples.length;
  return element(
    'details',
    { class: 'entry' },
    element(
      'summary',
      {},
      element('b', { class: 'number' }, formatNumber(count)),
      ' ',
      element('code', {}, code),
      ' ',
      element('span', { class: 'tag' }, source),
      ' ',
      element('span', { class: `tag ${OUTCOMES[outcome].kind}` }, OUTCOMES[outcome].text),
      ' ',
      isNew(notice, status) &&
        element(
          'span',
          { class: 'tag warning' },
          `${step > 0 ? '+' : '−'}${formatNumber(Math.abs(step))} since ${formatNumber(before?.count ?? 0)}`,
        ),
      element('span', { class: 'muted block' }, ...withCode(meaning)),
      element('span', { class: 'block' }, 'What to do: ', ...withCode(remedy)),
    ),
    createRecordTable(`records of ${code} of ${source}`, samples),
    rest > 0 &&
      element(
        'p',
        { class: 'row tight muted' },
        `and ${formatNumber(rest)} more`,
        createButton(`Search ${code}`, () => search(code)),
      ),
  );
}
