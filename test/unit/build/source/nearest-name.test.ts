import { describe, expect, it } from 'vitest';
import { usualHeaders } from '../../../../build/feed/fields.ts';
import { findNearestName } from '../../../../build/source/nearest-name.ts';

const NAMES = ['dealId', 'productId', 'productName', 'network', 'contractMonths', 'upfrontCost', 'monthlyCost'];

describe('findNearestName', () => {
  it.each([
    ['monthlycsot', 'monthlyCost'],
    ['monthly', 'monthlyCost'],
    ['monthly_price', 'monthlyCost'],
    ['Upfront (£)', 'upfrontCost'],
    ['months', 'contractMonths'],
    ['Network name', 'network'],
    ['Telcos:term', 'contractMonths'],
    ['Carrier', 'network'],
    ['contract_length', 'contractMonths'],
    ['title', 'productName'],
  ])('%s is near %s', (name, nearest) => {
    expect(findNearestName(name, NAMES, usualHeaders)).toBe(nearest);
  });

  it.each(['', 'cost', 'colour', 'price', '£', 'the monthly amount that is to be paid'])(
    '%j is near none, or near several',
    (name) => {
      expect(findNearestName(name, NAMES, usualHeaders)).toBeUndefined();
    },
  );
});
