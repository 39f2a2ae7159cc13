import { writeFileSync } from 'node:fs';
import { READMES, readReadme, withTables } from './readme-tables.ts';

for (const name of READMES) {
  writeFileSync(new URL(`../../${name}`, import.meta.url), withTables(readReadme(name)));
}
