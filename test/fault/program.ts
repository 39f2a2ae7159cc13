import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the tree that is tested. */
export const PROGRAM_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The compiled command `deals`, as it is run by cron and by the service. */
export const DEALS = fileURLToPath(new URL('../../dist/js/cli/main.js', import.meta.url));
if (!existsSync(DEALS)) throw new Error(`${DEALS} is not there: run npm run compile first`);
