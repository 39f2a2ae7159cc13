import { element } from '../lib/element.js';
import { drawColumns, drawShare } from './chart.js';
import { createAge, formatAge } from './format-age.js';
import { describeHeld } from './show-sources.js';
import { formatNumber } from './table.js';

/** @typedef {import('../../status/status.ts').Status} Status */
/** @typedef {import('../../status/status.ts').LastBuildStatus} LastBuildStatus */
/** @typedef {import('../lib/element.js').Child} Child */

/** @type {Readonly<Record<LastBuildStatus['outcome'], { readonly text: string, readonly kind: string }>>} */
const OUTCOMES = {
  published: { text: 'published', kind: 'good' },
  unchanged: { text: 'nothing changed', kind: 'good' },
  refused: { text: 'refused', kind: 'bad' },
  failed: { text: 'failed', kind: 'bad' },
  'dry-run': { text: 'dry run', kind: '' },
};

/**
 * The snapshot in figures, each with how it was in the snapshots before.
 * @param {Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showFigures({ snapshot, snapshots, sources, lastBuild, now }) {
  if (snapshot === undefined) return [];
  const held = describeHeld(sources);
  const oldestFirst = snapshots.toReversed().filter(({ sequence = 0 }) => sequence <= snapshot.sequence);
  const trend = (/** @type {string} */ label, /** @type {'products' | 'deals' | 'quarantined'} */ key) => {
    const values = oldestFirst.map((stored) => stored[key]).filter((value) => value !== undefined);
    const [before, now] = values.slice(-2);
    if (before === undefined || now === undefined) return [];
    return [drawColumns(label, values), element('span', { class: 'muted' }, describeStep(now - before, held))];
  };
  const { counts, ageSeconds, staleAfterHours, createdAt, confirmedAt, id } = snapshot;
  const confirmedSeconds = confirmedAt === undefined ? ageSeconds : (Date.parse(now) - Date.parse(confirmedAt)) / 1_000;
  const soundSeconds = Math.max(0, Math.min(ageSeconds, confirmedSeconds));
  return [
    createFigure(
      'Age of the snapshot',
      ageSeconds < 0 ? `${formatAge(-ageSeconds)} ahead` : formatAge(ageSeconds),
      drawShare(`${formatAge(soundSeconds)} of ${staleAfterHours} hours`, soundSeconds / (staleAfterHours * 3_600)),
      element('span', {}, element('code', {}, id)),
      confirmedAt === undefined || confirmedAt === createdAt
        ? undefined
        : element('span', {}, 'Confirmed ', createAge(confirmedAt, now)),
    ),
    createFigure('Products', formatNumber(counts.products), ...trend('Products', 'products')),
    createFigure('Deals', formatNumber(counts.deals), ...trend('Deals', 'deals')),
    createFigure('Quarantined', formatNumber(counts.quarantined), ...trend('Quarantined records', 'quarantined')),
    lastBuild === undefined
      ? createFigure('Last build', 'unknown')
      : createFigure(
          'Last build',
          element('span', { class: `tag ${OUTCOMES[lastBuild.outcome].kind}` }, OUTCOMES[lastBuild.outcome].text),
          element('span', {}, createAge(lastBuild.startedAt, now), ` in ${lastBuild.seconds.toFixed(1)} s`),
        ),
  ];
}

/**
 * @param {number} step
 * @param {readonly string[]} held what is fewer while a source is held has not been mended
 * @returns {string}
 */
function describeStep(step, held) {
  if (step === 0) return 'as many as before';
  const change = `${formatNumber(Math.abs(step))} ${step > 0 ? 'more' : 'fewer'} than before`;
  return step > 0 ? change : [change, ...held].join('; ');
}

/**
 * @param {string} label
 * @param {Child} value
 * @param {...Child} rest
 * @returns {HTMLElement}
 */
function createFigure(label, value, ...rest) {
  return element(
    'div',
    { class: 'panel figure' },
    element('h2', {}, label),
    element('p', { class: 'value' }, value),
    ...rest,
  );
}
