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
    validate = ajv.compile({ ...(asDefinitions(schema) as object), $defs: DEFINITIONS });
    validators.set(text, validate);
  }
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** A schema with its references led to `$defs`, and its objects closed. */
function asDefinitions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDefinitions);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, unknown] => [
      key,
      key === '$ref' ? String(inner).replace('#/components/schemas/', '#/$defs/') : asDefinitions(inner),
    ]),
  );
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isObject ? { ...copy, additionalProperties: false } : copy;
}
