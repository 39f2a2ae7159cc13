import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { DOCUMENT } from './document.ts';

const ajv = addFormats.default(
  new Ajv2020({ strict: true, allErrors: true, strictTypes: false, strictRequired: false }),
);

/** Where ajv finds what the document refers to. */
const DEFINITIONS = asDefinitions(DOCUMENT.components.schemas);

const validators = new Map<string, ValidateFunction>();

/**
 * What of a body breaks a schema of the document; empty when nothing does. A key that the schema does not name is a fault
 * here, though clients are to bear with it: it would not be described.
 */
export function findSchemaFaults(schema: object, body: unknown): readonly string[] {
  const text = JSON.stringify(schema);
  let validate = validators.get(text);
  if (validate === undefined) {
    validate = ajv.compile({ ...asDefinitions(schema), $defs: DEFINITIONS });
    validators.set(text, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** A schema with its references led to `$defs`, and its objects closed. */
function asDefinitions(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  return JSON.parse(text, (_key, value: { readonly type?: unknown; readonly properties?: object } | null) =>
    value?.type === 'object' && value.properties !== undefined ? { ...value, additionalProperties: false } : value,
  ) as Record<string, unknown>;
}
