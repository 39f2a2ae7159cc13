import { element } from '../lib/element.js';
import { createFailureNotice, createProblemNotice } from '../lib/problem-notice.js';
import { ask } from '../lib/request.js';
import { formatCount } from '../lib/format.js';
import { createRecordTable } from './record-table.js';
import { describeHeld } from './show-sources.js';
import { createTable, formatNumber } from './table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../status/status.ts').NoticeStatus} NoticeStatus */
/** @typedef {import('../../../data/report/notice.ts').Notice} Notice */
/** @typedef {import('../../../data/report/notice.ts').Outcome} Outcome */

/** What becomes of a record, what costs most first. @type {Readonly<Record<Outcome, { readonly text: string, readonly kind: string }>>} */
const OUTCOMES = {
  source: { text: 'whole source', kind: 'bad' },
  quarantined: { text: 'quarantined', kind: 'bad' },
  notice: { text: 'served, look at it', kind: 'warning' },
  duplicate: { text: 'duplicate', kind: '' },
  'out-of-scope': { text: 'out of scope', kind: '' },
};

/** What is new and what costs most comes first; the others are a press of a button away. */
const SHOWN_CODES = 15;

/** @type {readonly Outcome[]} */
const RANKED = /** @type {Outcome[]} */ (Object.keys(OUTCOMES));

const COLUMNS = [
  { title: 'What', className: 'prose' },
  { title: 'Records', isNumber: true },
  { title: 'Before', isNumber: true },
  { title: 'Outcome' },
  { title: 'What to do', className: 'prose' },
];

/**
 * What was left out of the catalogue or looks odd, and why: a row for each code and source.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showLeftOut({ notices, snapshot, sources }) {
  const title = element('h2', { id: 'left-out-title' }, 'Left out, and why');
  const held = describeHeld(sources);
  if (notices.length === 0)
    return [title, element('p', { class: 'muted' }, 'The report of the snapshot names nothing.')];
  const ranked = notices.toSorted(
    (a, b) => Number(isNew(b, snapshot)) - Number(isNew(a, snapshot)) || rankOf(a) - rankOf(b) || b.count - a.count,
  );
  const frame = element('div');
  /** @type {Outcome | undefined} */
  let shown;
  const buttons = [undefined, ...RANKED].map((outcome) => {
    const counted = ranked.filter((notice) => outcome === undefined || notice.outcome === outcome);
    const text = outcome === undefined ? 'everything' : OUTCOMES[outcome].text;
    const button = element(
      'button',
      { type: 'button', class: 'small', 'aria-pressed': String(outcome === undefined), disabled: counted.length === 0 },
      `${text} (${describeCounted(outcome, counted)})`,
    );
    button.addEventListener('click', () => {
      shown = outcome;
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      show(SHOWN_CODES);
    });
    return button;
  });
  const show = (/** @type {number} */ shownCount) => {
    const chosen = ranked.filter((notice) => shown === undefined || notice.outcome === shown);
    const rows = chosen.slice(0, shownCount).flatMap((notice) => describeNotice(notice, snapshot));
    const more = chosen.length - shownCount;
    const showAll = () => {
      show(Infinity);
      // The button that was pressed is gone; where it stood, reading goes on.
      frame.querySelectorAll('button')[shownCount]?.focus();
    };
    frame.replaceChildren(createTable('codes of the report', COLUMNS, rows, { isStacked: true }));
    if (more > 0) frame.append(createButton(`Show ${formatNumber(more)} more`, showAll));
  };
  show(SHOWN_CODES);
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

/** The outcomes that a record has exactly once, so that the sum equals the figures above. */
const OF_RECORDS = /** @type {readonly (Outcome | undefined)[]} */ (['quarantined', 'duplicate', 'out-of-scope']);

/**
 * `27 records, 8 codes`: the table has a row for each code of a source.
 * @param {Outcome | undefined} outcome undefined for all of them
 * @param {readonly NoticeStatus[]} notices
 * @returns {string}
 */
function describeCounted(outcome, notices) {
  const rows = formatCount(notices.length, 'row');
  if (outcome === undefined) return rows;
  const sum = notices.reduce((total, { count }) => total + count, 0);
  return `${formatCount(sum, OF_RECORDS.includes(outcome) ? 'record' : 'finding')}, ${rows}`;
}

/**
 * Whether the count is another than in the snapshot before.
 * @param {NoticeStatus} notice
 * @param {Status['snapshot']} snapshot
 * @returns {boolean}
 */
