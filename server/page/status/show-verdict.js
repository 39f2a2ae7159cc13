import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createNotice } from '../lib/problem-notice.js';
import { createAge, formatAge } from './format-age.js';
import { describePlace } from './place.js';
import { isNew } from './show-left-out.js';
import { createCommand } from './show-names.js';
import { createSourceTable } from './show-sources.js';
import { lostItsLast } from './show-without-deals.js';
import { formatNumber } from '../lib/table.js';
import { withCode } from './with-code.js';

/** @typedef {import('./read-status.js').Status} Status */
/** @typedef {import('../lib/element.js').Child} Child */
/** @typedef {NonNullable<NonNullable<Status['lastBuild']>['report']>} BuildReport */

/** How long a sound snapshot may take to be served: it is looked for every second, and a large one is read for some. */
const TAKE_UP_MS = 60_000;

/**
 * What needs attention, the worst first; or that nothing does.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showVerdict(status) {
  const notices = [
    describeSnapshot(status),
    describeCurrent(status),
    describeLastBuild(status),
    ...(status.pull?.warnings ?? []).map(({ found, remedy }) =>
      createNotice('warning', 'Look at the remote store', `${found}.`, element('p', {}, `What to do: ${remedy}.`)),
    ),
    describeChanges(status),
    ...(status.served?.sources ?? []).map((source) => describeSource(source, status.now)),
    ...status.faults.map(({ file, detail }) => createNotice('warning', `${file} cannot be shown`, detail)),
  ].filter((notice) => notice !== undefined);
  if (notices.length > 0) return notices;
  const sentence = `Every source was read, the last build went through, and the snapshot was made or confirmed within ${status.staleAfterHours} hours.`;
  return [createNotice('', 'All is well', sentence)];
}

/** @param {Status} status */
function describeSnapshot({ served, now, staleAfterHours }) {
  if (served === undefined) {
    const remedy = 'No snapshot was published, or none could be read. Run deals build, or see what deals status says.';
    return createNotice('error', 'Nothing is served', remedy);
  }
  const { stale, ageSeconds, confirmedAt } = served;
  if (!stale) return undefined;
  if (ageSeconds < 0) {
    const ahead = `It was made ${formatAge(-ageSeconds)} from now: the clock of a build was ahead, or that of this server is behind. Set it, and run deals build again.`;
    return createNotice('warning', 'The snapshot is from the future', ahead);
  }
  return createNotice(
    'warning',
    'The snapshot is old',
    `It was made ${formatAge(ageSeconds)} ago, and no build has confirmed it for more than ${staleAfterHours} hours. See why.`,
    confirmedAt !== undefined &&
      element('p', {}, 'A build last found that the sources say the same ', createAge(confirmedAt, now), '.'),
  );
}

/**
 * What is current and not served, although there was time to take it up: it is damaged, or larger than the server reads.
 * @param {Status} status
 */
function describeCurrent({ served, snapshots, currentSince, now }) {
  const current = snapshots.find(({ isCurrent }) => isCurrent);
  if (served === undefined || current === undefined || current.id === served.id) return undefined;
  const since = currentSince === undefined ? -Infinity : Date.parse(currentSince);
  if (Date.parse(now) - since <= TAKE_UP_MS) return undefined;
  return createNotice(
    'error',
    'The current snapshot is not served',
    `The store names ${current.id}, and the server still answers from ${served.id}: what it found wrong is in its log, as snapshot-refused.`,
    createCommand('deals verify', 'p', 'See what is damaged, then build again or roll back: '),
  );
}

/** @param {Status} status */
function describeLastBuild({ lastBuild, now, codes }) {
  if (lastBuild?.outcome !== 'failed' && lastBuild?.outcome !== 'refused') return undefined;
  const { outcome, message, report, accept = [], current, startedAt, seconds } = lastBuild;
  const time = element(
    'p',
    { class: 'muted small' },
    'It began ',
    createAge(startedAt, now),
    ` and took ${seconds.toFixed(1)} s.`,
  );
  if (outcome === 'failed') return createNotice('error', 'The last build did not come to its end', message, time);
  const title = 'The last build was refused';
  if (report === undefined) return createNotice('error', title, message, time);
  const refusing = report.gates.filter(({ state }) => state === 'refused');
  return createNotice(
    'error',
    title,
    'It looked wrong, so the last good snapshot stayed.',
    createList(refusing.map(({ gate, detail }) => [element('code', {}, gate), ` ${detail}`])),
    ...accept.map(({ command }) => createCommand(command, 'p', 'If that is how it should be: ')),
    element(
      'details',
      {},
      element('summary', {}, 'What it found'),
      createSourceTable('sources of the refused build', report.sources, now),
      ...describeNews(report, current, codes),
    ),
    time,
  );
}

