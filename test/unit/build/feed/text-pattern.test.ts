import { describe, expect, it } from 'vitest';
import { matchPattern, parsePattern } from '../../../../build/feed/text-pattern.ts';

/** What a template finds: the texts by hole, `ambiguous`, or undefined. */
function find(template: string, text: string): unknown {
  const parsed = parsePattern(template);
  if (typeof parsed === 'string') throw new Error(parsed);
  const match = matchPattern(parsed, text);
  if (typeof match !== 'object') return match;
  return Object.fromEntries([...match].map(([hole, { text: value }]) => [hole, value]));
}

const NAME = '{productName} on {network} Contract | £{monthlyCost}pm {dataGb} Data | £{upfrontCost} upfront cost';

describe('a template', () => {
  it.each([
    [
      NAME,
      'Nokia X Pro 128GB Black on Red Contract | £44pm Unlimited Data | £149 upfront cost',
      {
        productName: 'Nokia X Pro 128GB Black',
        network: 'Red',
        monthlyCost: '44',
        dataGb: 'unlimited',
        upfrontCost: '149',
      },
    ],
    [
      NAME,
      'nokia x ON red CONTRACT | £1,044.50PM 500MB data | £0 UPFRONT COST',
      { productName: 'nokia x', network: 'red', monthlyCost: '1044.50', dataGb: '0.5', upfrontCost: '0' },
    ],
    [
      '{productName} {storage} {colour} on {*}',
      'Nokia X 64 GB Sky Blue on Red',
      { productName: 'Nokia X', storage: '64 GB', colour: 'Sky Blue' },
    ],
    ['{*}{dataGb} data{*}', 'Nokia X 128GB with 100GB data', { dataGb: '100' }],
    [
      '{*} with {callMinutes+textMessages} mins & texts',
      'X with Unlimited mins & texts',
      { callMinutes: 'unlimited', textMessages: 'unlimited' },
    ],
    ['{*} with {callMinutes} mins{*}', 'X with 5,000 mins and more', { callMinutes: '5000' }],
    [
      '{*}-{contractMonths}-month-{monthlyCost}',
      'red-new-24-month-25.00',
      { contractMonths: '24', monthlyCost: '25.00' },
    ],
    ['{*}£{monthlyCost}pm{*}', 'was £30 now £20pm', { monthlyCost: '20' }],
    ['{productName}', 'Nokia X', { productName: 'Nokia X' }],
    ['{*}', 'anything', {}],
    ['{*}sim{*}', 'A SIM card', {}],
  ])('%j reads %j', (template, text, expected) => {
    expect(find(template, text)).toEqual(expected);
  });

  it.each([
    [NAME, 'Nokia X on Red Contract | £44pm Unlimited Data'],
    [NAME, ' on Red Contract | £44pm 1GB Data | £1 upfront cost and more'],
    ['{*}£{monthlyCost}pm{*}', 'now -£5pm'],
    ['{*}£{monthlyCost}pm{*}', 'now £-5pm'],
    ['{*}£{monthlyCost}pm{*}', 'now £29.999pm'],
    ['{*}£{monthlyCost}pm{*}', 'now £1,23pm'],
    ['{*} £{monthlyCost}.', 'only £12.3456.'],
    ['{*} {dataGb} data', 'X 1128GBP data'],
    ['{*}for {contractMonths} months', 'for 1.5 months'],
    ['{*}for {contractMonths} months', 'for 1234567890 months'],
    ['{*} {callMinutes} mins', 'Xunlimited mins'],
    ['a{productName}b', 'ab'],
  ])('%j does not read %j', (template, text) => {
    expect(find(template, text)).toBeUndefined();
  });

  it.each([
    ['{*}£{monthlyCost}pm{*}', 'was £30pm now £20pm'],
    [NAME, 'Case on Nokia X on Red Contract | £44pm 1GB Data | £1 upfront cost'],
    ['{productName} {storage} {colour}', 'Nokia X 64GB 128GB Black'],
  ])('%j does not choose between two readings of %j', (template, text) => {
    expect(find(template, text)).toBe('ambiguous');
  });

  it.each([
    ['{productNam} x', 'no hole {productNam}; did you mean {productName}?'],
    ['{zzz} x', 'no hole {zzz}; expected one of {*}, {productName}, {condition}, '],
    ['{monthlyCost}', 'words or signs next to {monthlyCost} that tell it from others'],
    ['{productName} {dataGb} {colour}', 'words or signs next to {dataGb} that tell it from others'],
    ['{productName}{network}', 'words between two holes that take any text'],
    ['{callMinutes+network} x', 'fields of one kind in one hole'],
    ['{network} x {network}', '{network} once'],
    ['x {network', 'a } after every {'],
    ['x network}', 'a { before every }'],
    ['', 'a text that is not empty'],
  ])('%j is refused', (template, expected) => {
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
