import { drawing, element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createTable, formatNumber } from '../lib/table.js';
import { formatMoney, formatPrice } from './show-text.js';

/** @typedef {import('./answer-types.ts').PriceHistory} PriceHistory */
/** @typedef {PriceHistory['points'][number]} PricePoint */

/**
 * The days from one point to the next. The cost is undefined without a deal.
 * @typedef {{ readonly point: PricePoint, readonly from: number, readonly to: number, readonly cost: number | undefined }} Span
 */

const DAY_MS = 86_400_000;
const HEIGHT = 240;
const EDGE = { top: 14, right: 16, bottom: 34, left: 58 };
const INSET = 8;

/** How many days may be between two dates under the chart. */
const DAY_STEPS = [1, 2, 7, 14, 28, 56, 91, 182];

/**
 * The price of a phone day by day as a step chart, with the lowest marked, and a table of the same.
 * @param {PriceHistory} history
 * @param {string} currency
 * @param {string | undefined} today `2026-08-01`, the day until which the last point holds
 * @returns {HTMLElement | undefined} undefined where no day has a deal
 */
export function createPriceHistory({ points, lowest }, currency, today) {
  const spans = listSpans(points, today);
  if (lowest === undefined || spans.length === 0) return undefined;
  const label = describeHistory(spans, lowest, currency);
  const part = (/** @type {Node[]} */ ...children) =>
    element(
      'section',
      { class: 'history-part', 'aria-labelledby': 'history-title' },
      element('h2', { id: 'history-title' }, 'Price history'),
      ...children,
    );
  const [only] = spans;
  if (spans.length === 1 && only !== undefined) {
    return part(element('p', {}, `Since ${formatDay(only.from)}: ${describePoint(only.point, currency)}.`));
  }
  const svg = drawing('svg', { class: 'plot', role: 'img', 'aria-label': label });
  let drawnWidth = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width === drawnWidth || width === 0) return;
    drawnWidth = width;
    draw(svg, spans, lowest, currency, width);
  }).observe(svg);
  const isGapped = spans.some(({ cost }) => cost === undefined);
  return part(
    element(
      'figure',
      { class: 'panel' },
      svg,
      element(
        'ul',
        { class: 'legend muted small' },
        element(
          'li',
          {},
          createKey(drawing('path', { class: 'price-line', d: 'M1 4H9V12H19' })),
          'cheapest deal in all, without filters',
        ),
        element(
          'li',
          {},
          createKey(drawing('circle', { class: 'lowest-mark', cx: 10, cy: 8, r: 4.5 })),
          `lowest: ${formatPrice(lowest.totalContractCost, currency)} on ${formatDay(toDay(lowest.date))}`,
        ),
        isGapped &&
          element(
            'li',
            {},
            createKey(drawing('rect', { class: 'gap', x: 2, y: 2, width: 16, height: 12 })),
            'no deals',
          ),
      ),
    ),
    createPriceTable(points, lowest, currency),
  );
}

/**
 * The days of each point: from its date to that of the next, and the last one until the end of today.
 * @param {readonly PricePoint[]} points oldest first
 * @param {string | undefined} today
 */
export function listSpans(points, today) {
  return points.map((point, index) => {
    const from = toDay(point.date);
    const next = points[index + 1];
    const to = next === undefined ? Math.max(from, toDay(today ?? point.date)) + 1 : toDay(next.date);
    return { point, from, to, cost: point.dealCount === 0 ? undefined : point.totalContractCost };
  });
}

/**
 * The line through the costs: level for the days of a point, upright from one to the next, broken where there is no deal.
 * @param {readonly Span[]} spans
 * @param {(day: number) => number} x
 * @param {(cost: number) => number} y
 * @returns {string} the commands of a path
 */
export function writeSteps(spans, x, y) {
  let isDrawn = false;
  return spans
    .map(({ from, to, cost }) => {
      if (cost === undefined) {
        isDrawn = false;
        return '';
      }
      const height = round(y(cost));
      const step = isDrawn ? `V${height}H${round(x(to))}` : `M${round(x(from))} ${height}H${round(x(to))}`;
      isDrawn = true;
      return step;
    })
    .join('');
}

/**
 * @param {SVGSVGElement} svg
 * @param {readonly Span[]} spans
 * @param {{ readonly date: string, readonly totalContractCost: number }} lowest
 * @param {string} currency
 * @param {number} width
 */
