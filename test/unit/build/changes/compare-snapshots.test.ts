import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareSnapshots, readPublishedChanges } from '../../../../build/changes/compare-snapshots.ts';
import { describeChanges } from '../../../../build/changes/describe-changes.ts';
import { publishSnapshot } from '../../../../build/publish/publish.ts';
import { changeKindsSchema, type ChangeKind } from '../../../../data/snapshot/changes.ts';
import { readManifest } from '../../../../data/store/snapshots.ts';
import { createRandom } from '../../../support/random.ts';
import { createCatalogue, createDeals } from '../encode/example-catalogue.ts';
import { createContent } from '../publish/snapshot-content.ts';
import { createTemporaryFolder } from '../publish/temporary-store.ts';
import { linesOf, randomProducts, type TestDeal, type TestProduct } from './compared-catalogue.ts';

const KINDS = Object.keys(changeKindsSchema.shape) as ChangeKind[];

function dealsOf(products: readonly TestProduct[]): ReadonlyMap<string, { product: string; deal: TestDeal }> {
  return new Map(
    products.flatMap(({ id, condition, deals }) =>
      deals.map((deal) => [`${deal.source} ${deal.retailer} ${deal.key}`, { product: `${id}/${condition}`, deal }]),
    ),
  );
}

const pricesOf = ({ upfrontPence, monthlyPence, totalPence }: TestDeal) => ({ upfrontPence, monthlyPence, totalPence });
const cheapestOf = (product: TestProduct | undefined) =>
  product?.deals.toSorted((a, b) => a.totalPence - b.totalPence)[0];
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The counts, by looking everything up in memory. */
function expectedCounts(before: readonly TestProduct[], after: readonly TestProduct[]): Record<string, number> {
  const variants = (products: readonly TestProduct[]) =>
    new Map(products.map((product) => [`${product.id}/${product.condition}`, product]));
  const [oldProducts, newProducts] = [variants(before), variants(after)];
  const [oldDeals, newDeals] = [dealsOf(before), dealsOf(after)];
  const common = [...newDeals].flatMap(([identity, to]) => {
    const from = oldDeals.get(identity);
    return from === undefined ? [] : [{ from, to }];
  });
  const kept = common.filter(({ from, to }) => from.product === to.product);
  const both = [...newProducts].filter(([variant]) => oldProducts.has(variant));
  const all = [...new Set([...oldProducts.keys(), ...newProducts.keys()])];
  return {
    productsNew: newProducts.size - both.length,
    productsGone: oldProducts.size - both.length,
    productsChanged: both.filter(([variant, { name }]) => oldProducts.get(variant)?.name !== name).length,
    dealsNew: newDeals.size - common.length,
    dealsGone: oldDeals.size - common.length,
    dealsMoved: common.length - kept.length,
    dealsRepriced: kept.filter(({ from, to }) => !isSame(pricesOf(from.deal), pricesOf(to.deal))).length,
    dealsChanged: kept.filter(
      ({ from: { deal: a }, to: { deal: b } }) =>
        a.months !== b.months || a.gift !== b.gift || a.cashback !== b.cashback,
    ).length,
    cheapestChanged: all.filter((variant) => {
      const [from, to] = [cheapestOf(oldProducts.get(variant)), cheapestOf(newProducts.get(variant))];
      return !isSame(from && [from.key, pricesOf(from)], to && [to.key, pricesOf(to)]);
    }).length,
    byProduct: all.filter((variant) => {
      const deals = (products: ReadonlyMap<string, { product: string; deal: TestDeal }>) =>
        [...products.values()]
          .filter(({ product }) => product === variant)
          .map(({ deal }) => JSON.stringify(deal))
          .sort();
      return !isSame(deals(oldDeals), deals(newDeals));
    }).length,
  };
}

