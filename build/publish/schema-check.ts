import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createPublishedSchema, PUBLISHED_FILES, type PublishedFile } from '../../data/schema/published-schema.ts';

let validators: ReadonlyMap<PublishedFile, ValidateFunction> | undefined;

/**
 * Checks a line of `file` (the whole of a `.json`) against its published JSON Schema, and returns what is wrong with it.
 * The schemas are made from the shapes that the build itself works with. Another implementation checks them here, as a
 * reader in another language would.
 */
export function findSchemaFault(file: PublishedFile, value: unknown): string | undefined {
  validators ??= compileSchemas();
  const validate = validators.get(file);
  if (validate?.(value) === true) return undefined;
  const [error] = validate?.errors ?? [];
  if (error === undefined) return 'the published schema is not met';
  const detail = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath === '' ? 'the value' : error.instancePath} ${error.message ?? error.keyword}${detail}`;
}

function compileSchemas(): ReadonlyMap<PublishedFile, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}
