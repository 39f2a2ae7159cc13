import { join } from 'node:path';
import { DEALS, type BenchData, type StoreName } from '../bench-data.ts';
import { startProgram, type Program } from './program.ts';

/** What goes before the paths of pictures, so that an answer has the same bytes regardless of the port. */
export const PUBLIC_URL = 'http://pictures.example';

/** How a server is set up for a case. */
export interface DealsSetup {
  readonly store: StoreName;
  /** Whether the answers that are asked for again are kept. */
  readonly hasCache: boolean;
  /** Whether each request is logged; to a file, as on a server. */
  readonly hasLog: boolean;
}

/** Starts the compiled `deals serve`; `folder` gets its log. */
export function startDeals({ store, hasCache, hasLog }: DealsSetup, data: BenchData, folder: string): Promise<Program> {
  const args = [DEALS, 'serve', '--store', data.store(store), '--keys', data.keysFile, '--port', '0'];
  args.push('--public-url', PUBLIC_URL);
  if (!hasCache) args.push('--answer-cache', '0');
  if (!hasLog) args.push('--access-log', 'off');
  return startProgram({ command: process.execPath, args, log: join(folder, 'server.log') });
}
