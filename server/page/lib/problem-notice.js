import { element } from './element.js';
import { UnreachableError } from './request.js';

/** @typedef {import('./request.js').Answer} Answer */
/** @typedef {import('./request.js').Fault} Fault */

/** As many allowed words as a person would read. */
const SHOWN_WORDS = 24;

/**
 * An error of the interface as it came, with what to do about it.
 * @param {Answer} answer
 * @param {...(Node | undefined)} actions what the page offers to do
 */
export function createProblemNotice({ problem, status, headers }, ...actions) {
  const offered = actions.filter((action) => action !== undefined);
  if (problem === undefined) {
    return createNotice('error', `Status ${status}`, 'The server answered with something that is no JSON.', ...offered);
  }
  const wait = headers.get('retry-after');
  const faults = problem.errors ?? [];
  return createNotice(
    'error',
    problem.title,
    // Each fault says what the detail says.
    faults.length > 0 ? undefined : problem.detail,
    faults.length > 0 && element('ul', { class: 'faults' }, ...faults.map(describeFault)),
    wait !== null && element('p', {}, `Try again in ${wait} s.`),
    offered.length > 0 && element('p', { class: 'row' }, ...offered),
    element(
      'p',
      { class: 'muted small' },
      `${problem.status} `,
      element('a', { href: problem.type }, element('code', {}, problem.code)),
      ' explains cause and cure · request ',
      element('code', {}, problem.instance),
    ),
  );
}

/**
 * What is shown when there was no answer at all.
 * @param {unknown} error
 * @param {...Node} actions
 */
export function createFailureNotice(error, ...actions) {
  const isUnreachable = error instanceof UnreachableError;
  return createNotice(
    'error',
    isUnreachable ? 'The server cannot be reached' : 'This page met a fault of its own',
    isUnreachable
      ? 'It may be restarting, or your connection is down. What is shown may be old.'
      : error instanceof Error
        ? error.message
        : String(error),
    actions.length > 0 && element('p', { class: 'row' }, ...actions),
  );
}

/**
 * What is said: an error, what to look at, or neither.
 * @param {'' | 'warning' | 'error'} kind
 * @param {string} title
 * @param {string | undefined} sentence
 * @param {...import('./element.js').Child} rest
 */
export function createNotice(kind, title, sentence, ...rest) {
  return element(
    'div',
    { class: `notice ${kind}`, role: kind === 'error' ? 'alert' : 'status' },
    element('p', { class: 'notice-title' }, title),
    sentence !== undefined && element('p', {}, sentence),
    ...rest,
  );
}

/** @param {Fault} fault */
function describeFault({ detail, allowed, suggestion }) {
  return element(
    'li',
    {},
    detail,
    allowed !== undefined &&
      suggestion === undefined &&
      element(
        'span',
        { class: 'words' },
        ...allowed.slice(0, SHOWN_WORDS).map((word) => element('code', {}, word)),
        allowed.length > SHOWN_WORDS && ` and ${allowed.length - SHOWN_WORDS} more`,
      ),
  );
}
