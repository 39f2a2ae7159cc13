import { element } from '../lib/element.js';
import { drawColumns, drawShare } from './chart.js';
import { createAge, formatAge } from './format-age.js';
import { describeHeld } from './show-sources.js';
import { formatNumber } from '../lib/table.js';

/** @typedef {import('../../../data/report/report.ts').LastBuild} LastBuild */
/** @typedef {import('../lib/element.js').Child} Child */

/** @type {Readonly<Record<LastBuild['outcome'], { readonly text: string, readonly kind: string }>>} */
const OUTCOMES = {
  published: { text: 'published', kind: 'good' },
  unchanged: { text: 'nothing changed', kind: 'good' },
  refused: { text: 'refused', kind: 'bad' },
  failed: { text: 'failed', kind: 'bad' },
};

/**
 * The snapshot in figures, each with how it was in the snapshots before.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showFigures({ served, snapshots, lastBuild, now, staleAfterHours }) {
  if (served === undefined) return [];
  const { id, sequence, counts, ageSeconds, createdAt, confirmedAt, sources } = served;
  const countFigure = (/** @type {string} */ title, /** @type {'products' | 'deals' | 'quarantined'} */ key) => {
    const oldestFirst = snapshots.toReversed().filter((stored) => (stored.sequence ?? 0) <= sequence);
    const values = oldestFirst.flatMap((stored) => (stored.counts === undefined ? [] : [stored.counts[key]]));
    const [before, last] = values.slice(-2);
    const value = formatNumber(counts[key]);
    if (before === undefined || last === undefined) return createFigure(title, value);
    const step = element('span', { class: 'muted' }, describeStep(last - before, describeHeld(sources)));
    return createFigure(title, value, drawColumns(title, values), step);
  };
  const confirmedSeconds = confirmedAt === undefined ? ageSeconds : (Date.parse(now) - Date.parse(confirmedAt)) / 1_000;
  const soundSeconds = Math.max(0, Math.min(ageSeconds, confirmedSeconds));
  return [
    createFigure(
      'Age of the snapshot',
      ageSeconds < 0 ? `${formatAge(-ageSeconds)} ahead` : formatAge(ageSeconds),
      drawShare(`${formatAge(soundSeconds)} of ${staleAfterHours} hours`, soundSeconds / (staleAfterHours * 3_600)),
      element('code', {}, id),
      confirmedAt !== undefined &&
        confirmedAt !== createdAt &&
        element('span', {}, 'Confirmed ', createAge(confirmedAt, now)),
    ),
    countFigure('Products', 'products'),
    countFigure('Deals', 'deals'),
    countFigure('Quarantined', 'quarantined'),
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
