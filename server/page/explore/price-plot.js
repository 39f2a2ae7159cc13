import { drawing, element } from '../lib/element.js';
import { createScale } from './scale.js';
import { formatMoney, formatPrice } from './show-text.js';

/** @typedef {import('./answer-types.ts').Deal} Deal */
/** @typedef {import('./scale.js').Scale} Scale */
/** @typedef {{ readonly x: number, readonly y: number, readonly mark: SVGElement }} Point */

const HEIGHT = 300;
const EDGE = { top: 14, right: 16, bottom: 44, left: 58 };

/** Room for marks that lie on the frame, as many do: nothing upfront is the most frequent price. */
const INSET = 10;

/** How near to a point, in pixels, is at it. */
const NEAR = 28;

/**
 * What the shapes of the marks tell apart.
 * @typedef {object} Grouping
 * @property {readonly string[]} keys the groups; the first has the first shape
 * @property {(deal: Deal) => string} keyOf
 * @property {(key: string) => string} labelOf
 * @property {string} rest what the last shape stands for when there are more groups than shapes
 * @property {string} where where else the deals are to be read
 * @property {boolean} isOfLengths whether a group has one contract length, and so a line of equal total cost
 */

/** The most groups that have a shape of their own; the last stands for all others. */
const SHAPES = ['circle', 'triangle', 'square', 'diamond'];

/**
 * Groups deals by contract length, the most frequent first.
 * @param {readonly Deal[]} deals
 * @returns {Grouping}
 */
export function groupByLength(deals) {
  return {
    keys: rankLengths(deals),
    keyOf: ({ contractLength }) => contractLength,
    labelOf: (key) => deals.find(({ contractLength }) => contractLength === key)?.friendlyContractLength ?? '',
    rest: 'other lengths',
    where: 'The table below has them all.',
    isOfLengths: true,
  };
}

/**
 * Plots deals by upfront and monthly cost.
 * @param {readonly Deal[]} deals
 * @param {string} currency
 * @param {Grouping} groups
 * @param {{ readonly onPoint: (index: number | undefined) => void, readonly onChoose: (index: number) => void }} events
 * @returns {{ readonly element: HTMLElement, readonly mark: (index: number | undefined) => void }}
 */
export function createPricePlot(deals, currency, groups, { onPoint, onChoose }) {
  const svg = drawing('svg', { class: 'plot', role: 'img', 'aria-label': describePlot(deals, currency, groups) });
  const hint = `Point at a deal to read it. ${groups.where}`;
  const readout = element('p', { class: 'readout', 'aria-hidden': 'true' }, hint);
  /** @type {readonly Point[]} */
  let points = [];

  const mark = (/** @type {number | undefined} */ marked) => {
    for (const [index, point] of points.entries()) point.mark.classList.toggle('marked', index === marked);
    const deal = marked === undefined ? undefined : deals[marked];
    readout.textContent = deal === undefined ? hint : describeDeal(deal, currency, groups);
    // Over its neighbours.
    const point = marked === undefined ? undefined : points[marked];
    if (point !== undefined) point.mark.parentNode?.append(point.mark);
  };

  const nearest = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const { left, top } = svg.getBoundingClientRect();
    return findNearest(points, event.clientX - left, event.clientY - top);
  };
  svg.addEventListener('pointermove', (event) => onPoint(nearest(event)));
  svg.addEventListener('pointerleave', () => onPoint(undefined));
  svg.addEventListener('click', (event) => {
    const index = nearest(event);
    if (index !== undefined) onChoose(index);
  });

  let drawnWidth = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    points = draw(svg, deals, groups, currency, width);
  }).observe(svg);

  return {
    element: element('figure', { class: 'plot-frame' }, svg, createLegend(deals, groups, currency), readout),
    mark,
  };
}

/**
 * The contract lengths, the most frequent first.
 * @param {readonly Deal[]} deals
 * @returns {readonly string[]}
 */
function rankLengths(deals) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { contractLength } of deals) counts.set(contractLength, (counts.get(contractLength) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || Number(a) - Number(b)).map(([length]) => length);
}

/**
 * @param {SVGSVGElement} svg
 * @param {readonly Deal[]} deals
 * @param {Grouping} groups
 * @param {string} currency
 * @param {number} width
 * @returns {readonly Point[]}
 */
