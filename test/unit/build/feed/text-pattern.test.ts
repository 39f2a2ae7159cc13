import { describe, expect, it } from 'vitest';
import { readCases } from '../../../support/cases.ts';
import { matchPattern, parsePattern } from '../../../../build/feed/text-pattern.ts';

/** What a template finds: the texts by hole, `ambiguous`, or undefined. */
function find(template: string, text: string): unknown {
  const parsed = parsePattern(template);
  if (typeof parsed === 'string') throw new Error(parsed);
  const match = matchPattern(parsed, text);
  if (typeof match !== 'object') return match;
  return Object.fromEntries([...match].map(([hole, { text: value }]) => [hole, value]));
}

const CASES = readCases(import.meta.dirname, 'text-pattern.json') as {
  readonly reads: readonly (readonly [template: string, text: string, found: object])[];
  readonly unread: readonly (readonly [template: string, text: string])[];
  readonly ambiguous: readonly (readonly [template: string, text: string])[];
  readonly refused: readonly (readonly [template: string, expected: string])[];
};

describe('a template', () => {
  it.each(CASES.reads)('%j reads %j', (template, text, expected) => {
    expect(find(template, text)).toEqual(expected);
  });

  it.each(CASES.unread)('%j does not read %j', (template, text) => {
    expect(find(template, text)).toBeUndefined();
  });

  it.each(CASES.ambiguous)('%j does not choose between two readings of %j', (template, text) => {
    expect(find(template, text)).toBe('ambiguous');
  });

  it.each(CASES.refused)('%j is refused', (template, expected) => {
    expect(() => find(template, 'x')).toThrow(expected);
  });

  it('takes time in proportion to the text, regardless of what it is', () => {
    const started = performance.now();
    find('{*}£{monthlyCost}pm {dataGb} data for {contractMonths} months{*}', '£1pm 1GB data for '.repeat(10_000));
    find('{productName} on {network} on {contractName} x', ' on '.repeat(25_000));
    find('{*} {callMinutes} mins{*}', '1'.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
