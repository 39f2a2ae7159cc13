import { describe, expect, it } from 'vitest';
import { describePull, PULL_REMEDIES, PULL_STEPS, type PullState } from '../../../../data/store/pull-state.ts';
import { revisionOf } from '../../../support/pull-state.ts';

const NOW = new Date('2026-11-20T08:00:00Z');
const CURRENT = revisionOf({ revision: 41, activateAt: '2026-11-20T03:01:00.000Z' });
const SOUND: PullState = {
  url: 's3://catalogue/uk',
  highest: { '10adf1a8b7773ac5': 41 },
  announced: CURRENT,
  current: CURRENT,
  lastContactAt: '2026-11-20T07:59:50.000Z',
  failures: { head: 3 },
  refusals: 2,
  fetchedBytes: 12_000_000,
};
const warningsOf = (changes: Partial<PullState>) =>
  describePull({ ...SOUND, ...changes }, NOW).warnings.map(({ found, remedy }) => `${found}; ${remedy}`);

describe('what an operator sees of an object store', () => {
  it('are its revisions, and what came and failed, without a warning when all is well', () => {
    expect(describePull(SOUND, NOW)).toEqual({ ...SOUND, overdueSeconds: 0, warnings: [] });
  });

  it.each(PULL_STEPS)('is what to do about a failure of the step %s', (step) => {
    const lastFailure = { at: '2026-11-20T07:59:50.000Z', step, message: 'no such thing' };
    expect(warningsOf({ lastFailure })).toEqual([
      `deals pull failed at 2026-11-20T07:59:50.000Z (${step}): no such thing; ${PULL_REMEDIES[step]}`,
    ]);
  });

  it.each([
    ['2026-11-20T07:45:00.000Z', []],
    [
      '2026-11-20T07:44:59.000Z',
      [expect.stringContaining('no answer from the object store since 2026-11-20T07:44:59')],
    ],
  ])('is a silence of more than 15 minutes: %s', (lastContactAt, warnings) => {
    expect(warningsOf({ lastContactAt })).toEqual(warnings);
  });

  it.each([
    ['2026-11-20T07:55:00.000Z', []],
    ['2026-11-20T07:54:59.000Z', [expect.stringContaining('accepted revision 42')]],
  ])('is a switch that is overdue by more than 5 minutes: %s', (activateAt, warnings) => {
    expect(warningsOf({ announced: revisionOf({ revision: 42, activateAt }) })).toEqual(warnings);
  });
});
