import { z } from 'zod';
import type { Field } from '../field/field.ts';
import { SNAPSHOT_ID } from '../snapshot/format.ts';
import { describeKeys, type JsonSchema } from './response.ts';

/** The keys of `/health/ready` (D19). */
export const HEALTH_FIELDS = [
  { key: 'status', meaning: 'that there is a snapshot being served', example: 'ready' },
  { key: 'snapshot', meaning: 'id of the snapshot being served', example: '20261119T0230Z-1c77e0d2' },
  { key: 'createdAt', meaning: 'when it was made, in UTC', example: '2026-11-19T02:30:00.000Z' },
  {
    key: 'ageSeconds',
    meaning: 'how long ago that was; negative for a snapshot from the future, made under a wrong clock',
    unit: 'seconds',
    example: 21600,
  },
  {
    key: 'stale',
    meaning:
      'whether it is from the future, or older than it should ever be without a build that has confirmed it since',
    example: false,
  },
  {
    key: 'keysUnreadableSeconds',
    meaning: 'how long the key file cannot be read, so that revoked keys still work; absent up to 10 seconds',
    unit: 'seconds',
    example: 3600,
  },
] as const satisfies readonly Field[];

/** The responses of the paths under `/health/` (D19). */
const HEALTH_RESPONSES = {
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
  live: toJsonSchema(HEALTH_RESPONSES.live),
  ready: toJsonSchema(HEALTH_RESPONSES.ready),
  noSnapshot: toJsonSchema(HEALTH_RESPONSES.noSnapshot),
} as const satisfies Record<keyof typeof HEALTH_RESPONSES, JsonSchema>;

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { target: 'draft-2020-12' }) };
}