function draw(svg, deals, groups, currency, width) {
  const upfront = createScale(
    deals.map(({ productUpfrontCost }) => Number(productUpfrontCost)),
    EDGE.left + INSET,
    width - EDGE.right - INSET,
    Math.max(3, Math.floor(width / 110)),
  );
  const monthly = createScale(
    deals.map(({ supplierContractPrice }) => Number(supplierContractPrice)),
    HEIGHT - EDGE.bottom,
    EDGE.top,
    5,
  );
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  const points = deals.map((deal) => {
    const x = upfront.place(Number(deal.productUpfrontCost));
    const y = monthly.place(Number(deal.supplierContractPrice));
    return { x, y, mark: drawMark(shapeOf(groups.keyOf(deal), groups), x, y) };
  });
  const cheapest = findCheapest(deals);
  points[cheapest ?? -1]?.mark.classList.add('cheapest');
  svg.replaceChildren(
    ...upfront.ticks.map((tick) =>
      drawing('line', {
        class: 'grid',
        x1: upfront.place(tick),
        x2: upfront.place(tick),
        y1: EDGE.top,
        y2: HEIGHT - EDGE.bottom,
      }),
    ),
    ...monthly.ticks.map((tick) =>
      drawing('line', {
        class: 'grid',
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: monthly.place(tick),
        y2: monthly.place(tick),
      }),
    ),
    ...upfront.ticks.map((tick) =>
      drawing(
        'text',
        { x: upfront.place(tick), y: HEIGHT - EDGE.bottom + 18, 'text-anchor': 'middle' },
        formatMoney(tick, currency),
      ),
    ),
    ...monthly.ticks.map((tick) =>
      drawing(
        'text',
        { x: EDGE.left - 8, y: monthly.place(tick) + 4, 'text-anchor': 'end' },
        formatMoney(tick, currency),
      ),
    ),
    drawing('text', { class: 'axis', x: width - EDGE.right, y: HEIGHT - 6, 'text-anchor': 'end' }, 'upfront →'),
    drawing(
      'text',
      { class: 'axis', x: 14, y: EDGE.top, 'text-anchor': 'end', transform: `rotate(-90 14 ${EDGE.top})` },
      'a month →',
    ),
    groups.isOfLengths ? drawEqualTotal(deals, groups, upfront, monthly) : drawing('g'),
    drawing('g', { class: 'points' }, ...points.map((point) => point.mark)),
  );
  return points;
}

/**
 * The line on which a deal of the most frequent length costs in all what the cheapest of that length does: below it there
 * is none of them.
 * @param {readonly Deal[]} deals
 * @param {Grouping} groups
 * @param {Scale} upfront
 * @param {Scale} monthly
 * @returns {SVGElement}
 */
function drawEqualTotal(deals, { keys: [length] }, upfront, monthly) {
  const cheapest = findCheapestOf(deals, length);
  const months = Number(length);
  if (cheapest === undefined || !(months > 0)) return drawing('g');
  const total = Number(cheapest.productUpfrontCost) + months * Number(cheapest.supplierContractPrice);
  // Where the line meets the frame.
  const ends = [upfront.low, upfront.high].map((cost) => {
    const price = Math.min(monthly.high, Math.max(monthly.low, (total - cost) / months));
    return { x: upfront.place(total - price * months), y: monthly.place(price) };
  });
  return drawing('line', { class: 'equal-total', x1: ends[0]?.x, y1: ends[0]?.y, x2: ends[1]?.x, y2: ends[1]?.y });
}

/**
 * @param {string} key
 * @param {Grouping} groups
 * @returns {string}
 */
function shapeOf(key, { keys }) {
  return SHAPES[Math.min(keys.indexOf(key), SHAPES.length - 1)] ?? 'circle';
}

/**
 * @param {string} shape
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement}
 */
function drawMark(shape, x, y) {
  const at = { class: `mark ${shape}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` };
  switch (shape) {
    case 'triangle':
      return drawing('path', { ...at, d: 'M0 -5.5L5 4H-5Z' });
    case 'square':
      return drawing('rect', { ...at, x: -4, y: -4, width: 8, height: 8 });
    case 'diamond':
      return drawing('path', { ...at, d: 'M0 -5.5L5.5 0L0 5.5L-5.5 0Z' });
    default:
      return drawing('circle', { ...at, r: 4.5 });
  }
}

/**
 * @param {readonly Deal[]} deals
 * @param {Grouping} groups
 * @param {string} currency
 * @returns {HTMLElement}
 */
