import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tables of cases in a JSON file of the folder `fixture` beside a test; the test states their type. */
export function readCases(testFolder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(testFolder, 'fixture', file), 'utf8'));
}
