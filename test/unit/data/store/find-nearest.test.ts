import { describe, expect, it } from 'vitest';
import { findClosestNames, type RecordQuery } from '../../../../data/store/record-query.ts';

/** Ten thousand phones, and how often the name of one was asked for. */
function createCatalogue() {
  const asked: number[] = [];
  const products = Array.from({ length: 10_000 }, (_, i) => ({
    id: String(i),
    condition: i % 2 === 0 ? ('new' as const) : ('refurbished' as const),
    slug: `phone-${i}`,
    get name() {
      asked[i] = (asked[i] ?? 0) + 1;
      return `Phone  ${i}`;
    },
  }));
  const productNameKeys = products.map((_, i) => `phone ${i}`);
  return { products, productNameKeys, unmatchedNames: ['Fone 7'], asked };
}

const subjectOf = (text: string): RecordQuery => ({ text, name: text.toLowerCase() });

function run(text: string, catalogue = createCatalogue()) {
  const steps = findClosestNames(subjectOf(text), catalogue);
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { nearest: step.value, count, asked: catalogue.asked };
  }
}

describe('what a word may have meant', () => {
  it('are the first names that hold all of its words, each once', () => {
    expect(run('77 phone').nearest).toEqual(['Phone  77', 'Phone  177', 'Phone  277', 'Phone  377', 'Phone  477']);
    const twice = createCatalogue();
    twice.products.splice(1, 10_000, ...twice.products.slice(0, 1));
    expect(run('phone', twice).nearest).toEqual(['Phone  0']);
  });

  it('are names that are a few slips away when none holds its words', () => {
    expect(run('phone 99991').nearest).toEqual(['phone-9991', 'phone 9991']);
    expect(run('fone 7').nearest).toContain('Fone 7');
    expect(run('zzzzzzzzzzzzzz').nearest).toEqual([]);
  });

  it.each([
    ['77/new', ['77/refurbished']],
    ['77/Refurbished', ['77/refurbished']],
    ['phone-78/used', ['78/new']],
    ['/deals/v1/products/78/?expand=products(deals)', ['78/new']],
    ['77777/new', []],
  ])('%s are the products whose id or slug is a part of it', (text, nearest) => {
    expect(run(text).nearest).toEqual(nearest);
  });

  it('is found in steps that compare few products, and takes the name of each once however many words there are', () => {
    const words = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'phone' : 'x'));
    const { count, asked } = run(words.join(' '));
    expect(count).toBeGreaterThan(10_000 / 50);
    expect(Math.max(...asked)).toBe(1);
  });
});
