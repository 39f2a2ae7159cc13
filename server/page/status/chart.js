import { drawing } from '../lib/element.js';
import { formatNumber } from '../lib/table.js';

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
  const label = present.map(({ label, count }) => `${formatNumber(count)} ${label}`).join(', ');
  const bars = present.map(({ count, kind }) => ({ width: MIN_PART_WIDTH + (count / total) * free, kind }));
  return drawBar(label === '' ? 'nothing' : label, bars);
}

/**
 * A share of a limit: full when it is reached.
 * @param {string} label
 * @param {number} share 0 to 1, or more
 * @returns {SVGSVGElement}
 */
export function drawShare(label, share) {
  return drawBar(label, [{ width: Math.min(1, share) * BAR_WIDTH, kind: share > 1 ? 'quarantined' : 'kept' }]);
}

/**
 * @param {string} label
 * @param {readonly { readonly width: number, readonly kind: string }[]} bars
 * @returns {SVGSVGElement}
 */
function drawBar(label, bars) {
  let x = 0;
  const drawn = [{ width: BAR_WIDTH, kind: 'none' }, ...bars].map(({ width, kind }, i) => {
    const bar = drawing('rect', { x, y: 0, width, height: BAR_HEIGHT, class: `part ${kind}` });
    if (i > 0) x += width;
    return bar;
  });
  const viewBox = `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`;
  const attributes = { class: 'parts', viewBox, preserveAspectRatio: 'none', role: 'img', 'aria-label': label };
  return drawing('svg', attributes, ...drawn);
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
  const columns = values.map((value, i) => {
    const height = Math.max(1, (value / max) * COLUMNS_HEIGHT);
    const x = i * (COLUMN_WIDTH + COLUMN_GAP);
    const kind = i === values.length - 1 ? 'column last' : 'column';
    return drawing('rect', { x, y: COLUMNS_HEIGHT - height, width: COLUMN_WIDTH, height, rx: 1, class: kind });
  });
  const description = `${label}, oldest first: ${values.map(formatNumber).join(', ')}`;
  const viewBox = `0 0 ${width} ${COLUMNS_HEIGHT}`;
  const attributes = {
    class: 'columns',
    viewBox,
    width,
    height: COLUMNS_HEIGHT,
    role: 'img',
    'aria-label': description,
  };
  return drawing('svg', attributes, ...columns);
}
