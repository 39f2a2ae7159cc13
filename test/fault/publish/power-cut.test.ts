import { expect, it } from 'vitest';
import { isMissing, tool } from '../needs.ts';
import { HeldDeals } from './held-deals.ts';
import { listCalls } from './kill-points.ts';
import { Night } from './night.ts';
import { findUnsafe } from './unsafe-steps.ts';

it.skipIf(isMissing('the order of the steps of a build', tool('strace')))(
  'a power cut finds every file and every name on the disk before it is relied on (promise 2)',
  async () => {
    const night = new Night();
    const held = await HeldDeals.start();
    try {
      await night.prepare(held);
      expect(findUnsafe(await listCalls(night, held))).toEqual([]);
    } finally {
      await held.kill();
      night.remove();
    }
  },
  60_000,
);
