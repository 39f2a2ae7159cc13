import fastGlob from 'fast-glob';
import { compareCodeUnits } from '../../data/record/code-unit.ts';
import { staticPartOf } from './find-source-files.ts';

/** How many are named. */
const MAX_NAMED = 3;

/**
 * The files that lie where a source looks for its own and bear another name, such as `DEALS.CSV` beside `*.csv`; for
 * a source without a file. The folder of the configuration holds what is nobody's feed, and is passed over.
 */
export async function findUnmatchedFiles(
  folder: string,
  { files }: { readonly files: readonly string[] },
): Promise<readonly string[]> {
  const excluded = files.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const searched = new Set(files.filter((glob) => !glob.startsWith('!')).map(staticPartOf));
  searched.delete('.');
  const globs = [...searched].map((path) => `${fastGlob.escapePath(path)}/*`);
  try {
    const found = await fastGlob(globs, { cwd: folder, ignore: excluded, onlyFiles: true });
    return found.toSorted(compareCodeUnits).slice(0, MAX_NAMED);
  } catch {
    // A folder that cannot be read: that there is no file has been said.
    return [];
  }
}
