import { createCopyButton } from '../lib/copy-button.js';
import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createAge, formatAge } from './format-age.js';
import { describePlace } from './place.js';
import { createSourceTable } from './show-sources.js';
import { formatNumber } from './table.js';
import { withCode } from './with-code.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../status/status.ts').SourceStatus} SourceStatus */
/** @typedef {import('../../status/status.ts').LastBuildStatus} LastBuildStatus */

/** How long a sound snapshot may take to be served: it is looked for every second, and a large one is read for some. */
const TAKE_UP_MS = 60_000;

const VERIFY = 'deals verify';

/**
 * What needs attention, the worst first; or that nothing does.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showVerdict(status) {
  const notices = [
    ...describeSnapshot(status),
    ...describeCurrent(status),
    ...describeLastBuild(status),
    ...describePull(status),
    ...describeChanges(status),
    ...status.sources.flatMap((source) => describeSource(source, status.now)),
    ...status.faults.map(({ file, detail }) => createWarning(`${file} cannot be shown`, detail)),
  ];
  if (notices.length > 0) return notices;
  return [
    element(
      'div',
      { class: 'notice' },
      element('p', { class: 'notice-title' }, 'All is well'),
      element(
        'p',
        {},
        `Every source was read, the last build went through, and the snapshot was made or confirmed within ${status.snapshot?.staleAfterHours} hours.`,
      ),
    ),
  ];
}

/**
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
function describeSnapshot({ snapshot, now }) {
  if (snapshot === undefined) {
    return [
      createError(
        'Nothing is served',
        'No snapshot was published, or none could be read. Run deals build, or see what deals doctor says.',
      ),
    ];
  }
  if (!snapshot.stale) return [];
  if (snapshot.ageSeconds < 0) {
    const ahead = `It was made ${formatAge(-snapshot.ageSeconds)} from now: the clock of a build was ahead, or that of this server is behind. Set it, and run deals build again.`;
    return [createWarning('The snapshot is from the future', ahead)];
  }
  const sentence = `It was made ${formatAge(snapshot.ageSeconds)} ago, and no build has confirmed it for more than ${snapshot.staleAfterHours} hours. See why.`;
  if (snapshot.confirmedAt === undefined) return [createWarning('The snapshot is old', sentence)];
  return [
    createWarning(
      'The snapshot is old',
      sentence,
      element('p', {}, 'A build last found that the sources say the same ', createAge(snapshot.confirmedAt, now), '.'),
    ),
  ];
}

/**
 * What is current and not served, although there was time to take it up: it is damaged, or larger than the server reads.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
function describeCurrent({ snapshot, snapshots, now }) {
  const current = snapshots.find(({ isCurrent }) => isCurrent);
  if (snapshot === undefined || current === undefined || current.isServed) return [];
  const since = current.currentSince === undefined ? -Infinity : Date.parse(current.currentSince);
  if (Date.parse(now) - since <= TAKE_UP_MS) return [];
  return [
    createError(
      'The current snapshot is not served',
      `The store names ${current.id}, and the server still answers from ${snapshot.id}: what it found wrong is in its log, as snapshot-refused.`,
      element(
        'p',
        { class: 'row tight' },
        'See what is damaged, then build again or roll back: ',
        element('code', { class: 'command' }, VERIFY),
        createCopyButton('Copy', () => VERIFY),
      ),
    ),
  ];
}

/**
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
function describeLastBuild({ lastBuild, now }) {
  if (lastBuild === undefined) return [];
  switch (lastBuild.outcome) {
    case 'published':
    case 'unchanged':
    case 'dry-run':
      return [];
    case 'failed':
      return [createError('The last build did not come to its end', lastBuild.message, describeTime(lastBuild, now))];
    case 'refused':
      return [
        createError(
          'The last build was refused',
          'It looked wrong, so the last good snapshot stayed.',
          ...describeRefusal(lastBuild, now),
          describeTime(lastBuild, now),
        ),
      ];
  }
}

/**
 * Why it was refused, and how to publish it all the same.
 * @param {LastBuildStatus} lastBuild
 * @param {string} now
 * @returns {readonly HTMLElement[]}
 */
function describeRefusal({ refused, message, current }, now) {
  if (refused === undefined) return [element('p', {}, message)];
  const refusing = refused.gates.filter(({ state }) => state === 'refused');
  const { acceptCommand } = refused;
  return [
    element(
      'ul',
      { class: 'faults' },
      ...refusing.map(({ gate, detail }) => element('li', {}, element('code', {}, gate), ` ${detail}`)),
    ),
    ...(acceptCommand === undefined
      ? []
      : [
          element(
            'p',
            { class: 'row tight' },
            'If that is how it should be: ',
            element('code', { class: 'command' }, acceptCommand),
            createCopyButton('Copy', () => acceptCommand),
          ),
        ]),
    element(
      'details',
      {},
      element('summary', {}, 'What it found'),
      createSourceTable('sources of the refused build', refused.sources, now),
      ...describeNews(refused, current),
    ),
  ];
}

/**
 * What the refused build reports and the snapshot being served does not, or not as often, and the other way round.
 * @param {NonNullable<LastBuildStatus['refused']>} refused
 * @param {string | undefined} current
 * @returns {readonly HTMLElement[]}
 */
function describeNews({ notices, goneNotices }, current) {
  const news = notices.filter(({ before }) => before !== undefined && before.snapshot === current);
  if (news.length + goneNotices.length === 0) return [];
  return [
    element('p', {}, 'New in it:'),
    element(
      'ul',
      { class: 'faults' },
      ...news.map(({ code, source, count, before, meaning, samples }) =>
        element(
          'li',
          {},
          element('code', {}, code),
          ` of ${source}: ${formatNumber(count)}, ${formatNumber(before?.count ?? 0)} before; `,
          ...withCode(meaning),
          samples[0] !== undefined && '; the first: ',
          samples[0] !== undefined && element('code', {}, describePlace(samples[0])),
        ),
      ),
      ...goneNotices.map(({ code, source, count }) =>
        element('li', {}, element('code', {}, code), ` of ${source}: none, ${formatNumber(count)} before`),
      ),
    ),
  ];
}

