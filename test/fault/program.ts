import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The root of the tree that is tested. */
export const PROGRAM_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The compiled command `deals`, as it is run by cron and by the service. */
export const DEALS = findCommand();

/** Arguments of Node with which a compiled command serves without keeping responses. */
export function noCacheArgs(deals = DEALS): readonly string[] {
  const url = pathToFileURL(join(deals, '../../server/http/response-cache.js')).href;
  const script = `import { ResponseCache } from '${url}'; ResponseCache.prototype.keep = () => undefined;`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

function findCommand(): string {
  const command = fileURLToPath(new URL('../../dist/js/cli/main.js', import.meta.url));
  if (!existsSync(command)) throw new Error(`${command} is not there: run npm run compile first`);
  return command;
}
