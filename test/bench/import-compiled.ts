import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bench-data.ts';

/**
 * A module as `npm run compile` makes it. What is timed in a case is never what tsx makes of the source: it names every
 * function when it is made, which costs hot code a call for each.
 */
export async function importCompiled<Module>(path: string): Promise<Module> {
  const file = join(ROOT, 'dist/js', path.replace(/\.ts$/, '.js'));
  return (await import(pathToFileURL(file).href)) as Module;
}
