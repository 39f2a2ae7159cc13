import type { Field } from './field.ts';

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
