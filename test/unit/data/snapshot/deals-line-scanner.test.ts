import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DealsScanner } from '../../../../data/snapshot/deals-scanner.ts';
import type { DealsLine } from '../../../../data/snapshot/format.ts';

const NUMBERS = ['rank', 'plan', 'retailer', 'totalPence', 'upfrontPence', 'monthlyPence'] as const;
const OPTIONAL = ['gift', 'cashback', 'picture'] as const;

/** All of ASCII but what JSON escapes. */
const LINK_CHARACTER = fc.constantFrom(..."aZ09 !#$%&()*+,-./:;<=>?@[]^_`{|}~'".split(''));

const scanner = new DealsScanner();
const LINE: DealsLine = {
  product: 7,
  rank: [0, 12],
  plan: [3, 0],
  retailer: [1, 1],
  totalPence: [100, 4_294_967_295],
  upfrontPence: [0, 10],
  monthlyPence: [10, 0],
  cashback: [0, 2],
  linkTemplate: [0, 1],
  linkPart: ['38204121592', ''],
};
const TEXT = JSON.stringify(LINE);

/** What was scanned, in the form of the line. */
function scan(text: string): DealsLine | undefined {
  const scanned = scanner.scan(Buffer.from(text));
  if (scanned === undefined) return undefined;
  const { linkPart, product, ...numbers } = scanned;
  const links = Array.from(linkPart.ends, (end, i) =>
    Buffer.from(linkPart.bytes.subarray(i === 0 ? 0 : linkPart.ends[i - 1], end)).toString(),
  );
  const entries = Object.entries(numbers).flatMap(([name, cells]) =>
    cells === undefined ? [] : [[name, Array.from(cells)]],
  );
  return { product, ...(Object.fromEntries(entries) as Omit<DealsLine, 'product' | 'linkPart'>), linkPart: links };
}

describe('a line of deals as the build spells it', () => {
  it('is read as JSON reads it', () => {
    expect(scan(TEXT)).toEqual(LINE);
  });

  it('is read as JSON reads it, regardless of what it holds', () => {
    const cell = fc.integer({ min: 0, max: 0xffff_ffff });
    const lines = fc.integer({ min: 1, max: 30 }).chain((rowCount) => {
      const cells = fc.array(cell, { minLength: rowCount, maxLength: rowCount });
      return fc.record(
        {
          product: cell,
          ...Object.fromEntries([...NUMBERS, ...OPTIONAL].map((name) => [name, cells])),
          linkTemplate: cells,
          linkPart: fc.array(fc.string({ unit: LINK_CHARACTER, maxLength: 20 }), {
            minLength: rowCount,
            maxLength: rowCount,
          }),
        },
        { requiredKeys: ['product', ...NUMBERS, 'linkTemplate', 'linkPart'] as never[] },
      ) as unknown as fc.Arbitrary<DealsLine>;
    });
    fc.assert(
      fc.property(lines, ({ product, gift, cashback, picture, linkTemplate, linkPart, ...line }) => {
        const ordered = { product, ...line, gift, cashback, picture, linkTemplate, linkPart };
        const text = JSON.stringify(ordered);
        expect(scan(text)).toEqual(JSON.parse(text));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('may have 4,096 deals and long links', () => {
    const cells = Array.from({ length: 4_096 }, (_, position) => position);
    const line = {
      ...Object.fromEntries(Object.entries(LINE).map(([name, value]) => [name, Array.isArray(value) ? cells : value])),
      linkPart: cells.map((cell) => String(cell).repeat(100)),
    };
    expect(scan(JSON.stringify(line))).toEqual(line);
    expect(scan(TEXT)).toEqual(LINE);
  });
});

describe('a line that is spelled in another way, or is wrong, is left to others', () => {
  it.each<[string, string]>([
    ['empty', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['followed by something', `${TEXT} `],
    ['with a space', TEXT.replace(':', ': ')],
    ['with the product last', JSON.stringify({ ...LINE, product: undefined, last: 7 })],
    ['with another key', JSON.stringify({ ...LINE, colour: [1, 2] })],
    ['with a leading zero', TEXT.replace('[3,0]', '[03,0]')],
    ['with a product with a leading zero', TEXT.replace(':7', ':07')],
    ['with a product that is a text', TEXT.replace(':7', ':"7"')],
    ['with a negative number', TEXT.replace('[3,0]', '[-3,0]')],
    ['with a fraction', TEXT.replace('[3,0]', '[3.5,0]')],
    ['with an exponent', TEXT.replace('[3,0]', '[3e1,0]')],
    ['with null', TEXT.replace('[3,0]', '[null,0]')],
    ['with a number beyond 32 bits', TEXT.replace('4294967295', '4294967296')],
    ['with a number of many digits', TEXT.replace('4294967295', '9'.repeat(400))],
    ['with an array too short', TEXT.replace('[3,0]', '[3]')],
    ['with an array too long', TEXT.replace('[3,0]', '[3,0,1]')],
    ['with an optional array too short', TEXT.replace('"cashback":[0,2]', '"cashback":[2]')],
    ['with an empty array', TEXT.replace('[3,0]', '[]')],
    ['with a comma too many', TEXT.replace('[3,0]', '[3,0,]')],
    ['with an array missing', TEXT.replace('"plan":[3,0],', '')],
    ['with a link too few', TEXT.replace(',""]', ']')],
    ['with a link that is a number', TEXT.replace('"38204121592"', '38204121592')],
    ['with an escape', TEXT.replace('38204121592', String.raw`a\"b`)],
    ['with a control character', TEXT.replace('38204121592', 'a\tb')],
    ['with a letter beyond ASCII', TEXT.replace('38204121592', 'é')],
    ['with more deals than a line may have', JSON.stringify(widened(4_097))],
  ])('%s', (_what, text) => {
    expect(scan(text)).toBeUndefined();
  });

  it('cut short anywhere', () => {
    for (let length = 0; length < TEXT.length; length++) expect(scan(TEXT.slice(0, length))).toBeUndefined();
  });
});

function widened(rowCount: number): object {
  return Object.fromEntries(
    Object.entries(LINE).map(([name, value]) => [
      name,
      Array.isArray(value) ? Array.from({ length: rowCount }, () => value[0] as unknown) : value,
    ]),
  );
}
