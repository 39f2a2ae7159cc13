import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  createPublishedSchema,
  PUBLISHED_FILES,
  type Published,
  type PublishedFile,
} from '../../data/schema/published-schema.ts';

export type SchemaCheck<File extends PublishedFile> =
  | { readonly kind: 'sound'; readonly value: Published<File> }
  | { readonly kind: 'faulty'; readonly fault: string };

let validators: ReadonlyMap<PublishedFile, ValidateFunction> | undefined;

/**
 * Checks a line of `file` (the whole of a `.json`) against its published JSON Schema. The schemas are made from the
 * shapes that the build itself works with. Another implementation checks them here, as a reader in another language
 * would.
 */
export function checkAgainstSchema<File extends PublishedFile>(file: File, value: unknown): SchemaCheck<File> {
  validators ??= compileSchemas();
  const validate = validators.get(file);
  if (validate?.(value) !== true) return { kind: 'faulty', fault: describeError(validate?.errors?.[0]) };
  // The schema was made from the shape of this type, and the value follows it.
  return { kind: 'sound', value: value as Published<File> };
}

function compileSchemas(): ReadonlyMap<PublishedFile, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ['date-time']);
  return new Map(PUBLISHED_FILES.map((file) => [file, ajv.compile(createPublishedSchema(file))] as const));
}

function describeError(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the published schema is not met';
  const detail = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${error.instancePath === '' ? 'the value' : error.instancePath} ${error.message ?? error.keyword}${detail}`;
}
