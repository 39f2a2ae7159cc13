import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tables of cases in a JSON file of the folder `fixture` beside a test. */
export function readCases<Tables>(testFolder: string, file: string): Tables {
  return JSON.parse(readFileSync(join(testFolder, 'fixture', file), 'utf8')) as Tables;
}