/**
 * What the refused build reports, and the snapshot being served does not, or not as often.
 * @param {BuildReport} report
 * @param {string | undefined} current
 * @param {Status['codes']} codes
 * @returns {readonly HTMLElement[]}
 */
function describeNews({ notices }, current, codes) {
  const news = notices.filter(({ before }) => before !== undefined && before.snapshot === current);
  if (news.length === 0) return [];
  return [
    element('p', {}, 'New in it:'),
    createList(
      news.map(({ code, source, count, before, samples: [first] }) => [
        element('code', {}, code),
        ` of ${source}: ${formatNumber(count)}, ${formatNumber(before?.count ?? 0)} before; `,
        ...withCode(codes[code].meaning),
        first !== undefined && '; the first: ',
        first !== undefined && element('code', {}, describePlace(first)),
      ]),
    ),
  ];
}

/**
 * What is worse than in the snapshot before, in numbers that lead to the sections.
 * @param {Status} status
 */
function describeChanges(status) {
  const { report, productNames, changes, served } = status;
  const more = (report?.notices ?? [])
    .filter((notice) => notice.outcome === 'quarantined' && isNew(notice, status))
    .map(({ code, source, count, before }) => ({ step: count - (before?.count ?? 0), text: `${code} of ${source}` }))
    .filter(({ step }) => step > 0);
  const moreCount = more.reduce((sum, { step }) => sum + step, 0);
  const lost = (report?.withoutDeals ?? []).filter((phone) => lostItsLast(phone, status));
  const { count: goneCount, items: gone } = changes?.productsGone ?? { count: 0, items: [] };
  const held = (served?.sources ?? []).filter(({ state, held: parts = [] }) => state !== 'fresh' || parts.length > 0);
  /** @type {readonly (readonly [section: string, count: number, one: string, many: string, names: readonly string[]])[]} */
  const lines = [
    [
      'left-out',
      moreCount,
      'more record was quarantined than before',
      'more records were quarantined than before',
      more.map(({ step, text }) => `${formatNumber(step)} ${text}`),
    ],
    [
      'without-deals',
      lost.length,
      'phone had deals before and has none',
      'phones had deals before and have none',
      lost.map(({ product }) => productNames[product] ?? product),
    ],
    ['changes', goneCount, 'phone is gone', 'phones are gone', gone.map(({ name }) => name)],
    [
      'sources',
      held.length,
      'source is held, withdrawn or missing',
      'sources are held, withdrawn or missing',
      held.map(({ name }) => name),
    ],
  ];
  const shown = lines.filter(([, count]) => count > 0);
  if (shown.length === 0) return undefined;
  return createNotice(
    'warning',
    'Look at what changed',
    undefined,
    createList(
      shown.map(([section, count, one, many, names]) => [
        element('a', { href: `#${section}` }, formatCount(count, one, many)),
        `: ${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''}`,
      ]),
    ),
  );
}

/** How many names a line of the headline has. */
const SHOWN_NAMES = 5;

/**
 * @param {import('../../../data/report/report.ts').ManifestSource} source
 * @param {string} now
 */
function describeSource({ name, state, freshAt, held = [], kept }, now) {
  const because = `It ${held[0]?.because ?? 'could not be read'}.`;
  const since = freshAt !== undefined && element('p', { class: 'muted small' }, 'Last fresh ', createAge(freshAt, now));
  switch (state) {
    case 'fresh': {
      if (held.length === 0) return undefined;
      const parts = held.map(({ state: what, because: why, deals }) => [
        `${what === 'held' ? `${formatCount(deals, 'deal')} of before served` : 'Withdrawn'}: ${why}`,
      ]);
      const title = `${formatCount(held.length, 'part')} of ${name} ${held.length === 1 ? 'is' : 'are'} not served as the file has it`;
      return createNotice('warning', title, 'The rest is fresh.', createList(parts), since);
    }
    case 'carried-forward': {
      const sentence = `${because} ${formatCount(kept, 'deal')} of the snapshot before ${kept === 1 ? 'is' : 'are'} served in its place, for a while: mend it before they are withdrawn.`;
      return createNotice('warning', `${name} is held`, sentence, since);
    }
    case 'failed': {
      const title = held.length === 0 ? `${name} could not be read` : `${name} is withdrawn`;
      const sentence = 'Nothing of it is served. Below is why, and what to do.';
      return createNotice('error', title, sentence, since);
    }
    case 'absent': {
      const sentence = 'Nothing of it is served. Put the file there, or mend “files” in the configuration.';
      return createNotice('error', `${name} has no file`, sentence, since);
    }
  }
}

/** @param {readonly (readonly Child[])[]} items */
function createList(items) {
  return element('ul', { class: 'faults' }, ...items.map((children) => element('li', {}, ...children)));
}
