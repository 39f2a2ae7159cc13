import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createManPage } from './man-page.ts';

const folder = join(import.meta.dirname, '../../man');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'deals.1'), await createManPage());
