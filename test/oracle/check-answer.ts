import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { RESPONSES, type ResponseName } from '../../data/schema/response.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false });

/** JSON Schema (draft 2020-12) of every response. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.fromEntries(
  Object.entries(RESPONSES).map(([name, schema]) => [name, { ...z.toJSONSchema(schema, { target: 'draft-2020-12' }) }]),
);

const VALIDATORS = Object.fromEntries(
  Object.entries(RESPONSE_SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Readonly<Record<ResponseName, ValidateFunction>>;

/** What of `body` breaks the published schema of the answer; empty when nothing does. */
export function schemaFaults(name: ResponseName, body: unknown): string[] {
  const validate = VALIDATORS[name];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
