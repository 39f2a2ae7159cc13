import { describe, expect, it } from 'vitest';
import { createProductMatcher, type ProductMatch } from '../../../../build/match/match-product.ts';
import type { JoinedRecords } from '../../../../build/records/join-records.ts';
import type { ExcludedProduct } from '../../../../build/source/record.ts';
import type { ProductReference } from '../../../../data/record/deal.ts';
import { readCases } from '../../../support/cases.ts';
import { cmsOf, join, productsNamed, type ProductParts } from '../deals/sample-records.ts';

type Reference = Partial<ProductReference>;

/** What surrounds a name; a condition of `null` is not stated. */
interface NameSetting extends Omit<Reference, 'condition'> {
  /** The products of the CMS, `<name> | <maker>`; all phones of the file by default. */
  readonly among?: readonly string[];
  readonly condition?: 'new' | 'refurbished' | null;
  /** Ids of products on the `exclude` list. */
  readonly exclude?: readonly string[];
  readonly why?: string;
}

const NAMES = readCases(import.meta.dirname, 'names.json') as {
  readonly phones: readonly string[];
  readonly conditionWords: readonly string[];
  readonly cases: Readonly<Record<string, readonly [name: string, found: string, NameSetting?][]>>;
};

const REFERENCES = readCases(import.meta.dirname, 'references.json') as {
  readonly products: readonly ProductParts[];
  readonly references: readonly [of: string, Reference, found: string][];
  /** Of the products `among` in place of the usual ones; their names, and the refusal and what is on record of the name. */
  readonly unmatched: readonly [
    of: string,
    Reference,
    excluded: object,
    among?: readonly string[],
    unmatched?: object,
  ][];
  readonly linesForMatches: readonly [name: string, difference: string, isNamed: boolean][];
  readonly excluded: Readonly<Record<'draft' | 'broken', ExcludedProduct>>;
  readonly expectedOfExcluded: Readonly<Record<'unpublished' | 'faulty', object>>;
  readonly toldOfExcluded: readonly [
    by: string,
    Reference,
    expected: 'unpublished' | 'faulty',
    field: string,
    found?: string,
  ][];
  readonly notToldOfExcluded: readonly [which: string, changes: Partial<ExcludedProduct>, Reference][];
};

function match(joined: JoinedRecords, reference: Reference): ProductMatch {
  return createProductMatcher(joined)('awin', { feedIds: [], condition: 'new', ...reference });
}

function matchIn(products: readonly unknown[], reference: Reference, exclude: readonly string[] = []): ProductMatch {
  const rules = exclude.map((id) => ({ product: id, reason: 'test' }));
  return match(join(cmsOf({ products }), rules).joined, reference);
}

/** `101/new`, or the code of the refusal. */
function resultOf(found: ProductMatch): string {
  return 'row' in found ? `${found.id}/${found.condition}` : found.excluded.code;
}

/** The name of the product that `name` matches, or the code of the refusal. */
function matchName(name: string, { among = NAMES.phones, exclude, condition, ...more }: NameSetting): string {
  const records = productsNamed(among);
  const stated = condition === null ? { condition: undefined } : condition === undefined ? {} : { condition };
  const result = resultOf(matchIn(records, { name, ...more, ...stated }, exclude));
  return records.find((record) => `${record.id}/${record.condition}` === result)?.name ?? result;
}

const nameOf = (phone: string): string => phone.split(' | ')[0] ?? '';

describe('matching by name (INPUTS "Matching")', () => {
  it.each(NAMES.phones.map(nameOf))('%s is itself', (name) => {
    expect(matchName(name, { condition: name.startsWith('Refurbished') ? 'refurbished' : 'new' })).toBe(name);
  });

  describe.each(Object.entries(NAMES.cases))('%s', (_, cases) => {
    it.each(cases)('%s is %s', (name, found, setting = {}) => {
      expect(matchName(name, setting)).toBe(found);
    });
  });

  it('no name of one phone matches another that is alone in the catalogue, but for connectivity', () => {
    const core = (name: string): string => name.replace(/ (?:5G|4G)/, '');
    const wrong = NAMES.phones
      .map(nameOf)
      .flatMap((name) =>
        NAMES.phones
          .filter(
            (phone) => core(nameOf(phone)) !== core(name) && matchName(name, { among: [phone] }) === nameOf(phone),
          )
          .map((phone) => [name, phone]),
      );
    expect(wrong).toEqual([]);
  });

  it.each(NAMES.conditionWords)('%s is not new, in a feed that states no condition', (words) => {
    const among = ['Google Pixel 9 | google', 'Refurbished Google Pixel 9 | google'];
    const name = `Google Pixel 9 ${words}`;
    const [refurbished, conditionWords] = ['Refurbished Google Pixel 9', 'refurbished'] as const;
    expect(matchName(name, { among, condition: null })).toBe('missing-field');
    expect(matchName(`${words} Google Pixel 9`, { among, condition: null })).toBe('missing-field');
    expect(matchName(name, { among, condition: null, conditionWords })).toBe(refurbished);
    expect(matchName(name, { among, condition: 'new', conditionWords })).toBe('contradictory-facts');
    expect(matchName(name, { among, condition: 'refurbished' })).toBe(refurbished);
  });
});

describe('feed id, then GTIN, then name', () => {
  it.each(REFERENCES.references)('%s', (_, reference, expected) => {
    expect(resultOf(matchIn(REFERENCES.products, reference))).toBe(expected);
  });
});

