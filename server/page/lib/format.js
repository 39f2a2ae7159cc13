/**
 * `812 B`, `5.2 KB`, `1.4 MB`.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * `3 ms`, `1.2 s`.
 * @param {number} milliseconds
 */
export function formatMilliseconds(milliseconds) {
  return milliseconds < 1_000
    ? `${Math.max(1, Math.round(milliseconds))} ms`
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/**
 * `1 phone`, `1,204 phones`.
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function formatCount(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}