/**
 * @param {LastBuildStatus} lastBuild
 * @param {string} now
 * @returns {HTMLElement}
 */
function describeTime({ startedAt, seconds }, now) {
  return element(
    'p',
    { class: 'muted small' },
    'It began ',
    createAge(startedAt, now),
    ` and took ${seconds.toFixed(1)} s.`,
  );
}

/**
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
function describePull({ pull }) {
  return (pull?.warnings ?? []).map(({ found, remedy }) =>
    createWarning('Look at the object store', `${found}.`, element('p', {}, `What to do: ${remedy}.`)),
  );
}

/** How many names a line of the headline has. */
const SHOWN_NAMES = 5;

/**
 * What is worse than in the snapshot before, in numbers that lead to the sections.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
function describeChanges({ notices, snapshot, sources, withoutDeals, changes }) {
  const more = notices.flatMap(({ code, source, outcome, count, before }) => {
    if (outcome !== 'quarantined' || before === undefined || before.snapshot !== snapshot?.previous) return [];
    return count > before.count ? [{ count: count - before.count, text: `${code} of ${source}` }] : [];
  });
  const moreCount = more.reduce((sum, { count }) => sum + count, 0);
  const lost = (withoutDeals?.items ?? []).filter(({ isNew }) => isNew);
  const gone = changes?.productsGone;
  const held = sources.filter(({ state }) => state !== 'fresh').map(({ name }) => name);
  const lines = [
    moreCount > 0 &&
      createLine(
        'left-out',
        moreCount,
        `more ${moreCount === 1 ? 'record was' : 'records were'} quarantined than before`,
        more.map(({ count, text }) => `${formatNumber(count)} ${text}`),
      ),
    lost.length > 0 &&
      createLine(
        'without-deals',
        lost.length,
        `${lost.length === 1 ? 'phone' : 'phones'} had deals before and ${lost.length === 1 ? 'has' : 'have'} none`,
        lost.map(({ name }) => name),
      ),
    gone !== undefined &&
      gone.count > 0 &&
      createLine(
        'changes',
        gone.count,
        `${gone.count === 1 ? 'phone is' : 'phones are'} gone`,
        gone.items.map(({ name }) => name),
      ),
    held.length > 0 &&
      createLine(
        'sources',
        held.length,
        `${held.length === 1 ? 'source is' : 'sources are'} held, withdrawn or missing`,
        held,
      ),
  ].filter((line) => line !== false);
  if (lines.length === 0) return [];
  return [
    createWarning(
      'Look at what changed',
      'Compared with the snapshot before:',
      element('ul', { class: 'faults' }, ...lines),
    ),
  ];
}

/**
 * `2 phones are gone: Acme One, Acme Two`, the number a link.
 * @param {string} section
 * @param {number} count
 * @param {string} text
 * @param {readonly string[]} names
 * @returns {HTMLElement}
 */
function createLine(section, count, text, names) {
  const shown = names.slice(0, SHOWN_NAMES);
  const rest = count > shown.length && names.length > shown.length ? ', …' : '';
  return element(
    'li',
    {},
    element('a', { href: `#${section}` }, `${formatNumber(count)} ${text}`),
    `: ${shown.join(', ')}${rest}`,
  );
}

/**
 * @param {SourceStatus} source
 * @param {string} now
 * @returns {readonly HTMLElement[]}
 */
function describeSource({ name, state, freshAt, heldBecause, kept }, now) {
  const because = `${heldBecause ?? 'It could not be read'}.`;
  const since =
    freshAt === undefined ? [] : [element('p', { class: 'muted small' }, 'Last fresh ', createAge(freshAt, now))];
  switch (state) {
    case 'fresh':
      return [];
    case 'carried-forward':
      return [
        createWarning(
          `${name} is held`,
          `${because} ${formatCount(kept, 'deal')} of the snapshot before ${kept === 1 ? 'is' : 'are'} served in its place, for a while: mend it before they are withdrawn.`,
          ...since,
        ),
      ];
    case 'failed':
      return [
        createError(
          heldBecause === undefined ? `${name} could not be read` : `${name} is withdrawn`,
          `${heldBecause === undefined ? '' : `${because} `}Nothing of it is served. Below is why, and what to do.`,
          ...since,
        ),
      ];
    case 'absent':
      return [
        createError(
          `${name} has no file`,
          'Nothing of it is served. Put the file there, or mend “files” in the configuration.',
          ...since,
        ),
      ];
  }
}

/**
 * @param {string} title
 * @param {string} sentence
 * @param {...Node} rest
 * @returns {HTMLElement}
 */
function createWarning(title, sentence, ...rest) {
  return createNotice('warning', title, sentence, rest);
}

/**
 * @param {string} title
 * @param {string} sentence
 * @param {...Node} rest
 * @returns {HTMLElement}
 */
function createError(title, sentence, ...rest) {
  return createNotice('error', title, sentence, rest);
}

/**
 * @param {'warning' | 'error'} kind
 * @param {string} title
 * @param {string} sentence
 * @param {readonly Node[]} rest
 * @returns {HTMLElement}
 */
function createNotice(kind, title, sentence, rest) {
  return element(
    'div',
    { class: `notice ${kind}` },
    element('p', { class: 'notice-title' }, title),
    element('p', {}, sentence),
    ...rest,
  );
}
