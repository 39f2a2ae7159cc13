/** The highest key of a sort: above every amount, and what unlimited data compare as. */
export const MAX_KEY = 2 ** 30 - 1;

/** A key times the count of keys must stay a safe integer: whole numbers below 2^30 leave room for 2^23 of them. */
const MAX_SAFE_COUNT = 2 ** 23;

/**
 * The positions of `keys` in ascending order of key; positions of equal keys ascending. Keys are whole numbers from 0
 * to below 2^30.
 *
 * Key and position are packed into one number, so that a plain numeric sort of a typed array orders both: a third
 * of the time of a sort with a comparator for 2,000 keys.
 */
export function argsort(keys: ArrayLike<number>): Uint32Array {
  const count = keys.length;
  if (count > MAX_SAFE_COUNT) throw new RangeError(`expected at most ${MAX_SAFE_COUNT} keys, got ${count}`);
  // A power of two, so that division by it is exact and the position comes back whole.
  const span = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  const packed = new Float64Array(count);
  for (let i = 0; i < count; i++) packed[i] = (keys[i] as number) * span + i;
  packed.sort();
  const positions = new Uint32Array(count);
  for (let i = 0; i < count; i++) positions[i] = (packed[i] as number) % span;
  return positions;
}
