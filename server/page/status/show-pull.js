import { element } from '../lib/element.js';
import { formatCount } from '../lib/format.js';
import { createAge } from './format-age.js';

/**
 * What `deals pull` brought from the remote store; nothing where snapshots are built.
 * @param {import('./read-status.js').Status} status
 * @returns {readonly HTMLElement[]}
 */
export function showPull({ pull, now }) {
  if (pull === undefined) return [];
  const { url, revision, snapshot, lastContactAt, failures } = pull;
  const brought = snapshot === undefined ? ['nothing yet'] : [`revision ${revision}, `, element('code', {}, snapshot)];
  return [
    element('h2', { id: 'pull-title' }, 'From the remote store'),
    element(
      'p',
      {},
      element('code', {}, url),
      ': ',
      ...brought,
      '; last answered ',
      lastContactAt === undefined ? 'never' : createAge(lastContactAt, now),
      `. ${formatCount(failures, 'look')} failed.`,
    ),
  ];
}
