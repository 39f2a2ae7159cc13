/** @typedef {{ readonly low: number, readonly high: number, readonly ticks: readonly number[], readonly place: (value: number) => number }} Scale */

/**
 * A scale over some values, with round steps that do not cut any of them off.
 * @param {readonly number[]} values
 * @param {number} from the pixel of its low end
 * @param {number} to
 * @param {number} steps about how many
 * @returns {Scale}
 */
export function createScale(values, from, to, steps) {
  const least = Math.min(...values);
  const most = Math.max(...values, least + 1);
  const rough = (most - least) / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const count = Math.round((high - low) / step);
  return {
    low,
    high,
    ticks: Array.from({ length: count + 1 }, (_, index) => low + index * step),
    place: (value) => from + ((value - low) / (high - low)) * (to - from),
  };
}
