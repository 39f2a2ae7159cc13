import { ask } from '../lib/request.js';

/**
 * The status of the server, and the files of the builds as they are.
 * @typedef {import('../../routes/status.ts').StoreStatus & {
 *   readonly report?: import('../../../data/report/report.ts').SnapshotReport,
 *   readonly changes?: import('../../../data/snapshot/changes.ts').Changes,
 *   readonly lastBuild?: import('../../../data/report/report.ts').LastBuild,
 *   readonly faults: readonly { readonly file: string, readonly detail: string }[],
 * }} Status
 */

/** @typedef {import('../lib/request.js').Answer} Answer */

/**
 * Asks for everything that the page shows. A file that cannot be read is a fault among others.
 * @param {AbortSignal} signal
 * @returns {Promise<{ readonly status: Status } | { readonly refused: Answer }>}
 */
export async function readStatus(signal) {
  const answer = await ask('/status/store.json', { signal });
  if (answer.status !== 200) return { refused: answer };
  const store = /** @type {import('../../routes/status.ts').StoreStatus} */ (answer.body);
  /** @type {{ file: string, detail: string }[]} */
  const faults = store.pullFault === undefined ? [] : [{ file: 'pull.json', detail: store.pullFault }];
  const readFile = async (/** @type {string} */ file) => {
    try {
      const { status, body, problem } = await ask(`/status/${file}`, { signal });
      if (status === 200) return body ?? undefined;
      faults.push({ file, detail: problem?.detail ?? `status ${status}` });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      faults.push({ file, detail: 'It is not JSON.' });
    }
    return undefined;
  };
  const files = ['report.json', 'changes.json', 'last-build.json'].map(readFile);
  const [report, changes, lastBuild] = /** @type {any[]} */ (await Promise.all(files));
  return { status: { ...store, report, changes, lastBuild, faults } };
}
