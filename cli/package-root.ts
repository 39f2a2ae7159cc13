import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the program, which holds `package.json` and the sample: above this file, compiled or not. */
export function findPackageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no package.json above the program');
  return findPackageRoot(parent);
}