function draw(svg, spans, lowest, currency, width) {
  const first = spans[0]?.from ?? 0;
  const end = spans.at(-1)?.to ?? first + 1;
  const left = EDGE.left + INSET;
  const right = width - EDGE.right - INSET;
  const bottom = HEIGHT - EDGE.bottom;
  const x = (/** @type {number} */ day) => left + ((day - first) / (end - first)) * (right - left);
  const isShort = end - first < 300;
  const dayCount = Math.max(2, Math.floor((right - left) / (isShort ? 70 : 100)));
  const costs = spans.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const scale = createScale(costs, bottom - INSET, EDGE.top, 4);
  svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
  svg.replaceChildren(
    ...spans
      .filter(({ cost }) => cost === undefined)
      .map(({ from, to }) =>
        drawing('rect', {
          class: 'gap',
          x: round(x(from)),
          y: EDGE.top,
          width: round(x(to) - x(from)),
          height: bottom - EDGE.top,
        }),
      ),
    ...scale.ticks.flatMap((tick) => [
      drawing('line', {
        class: 'grid',
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: scale.place(tick),
        y2: scale.place(tick),
      }),
      drawing(
        'text',
        { x: EDGE.left - 8, y: scale.place(tick) + 4, 'text-anchor': 'end' },
        formatMoney(tick, currency),
      ),
    ]),
    ...listDayTicks(first, end, dayCount)
      // The text of a date is as wide as the room around the chart.
      .filter((day) => x(day) <= right - EDGE.right)
      .map((day) =>
        drawing('text', { x: round(x(day)), y: HEIGHT - 12, 'text-anchor': 'middle' }, formatDay(day, isShort)),
      ),
    drawing('path', { class: 'price-line', d: writeSteps(spans, x, scale.place) }),
    drawing('circle', {
      class: 'lowest-mark',
      cx: round(x(toDay(lowest.date))),
      cy: round(scale.place(lowest.totalContractCost)),
      r: 4.5,
    }),
  );
}

/**
 * @param {readonly PricePoint[]} points
 * @param {{ readonly date: string }} lowest
 * @param {string} currency
 */
function createPriceTable(points, lowest, currency) {
  const show = (/** @type {number | undefined} */ amount) =>
    amount === undefined ? '–' : formatPrice(amount, currency);
  const className = 'number';
  /** @type {readonly import('../lib/table.js').Column<PricePoint>[]} */
  const columns = [
    {
      title: 'Since',
      show: ({ date }) => [
        formatDay(toDay(date)),
        date === lowest.date && element('span', { class: 'tag good' }, 'lowest'),
      ],
    },
    { title: 'In all', className, show: ({ totalContractCost }) => show(totalContractCost) },
    { title: 'Monthly', className, show: ({ monthlyContractPrice }) => show(monthlyContractPrice) },
    { title: 'Upfront', className, show: ({ upfrontProductCost }) => show(upfrontProductCost) },
    { title: 'Deals', className, show: ({ dealCount }) => formatNumber(dealCount) },
  ];
  return element(
    'details',
    {},
    element('summary', {}, `Table of ${formatCount(points.length, 'price')}, the latest first`),
    createTable('prices', columns, points.toReversed()),
  );
}

/**
 * @param {readonly Span[]} spans
 * @param {{ readonly date: string, readonly totalContractCost: number }} lowest
 * @param {string} currency
 */
function describeHistory(spans, lowest, currency) {
  const [first] = spans;
  const last = spans.at(-1);
  const now = last === undefined ? '' : describePoint(last.point, currency);
  return (
    `Total cost of the cheapest deal since ${formatDay(first?.from ?? 0)}. ` +
    `Lowest ${formatPrice(lowest.totalContractCost, currency)} on ${formatDay(toDay(lowest.date))}; now ${now}. ` +
    'The table below has every price.'
  );
}

/**
 * @param {PricePoint} point
 * @param {string} currency
 */
function describePoint({ dealCount, totalContractCost, monthlyContractPrice, upfrontProductCost }, currency) {
  if (totalContractCost === undefined) return 'no deals';
  return [
    `${formatPrice(totalContractCost, currency)} in all`,
    `${formatPrice(monthlyContractPrice ?? 0, currency)} a month`,
    `${formatPrice(upfrontProductCost ?? 0, currency)} upfront`,
    formatCount(dealCount, 'deal'),
  ].join(' · ');
}

/**
 * The days that are named under the chart.
 * @param {number} first
 * @param {number} end
 * @param {number} most how many have room
 */
function listDayTicks(first, end, most) {
  const step = DAY_STEPS.find((days) => (end - first) / days <= most) ?? DAY_STEPS.at(-1) ?? 1;
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, index) => first + index * step);
}

/** @param {SVGElement} mark */
function createKey(mark) {
  return drawing('svg', { viewBox: '0 0 20 16', width: 20, height: 16, 'aria-hidden': 'true' }, mark);
}

/**
 * The days since 1970-01-01.
 * @param {string} date
 */
function toDay(date) {
  return Math.floor(Date.parse(date) / DAY_MS);
}

/**
 * `1 Aug 2026`.
 * @param {number} day
 * @param {boolean} [isShort] without the year
 */
function formatDay(day, isShort = false) {
  const parts = { day: /** @type {const} */ ('numeric'), month: /** @type {const} */ ('short'), timeZone: 'UTC' };
  return new Date(day * DAY_MS).toLocaleDateString('en-GB', isShort ? parts : { ...parts, year: 'numeric' });
}

/** @param {number} pixels */
function round(pixels) {
  return Math.round(pixels * 10) / 10;
}

/**
 * A scale over some values, with round steps that do not cut any of them off.
 * @param {readonly number[]} values
 * @param {number} from the pixel of its low end
 * @param {number} to
 * @param {number} steps about how many
 */
function createScale(values, from, to, steps) {
  const least = Math.min(...values);
  const most = Math.max(...values, least + 1);
  const rough = (most - least) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const count = Math.round((high - low) / step);
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => low + index * step),
    place: (/** @type {number} */ value) => from + ((value - low) / (high - low)) * (to - from),
  };
}
