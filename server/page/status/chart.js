import { drawing } from '../lib/element.js';
import { formatNumber } from './table.js';

/** A part of a whole; `kind` names its colour in status.css. @typedef {{ readonly label: string, readonly count: number, readonly kind: string }} Part */

const BAR_WIDTH = 200;
const BAR_HEIGHT = 10;
/** What is there is seen, however little it is. */
const MIN_PART_WIDTH = 3;

/**
 * A whole as a bar of its parts.
 * @param {readonly Part[]} parts
 * @returns {SVGSVGElement}
 */
export function drawParts(parts) {
  const present = parts.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const free = BAR_WIDTH - present.length * MIN_PART_WIDTH;
  let x = 0;
  const bars = present.map(({ count, kind }) => {
    const width = MIN_PART_WIDTH + (count / total) * free;
    const bar = drawing('rect', { x, y: 0, width, height: BAR_HEIGHT, class: `part ${kind}` });
    x += width;
    return bar;
  });
  const label = present.map(({ label, count }) => `${formatNumber(count)} ${label}`).join(', ');
  return drawing(
    'svg',
    {
      class: 'parts',
      viewBox: `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label === '' ? 'nothing' : label,
    },
    drawing('rect', { x: 0, y: 0, width: BAR_WIDTH, height: BAR_HEIGHT, class: 'part none' }),
    ...bars,
  );
}

const COLUMN_WIDTH = 10;
const COLUMN_GAP = 4;
const COLUMNS_HEIGHT = 40;

/**
 * A figure over time as columns from zero, the last one marked.
 * @param {string} label what the figure is
 * @param {readonly number[]} values oldest first
 * @returns {SVGSVGElement}
 */
export function drawColumns(label, values) {
  const max = Math.max(1, ...values);
  const width = values.length * (COLUMN_WIDTH + COLUMN_GAP) - COLUMN_GAP;
  return drawing(
    'svg',
    {
      class: 'columns',
      viewBox: `0 0 ${Math.max(width, 1)} ${COLUMNS_HEIGHT}`,
      width: Math.max(width, 1),
      height: COLUMNS_HEIGHT,
      role: 'img',
      'aria-label': `${label}, oldest first: ${values.map(formatNumber).join(', ')}`,
    },
    ...values.map((value, i) => {
      const height = Math.max(1, (value / max) * COLUMNS_HEIGHT);
      return drawing('rect', {
        x: i * (COLUMN_WIDTH + COLUMN_GAP),
        y: COLUMNS_HEIGHT - height,
        width: COLUMN_WIDTH,
        height,
        rx: 1,
        class: i === values.length - 1 ? 'column last' : 'column',
      });
    }),
  );
}

/**
 * A share of a limit: full when it is reached.
 * @param {string} label
 * @param {number} share 0 to 1, or more
 * @returns {SVGSVGElement}
 */
export function drawShare(label, share) {
  const width = Math.min(1, share) * BAR_WIDTH;
  return drawing(
    'svg',
    {
      class: 'parts',
      viewBox: `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    drawing('rect', { x: 0, y: 0, width: BAR_WIDTH, height: BAR_HEIGHT, class: 'part none' }),
    drawing('rect', { x: 0, y: 0, width, height: BAR_HEIGHT, class: share > 1 ? 'part quarantined' : 'part kept' }),
  );
}
