import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with `package.json` and the sample, above this file; also when compiled. */
export function findPackageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the program');
  return findPackageRoot(parent);
}