describe('compareSnapshots', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))(
    'counts what a look at everything counts, seed %d',
    (seed) => {
      const random = createRandom(seed);
      const [before, after] = [randomProducts(random), randomProducts(random)];
      const changes = compareSnapshots(linesOf(before, random), linesOf(after, random));
      expect(Object.fromEntries(KINDS.map((kind) => [kind, changes[kind].count]))).toEqual(
        expectedCounts(before, after),
      );
      expect(changes.before).toEqual({ products: before.length, deals: dealsOf(before).size });
      expect(changes.after).toEqual({ products: after.length, deals: dealsOf(after).size });
      for (const kind of KINDS) {
        expect(changes[kind].omitted).toBe(changes[kind].count - changes[kind].items.length);
        expect(changeKindsSchema.shape[kind].safeParse(changes[kind]).error).toBeUndefined();
      }
      const [oldDeals, newDeals] = [dealsOf(before), dealsOf(after)];
      for (const { deal, from, to } of changes.dealsMoved.items) {
        const identity = `${deal.source} ${deal.retailer} ${deal.key}`;
        expect([from.product, to.product]).toEqual([oldDeals.get(identity)?.product, newDeals.get(identity)?.product]);
      }
      for (const { deal, from, to } of changes.dealsRepriced.items) {
        const identity = `${deal.source} ${deal.retailer} ${deal.key}`;
        expect([oldDeals, newDeals].map((deals) => pricesOf(deals.get(identity)?.deal as TestDeal))).toEqual([
          from,
          to,
        ]);
      }
    },
  );

  it('finds nothing between a snapshot and itself, regardless of the order of its dictionaries', () => {
    const products = randomProducts(createRandom(7));
    const changes = compareSnapshots(linesOf(products, createRandom(1)), linesOf(products, createRandom(2)));
    expect(KINDS.map((kind) => changes[kind].count)).toEqual(KINDS.map(() => 0));
  });

  const deal = (key: string, totalPence: number): TestDeal => ({
    source: 'house',
    retailer: 'barn',
    key,
    upfrontPence: 0,
    monthlyPence: 100,
    totalPence,
    months: 24,
    gift: '',
    cashback: 0,
  });

  it('lists the largest moves of a price first, and says how many it omits', () => {
    const phone = (...totals: readonly number[]): readonly TestProduct[] => [
      { id: '101', condition: 'new', name: 'Phone', deals: totals.map((total, i) => deal(`K-${i}`, total)) },
    ];
    const random = createRandom(1);
    const before = linesOf(phone(100, 200, 300, 400), random);
    const changes = compareSnapshots(before, linesOf(phone(101, 150, 310, 400), random), 2);
    expect(changes.dealsRepriced).toMatchObject({
      count: 3,
      omitted: 1,
      items: [
        { deal: { key: 'K-1' }, from: { totalPence: 200 }, to: { totalPence: 150 } },
        { deal: { key: 'K-2' }, from: { totalPence: 300 }, to: { totalPence: 310 } },
      ],
    });
    expect(describeChanges('S', { from: 'R', ...changes }, 1)).toEqual([
      'R -> S',
      'products: 1 -> 1; deals: 4 -> 4',
      'products with another cheapest deal or price: 1',
      '  101/new "Phone": barn:K-0 (house) 0.00 + 1.00 a month, 1.00 in all -> barn:K-0 (house) 0.00 + 1.00 a month, 1.01 in all',
      'deals repriced: 3',
      '  barn:K-1 (house) of 101/new: 0.00 + 1.00 a month, 2.00 in all -> 0.00 + 1.00 a month, 1.50 in all',
      '  and 2 more; --limit 2 shows 2',
      'products with changed deals: 1',
      '  101/new "Phone": 4 -> 4 deals (3 repriced)',
    ]);
  });
});

describe('changes.json', () => {
  const publish = (store: string, content: ReturnType<typeof createContent>, day: number) => {
    const { id } = publishSnapshot(store, content, {
      sources: [],
      gates: [],
      now: new Date(`2026-11-${day}T02:30:00Z`),
    });
    return { id, changes: readPublishedChanges(store, readManifest(store, id)) };
  };
  const catalogue = createCatalogue();
  const deals = createDeals(catalogue.records.products.length, [{ product: 0, totalPence: 720 }]);

  it('says what differs from the current snapshot, or why that cannot be compared with', () => {
    const store = createTemporaryFolder();
    const first = publish(store, createContent(), 20);
    expect(first.changes).toMatchObject({
      reason: 'nothing was published before',
      before: { products: 0, deals: 0 },
      after: { products: 3, deals: 3 },
      productsNew: { count: 3 },
      dealsNew: { count: 3 },
    });
    const second = publish(store, createContent({ ...catalogue, deals }), 21);
    expect(second.changes).toMatchObject({
      from: first.id,
      before: { products: 3, deals: 3 },
      after: { products: 3, deals: 1 },
      dealsGone: { count: 2 },
      productsNew: { count: 0 },
    });
    writeFileSync(join(store, second.id, 'deals.ndjson'), '');
    const third = publish(store, createContent(), 22);
    expect(third.changes).toMatchObject({
      reason: `the snapshot before, ${second.id}, cannot be compared with: wrong-hash`,
      dealsNew: { count: 3 },
    });
    expect(readFileSync(join(store, third.id, 'changes.json'), 'utf8')).not.toContain(store);
  });
});