describe('the evidence of a match', () => {
  it.each<[string, string, Reference]>([
    ['productId', '3', { id: '3' }],
    ['feedId', '4511', { feedIds: ['4511'] }],
    ['gtin', '840244706500', { gtin: '840244706500' }],
    ['statedName', 'Sixth', { name: 'Sixth' }],
    ['name', 'Pixel 8 128GB', { name: 'Pixel 8 128GB' }],
  ])('is the rule %s and the text %s', (rule, found, reference) => {
    expect(matchIn(REFERENCES.products, reference)).toMatchObject({ evidence: { rule, found } });
  });
});

describe('what is reported of a product that is not found', () => {
  const usual = ['Google Pixel 9 128GB | google', 'Google Pixel 9 256GB | google', 'Nokia 3310 | nokia'];

  it.each(REFERENCES.unmatched)('%s', (_, reference, excluded, among = usual, unmatched = {}) => {
    expect({ unmatched: {}, ...matchIn(productsNamed(among), reference) }).toMatchObject({ excluded, unmatched });
  });

  it.each(REFERENCES.linesForMatches)(
    'the line for %s names the only phone that is near: %s, so %s',
    (name, _, isNamed) => {
      const line = `"matches": {"names": ["${name}"]}`;
      expect(matchIn(productsNamed(['Google Pixel 9 128GB | google']), { name })).toMatchObject({
        unmatched: { nearest: ['1/new'] },
        excluded: {
          expected: 'a product of the catalogue; the nearest are 1/new "Google Pixel 9 128GB"',
          remedy: isNamed ? `if it is the same phone, add ${line} to product 1/new` : undefined,
        },
      });
    },
  );

  it('a transposed `Pro` gets no line for the phone that is no Pro', () => {
    const two = productsNamed(['Kestrel K9 256GB | kestrel', 'Kestrel K9 Pro 256GB | kestrel']);
    expect(matchIn(two, { name: 'Kestrel K9 Por 256GB' })).toMatchObject({
      unmatched: { nearest: ['1/new', '2/new'] },
      excluded: { remedy: expect.not.stringMatching(/1\/new|2\/new/) as string },
    });
  });

  it.each([
    ['Nokia 2 7 64GB', 'in another order get no line for', false],
    ['Nokia 7 2 Prism 64GB', 'in the same order get one for', true],
  ])('the numbers of %s %s the phone with these numbers', (name, _, isNamed) => {
    const found = matchIn(productsNamed(['Nokia 7 2 64GB | nokia']), { name });
    expect('excluded' in found && found.excluded.remedy?.endsWith('to product 1/new') === true).toBe(isNamed);
  });

  it('an id that two products of the `matches` claim must be left to one', () => {
    expect(matchIn(REFERENCES.products, { feedIds: ['62'] })).toMatchObject({
      excluded: { code: 'ambiguous-product', remedy: 'leave "62" in the `matches` of one of them' },
    });
  });
});

describe('a product that the CMS has and that is not served', () => {
  const { draft, broken } = REFERENCES.excluded;

  function matchAmong(excluded: readonly ExcludedProduct[], reference: Reference): ProductMatch {
    const products = productsNamed(['Google Pixel 9 128GB | google', 'Nokia 3310 | nokia']);
    return match({ ...join(cmsOf({ products })).joined, excluded }, reference);
  }

  it.each(REFERENCES.toldOfExcluded)(
    'is told %s, and no other is offered for its deals',
    (_, reference, expected, field, found) => {
      const details = { ...REFERENCES.expectedOfExcluded[expected], field, ...(found !== undefined && { found }) };
      expect(matchAmong([draft, broken], reference)).toMatchObject({
        unmatched: { nearest: [] },
        excluded: details,
      });
    },
  );

  it('is told by the id of its other condition', () => {
    const name = 'Refurbished Google Pixel 9 128GB';
    const excluded = { ...draft, key: '1/refurbished', id: '1', condition: 'refurbished', name } as const;
    expect(matchAmong([excluded], { name: 'Google Pixel 9 128GB', condition: 'refurbished' })).toMatchObject({
      excluded: { remedy: 'publish 1/refurbished in the CMS; deals explain 1/refurbished tells where it is' },
    });
    expect(matchAmong([excluded], { id: '1', condition: 'refurbished' })).toMatchObject({
      unmatched: { remedy: expect.stringMatching(/^publish 1\/refurbished/) as string },
    });
  });

  it('is told though its condition could not be read', () => {
    expect(matchAmong([{ ...draft, key: '3', condition: undefined }], { id: '3' })).toMatchObject({
      unmatched: { remedy: expect.stringMatching(/^publish 3 in the CMS/) as string },
    });
  });

  it.each(REFERENCES.notToldOfExcluded)('is not told of one %s', (_, changes, reference) => {
    expect(matchAmong([{ ...draft, ...changes }], reference)).not.toMatchObject({
      unmatched: { remedy: expect.stringMatching(/in the CMS; deals explain/) as string },
    });
  });

  it('costs no deal of a product that is served', () => {
    const excluded = { ...draft, key: '1/new', id: '1', name: 'Google Pixel 9 128GB' };
    expect(matchAmong([excluded], { id: '1' })).toMatchObject({ id: '1' });
    expect(matchAmong([excluded], { name: 'Pixel 9 128GB' })).toMatchObject({ id: '1' });
  });
});
