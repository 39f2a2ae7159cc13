import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What an operator installs. */
export const DEPLOY_FOLDER = fileURLToPath(new URL('../../server/deploy', import.meta.url));

export function readDeployed(name: string): string {
  return readFileSync(`${DEPLOY_FOLDER}/${name}`, 'utf8');
}
