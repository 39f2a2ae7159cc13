import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ANSWER_SCHEMAS, type AnswerName } from '../../data/schema/answer.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false });

const VALIDATORS = Object.fromEntries(
  Object.entries(ANSWER_SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Readonly<Record<AnswerName, ValidateFunction>>;

/** What of `body` breaks the published schema of the answer; empty when nothing does. */
export function schemaFaults(name: AnswerName, body: unknown): string[] {
  const validate = VALIDATORS[name];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