function createLegend(deals, groups, currency) {
  const { keys, labelOf } = groups;
  const shapes = keys.slice(0, SHAPES.length).map((key, index) => {
    const isRest = index === SHAPES.length - 1 && keys.length > SHAPES.length;
    return element('li', {}, createGroupKey(index), isRest ? groups.rest : labelOf(key));
  });
  const best = deals[findCheapest(deals) ?? -1];
  const bestMark = drawMark(best === undefined ? '' : shapeOf(groups.keyOf(best), groups), 0, 0);
  bestMark.classList.add('cheapest');
  return element(
    'ul',
    { class: 'legend' },
    ...shapes,
    element('li', {}, createKey(bestMark), 'cheapest in all'),
    groups.isOfLengths && createEqualTotalKey(findCheapestOf(deals, keys[0]), currency),
  );
}

/**
 * @param {Deal | undefined} cheapest
 * @param {string} currency
 * @returns {HTMLElement | false}
 */
function createEqualTotalKey(cheapest, currency) {
  return (
    cheapest !== undefined &&
    element(
      'li',
      {},
      drawing(
        'svg',
        { viewBox: '0 0 20 16', width: 20, height: 16, 'aria-hidden': 'true' },
        drawing('line', { class: 'equal-total', x1: 1, y1: 4, x2: 19, y2: 12 }),
      ),
      `${formatPrice(cheapest.totalDealCost, currency)} in all over ${cheapest.friendlyContractLength}`,
    )
  );
}

/**
 * The shape of a group, by its place.
 * @param {number} index
 * @returns {SVGSVGElement}
 */
export function createGroupKey(index) {
  return createKey(drawMark(SHAPES[Math.min(index, SHAPES.length - 1)] ?? '', 0, 0));
}

/**
 * A mark and its meaning.
 * @param {SVGElement} mark
 * @returns {SVGSVGElement}
 */
function createKey(mark) {
  return drawing('svg', { viewBox: '-8 -8 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, mark);
}

/**
 * @param {readonly Deal[]} deals
 * @returns {number | undefined} undefined when there is none
 */
function findCheapest(deals) {
  const totals = deals.map(({ totalDealCost }) => Number(totalDealCost));
  const index = totals.indexOf(Math.min(...totals));
  return index === -1 ? undefined : index;
}

/**
 * @param {readonly Deal[]} deals
 * @param {string | undefined} length
 * @returns {Deal | undefined}
 */
function findCheapestOf(deals, length) {
  const candidates = deals.filter(({ contractLength }) => contractLength === length);
  return candidates[findCheapest(candidates) ?? -1];
}

/**
 * @param {readonly Point[]} points
 * @param {number} x
 * @param {number} y
 * @returns {number | undefined}
 */
function findNearest(points, x, y) {
  const distances = points.map((point) => Math.hypot(point.x - x, point.y - y));
  const least = Math.min(...distances);
  return least <= NEAR ? distances.indexOf(least) : undefined;
}

/**
 * @param {Deal} deal
 * @param {string} currency
 * @param {Grouping} groups
 * @returns {string}
 */
function describeDeal(deal, currency, groups) {
  return [
    ...(groups.isOfLengths ? [] : [groups.labelOf(groups.keyOf(deal))]),
    `${deal.contractSupplierName} at ${deal.supplierName}`,
    `${formatPrice(deal.supplierContractPrice, currency)} a month`,
    `${formatPrice(deal.productUpfrontCost, currency)} upfront`,
    deal.friendlyContractLength,
    deal.friendlyDataAllowance,
    `${formatPrice(deal.totalDealCost, currency)} in all`,
  ].join(' · ');
}

/**
 * @param {readonly Deal[]} deals
 * @param {string} currency
 * @param {Grouping} groups
 * @returns {string}
 */
function describePlot(deals, currency, groups) {
  const range = (/** @type {readonly Deal[]} */ some, /** @type {(deal: Deal) => string} */ amountOf) => {
    const values = some.map(amountOf).map(Number);
    return `${formatMoney(Math.min(...values), currency)} to ${formatMoney(Math.max(...values), currency)}`;
  };
  const describe = (/** @type {readonly Deal[]} */ some) => {
    const monthly = range(some, ({ supplierContractPrice }) => supplierContractPrice);
    return `${monthly} a month, ${range(some, ({ productUpfrontCost }) => productUpfrontCost)} upfront`;
  };
  const parts = groups.isOfLengths
    ? [describe(deals)]
    : groups.keys.map(
        (key) => `${groups.labelOf(key)} ${describe(deals.filter((deal) => groups.keyOf(deal) === key))}`,
      );
  return `Monthly against upfront price of ${deals.length} deals: ${parts.join('; ')}. ${groups.where}`;
}
