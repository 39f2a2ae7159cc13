import { z } from 'zod';
import { HEALTH_FIELDS } from '../field/health.ts';
import { SNAPSHOT_ID } from '../snapshot/format.ts';
import type { JsonSchema } from './answer.ts';
import { describeKeys } from './describe-keys.ts';

/** What the paths under `/health/` answer (D19). */
const HEALTH_ANSWERS = {
  live: z.strictObject({ status: z.literal('live').describe('That the process answers.') }),
  ready: z.strictObject(
    describeKeys(
      {
        status: z.literal('ready'),
        snapshot: z.string().regex(SNAPSHOT_ID),
        createdAt: z.iso.datetime(),
        ageSeconds: z.number().int(),
        stale: z.boolean(),
        keysUnreadableSeconds: z.number().int().min(1).optional(),
      },
      HEALTH_FIELDS,
    ),
  ),
  noSnapshot: z.strictObject({ status: z.literal('no-snapshot').describe('That there is nothing to answer from.') }),
} as const;

/** JSON Schema (draft 2020-12) of each. */
export const HEALTH_SCHEMAS = {
  live: toJsonSchema(HEALTH_ANSWERS.live),
  ready: toJsonSchema(HEALTH_ANSWERS.ready),
  noSnapshot: toJsonSchema(HEALTH_ANSWERS.noSnapshot),
} as const satisfies Record<keyof typeof HEALTH_ANSWERS, JsonSchema>;

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { target: 'draft-2020-12' }) };
}