function isNew({ before }, snapshot) {
  return before !== undefined && before.snapshot === snapshot?.previous;
}

/**
 * @param {NoticeStatus} notice
 * @returns {number}
 */
function rankOf({ outcome }) {
  return RANKED.indexOf(outcome);
}

let rowCount = 0;

/**
 * The row of a code, and the one beneath it that shows its records when it is asked to.
 * @param {NoticeStatus} notice
 * @param {Status['snapshot']} snapshot
 * @returns {readonly HTMLTableRowElement[]}
 */
function describeNotice(notice, snapshot) {
  const { code, source, outcome, count, before, meaning, remedy } = notice;
  const id = `records-${++rowCount}`;
  const cell = element('td', { colspan: COLUMNS.length });
  const records = element('tr', { id, class: 'records', hidden: true }, cell);
  const button = element(
    'button',
    {
      type: 'button',
      class: 'small',
      'aria-expanded': 'false',
      'aria-controls': id,
      'aria-label': `${formatNumber(count)} records of ${code} of ${source}`,
    },
    formatNumber(count),
  );
  let isLoaded = false;
  button.addEventListener('click', () => {
    records.hidden = !records.hidden;
    button.setAttribute('aria-expanded', String(!records.hidden));
    if (isLoaded) return;
    isLoaded = true;
    cell.replaceChildren(createRecordList(notice));
  });
  const row = element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row', class: 'prose' },
      element('code', {}, code),
      ' ',
      element('span', { class: 'tag' }, source),
      element('span', { class: 'muted block' }, ...withCode(meaning)),
    ),
    element('td', { class: 'number', 'data-label': 'Records' }, button),
    element(
      'td',
      { class: 'number', 'data-label': 'Before' },
      before === undefined ? '' : formatNumber(before.count),
      isNew(notice, snapshot) &&
        element('span', { class: 'tag warning change' }, describeChange(count, before?.count ?? 0)),
    ),
    element(
      'td',
      { 'data-label': 'Outcome' },
      element('span', { class: `tag ${OUTCOMES[outcome].kind}` }, OUTCOMES[outcome].text),
    ),
    element('td', { class: 'prose', 'data-label': 'What to do' }, ...withCode(remedy)),
  );
  return [row, records];
}

/**
 * `+12`.
 * @param {number} count
 * @param {number} before
 * @returns {string}
 */
function describeChange(count, before) {
  return `${count > before ? '+' : '−'}${formatNumber(Math.abs(count - before))}`;
}

/**
 * The records of a code, a page at a time.
 * @param {NoticeStatus} notice
 * @returns {HTMLElement}
 */
function createRecordList({ code, source, count }) {
  /** @type {Notice[]} */
  const records = [];
  const list = element('div', { class: 'record-list' });
  const load = async (/** @type {string} */ target) => {
    const state = element('p', { class: 'muted', role: 'status' }, 'Reading the records …');
    list.replaceChildren(...list.children, state);
    /** @type {{ records: readonly Notice[], next?: string }} */
    let page;
    try {
      const answer = await ask(target);
      if (answer.status !== 200) {
        list.replaceChildren(
          createProblemNotice(
            answer,
            createButton('Try again', () => load(target)),
          ),
        );
        return;
      }
      page = /** @type {typeof page} */ (answer.body);
    } catch (error) {
      list.replaceChildren(
        createFailureNotice(
          error,
          createButton('Try again', () => load(target)),
        ),
      );
      return;
    }
    const isFirst = records.length === 0;
    records.push(...page.records);
    const { next } = page;
    list.replaceChildren(
      createRecordTable(`records of ${code} of ${source}`, records),
      element(
        'p',
        { class: 'row tight muted', role: 'status' },
        `${formatNumber(records.length)} of ${formatNumber(count)}`,
        next !== undefined && records.length < count && createButton('More', () => load(next)),
      ),
    );
    // The button that was pressed is gone; where it stood, reading goes on.
    if (!isFirst) list.querySelector('button')?.focus();
  };
  void load(`/status/records.json?${new URLSearchParams({ code, source }).toString()}`);
  return list;
}

/**
 * @param {string} label
 * @param {() => unknown} press
 * @returns {HTMLButtonElement}
 */
function createButton(label, press) {
  return element('button', { type: 'button', class: 'small', click: press }, label);
}
