import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublishedSchema, PUBLISHED_FILES, schemaFileName } from '../data/schema/published-schema.ts';
import { findPackageRoot } from '../data/package-root.ts';
import { createJsonSchema, jsonSchemaFile, SCHEMA_FORMATS } from './init/json-schema.ts';

// Run by `npm run compile`: the JSON Schemas of what a build reads and of what it publishes, for the package.

const folder = join(findPackageRoot(), 'dist/schema');
mkdirSync(folder, { recursive: true });
for (const format of SCHEMA_FORMATS) write(jsonSchemaFile(format), createJsonSchema(format));
for (const file of PUBLISHED_FILES) write(schemaFileName(file), createPublishedSchema(file));

function write(name: string, schema: object): void {
  writeFileSync(join(folder, name), `${JSON.stringify(schema, undefined, 2)}\n`);
}
