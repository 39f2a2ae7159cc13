import { statSync } from 'node:fs';

const CHECKOUT = statSync(new URL('..', import.meta.url));
const RIGHTS = '-dac_override,-dac_read_search';

/**
 * The words before a command that the permissions of files shall bind. They do not bind root: root gives up that right,
 * and becomes the owner of the checkout, who can read it wherever it lies.
 */
export const AS_ORDINARY_USER: readonly string[] =
  process.getuid?.() === 0
    ? [
        'setpriv',
        `--reuid=${CHECKOUT.uid}`,
        `--regid=${CHECKOUT.gid}`,
        '--clear-groups',
        `--inh-caps=${RIGHTS}`,
        `--bounding-set=${RIGHTS}`,
      ]
    : [];
