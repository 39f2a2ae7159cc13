import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CatalogueIndex } from '../../../../data/snapshot/catalogue-index.ts';
import { rowAt, type DealRow, type ProductRow } from '../../../../data/snapshot/column.ts';
import type { SpelledFilter } from '../../../../server/explain/evaluate-filters.ts';
import { explainDeal, type DealExplanation } from '../../../../server/explain/explain-deal.ts';
import { excludes, explainProduct, type ProductClause } from '../../../../server/explain/explain-product.ts';
import { readBody } from '../../../../server/http/response.ts';
import { createOffline, resolveTarget } from '../../../../server/offline.ts';
import type { ProductsQuery } from '../../../../server/query/query.ts';
import { DEFAULT_SETTINGS as SERVER_SETTINGS } from '../../../../server/settings.ts';
import { loadSnapshot, type LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { randomCatalogue } from '../../../oracle/random-catalogue.ts';
import { randomFaultyQuery, randomQuery, spell } from '../../../oracle/random-query.ts';
import { DEFAULT_SETTINGS } from '../../../oracle/settings.ts';
import { writeSnapshot } from '../../../oracle/write-snapshot.ts';
import { createRandom } from '../../../support/random.ts';

const CATALOGUE_COUNT = 12;
const QUERIES_PER_CATALOGUE = 15;

const store = mkdtempSync(join(tmpdir(), 'deals-explain-'));
afterAll(() => rmSync(store, { recursive: true }));

/** What an answer shows, as a client reads it. */
interface Shown {
  readonly products: readonly string[];
  readonly deals: readonly string[] | undefined;
  readonly next: string | undefined;
}

/** How often each way of being in or out was seen: a test that never meets one proves nothing of it. */
const seen = new Map<string, number>();

function see(what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

describe('an explanation agrees with the answer', () => {
  it.each(Array.from({ length: CATALOGUE_COUNT }, (_, seed) => seed))(
    'about every product and deal of the catalogue of seed %d',
    async (seed) => {
      const random = createRandom(seed + 5_000);
      const catalogue = randomCatalogue(random);
      const id = writeSnapshot(catalogue, store);
      const snapshot = await loadSnapshot(store, id, { publicUrl: DEFAULT_SETTINGS.publicUrl });
      for (let i = 0; i < QUERIES_PER_CATALOGUE; i++) {
        let target: string | undefined = spell(random, randomQuery(random, catalogue));
        for (let page = 0; target !== undefined && page < 3; page++) {
          const query = resolveTarget(target, snapshot);
          const shown = ask(snapshot, target);
          const faults =
            query.kind === 'products' && shown !== undefined
              ? [...listFaults(snapshot, query, shown)]
              : [...fault(query.kind === 'products' || (shown?.products ?? []).length > 0, `${query.kind}, answered`)];
          expect({ target, faults }).toEqual({ target, faults: [] });
          target = shown?.next;
        }
      }
      rmSync(join(store, id), { recursive: true });
    },
  );

  it('has met every clause and every listing', () => {
    expect([...seen.keys()].sort()).toEqual(
      [
        ...['answered', 'path', 'filter', 'deals', 'grouped', 'page'].map((kind) => `product ${kind}`),
        ...['not-expanded', 'product-not-answered', 'filtered', 'cut', 'listed'].map((kind) => `deal ${kind}`),
      ].sort(),
    );
  });
});

describe('a target that is refused', () => {
  it('is refused with the very answer of the server', async () => {
    const random = createRandom(99);
    const catalogue = randomCatalogue(random);
    const id = writeSnapshot(catalogue, store);
    const snapshot = await loadSnapshot(store, id, { publicUrl: DEFAULT_SETTINGS.publicUrl });
    for (let i = 0; i < 200; i++) {
      const target = spell(random, randomFaultyQuery(random, catalogue));
      const answer = createOffline(snapshot, SERVER_SETTINGS).answer(target);
      const read = resolveTarget(target, snapshot);
      expect([target, read.kind === 'refused']).toEqual([target, answer.status !== 200]);
      expect(read.kind === 'refused' ? readBody(read.answer) : answer.body).toBe(answer.body);
    }
  });
});

/** What is wrong with what is said, if anything. */
function* fault(isWrong: boolean, what: string): Generator<string> {
  if (isWrong) yield what;
}

/**
 * The explanations of all products and deals together are the answer, and each product that is out has a reason that
 * alone keeps it out.
 */
function* listFaults(
  snapshot: LoadedSnapshot,
  { query, offset }: { readonly query: ProductsQuery; readonly offset: number },
  shown: Shown,
): Generator<string> {
  const { index } = snapshot;
  const products = index.products.map((_, row) => explainProduct(rowAt(row), query, index, offset));
  const answered = products
    .filter(({ isAnswered }) => isAnswered)
    .map(({ product, clauses }) => ({ product, position: positionOf(clauses) }))
    .toSorted((a, b) => a.position - b.position);
  yield* difference(
    'products',
    answered.map(({ product }) => nameOf(index, product)),
    shown.products,
  );
  for (const { product, isAnswered, clauses } of products) {
    const decisive = clauses.find((clause) => excludes(clause, query));
    see(`product ${decisive?.kind ?? 'answered'}`);
    yield* fault(isAnswered !== (decisive === undefined), `${nameOf(index, product)} is out without a reason`);
    if (decisive !== undefined) yield* listClauseFaults(snapshot, product, decisive, clauses, query);
  }
  const deals = Array.from({ length: index.deals.rowCount }, (_, row) => explainDeal(rowAt(row), query, index, offset));
  const listed = deals
    .flatMap(({ deal, listing }) => (listing.kind === 'listed' ? [{ deal, position: listing.position }] : []))
    .toSorted((a, b) => a.position - b.position);
  yield* difference(
    'deals',
    listed.map(({ deal }) => linkOf(index, deal)),
    shown.deals ?? [],
  );
  for (const explanation of deals) yield* listDealFaults(explanation, shown);
}

function* listDealFaults(
  { deal, listing, filters, product, isCheapest }: DealExplanation,
  shown: Shown,
): Generator<string> {
  see(`deal ${listing.kind}`);
  yield* fault(isCheapest !== (product.cheapest?.deal === deal), `deal ${deal}: isCheapest ${isCheapest}`);
  const isRefused = filters.some(({ holds }) => !holds);
  switch (listing.kind) {
    case 'not-expanded':
      return yield* fault(shown.deals !== undefined, `deal ${deal}: deals are there`);
    case 'product-not-answered':
      return yield* fault(product.isAnswered, `deal ${deal}: its product is there`);
    case 'filtered':
      return yield* fault(!isRefused, `deal ${deal}: no filter refuses it`);
    case 'cut':
      return yield* fault(isRefused || listing.placeInProduct <= listing.perProduct, `deal ${deal}: is not cut`);
    case 'listed':
      return yield* fault(isRefused || listing.count !== shown.deals?.length, `deal ${deal}: ${listing.count} deals`);
  }
}

/** Asks the server with that clause alone: the product is not there, and without the clause it is. */
function* listClauseFaults(
  snapshot: LoadedSnapshot,
  product: ProductRow,
  clause: ProductClause,
  clauses: readonly ProductClause[],
  query: ProductsQuery,
): Generator<string> {
  const { index } = snapshot;
  const name = nameOf(index, product);
  const isListed = (row: ProductRow, ...parameters: readonly string[]): boolean => {
    const list = ask(snapshot, `/deals/v1/products/?${[...parameters, 'limit=100'].join('&')}`);
    return list?.products.includes(nameOf(index, row)) === true;
  };
  switch (clause.kind) {
    case 'path':
      return yield* fault(
        clause.wanted !== query.id || clause.actual !== index.products[product]?.id || clause.actual === clause.wanted,
        `${name}: path`,
      );
    case 'filter':
      return yield* fault(isListed(product, spelled(clause)), `${name}: ${spelled(clause)} does not refuse it`);
    case 'deals': {
      yield* fault(isListed(product, ...clause.filters.map(spelled)), `${name}: some deal satisfies all`);
      for (const each of clause.filters) {
        yield* fault(isListed(product, spelled(each)) !== each.satisfiedBy > 0, `${name}: ${spelled(each)} alone`);
      }
      const { nearest, dealCount } = clause;
      return yield* fault(
        (nearest?.failed.length ?? 0) > 0 !== dealCount > 0,
        `${name}: the nearest deal fails nothing`,
      );
    }
    case 'grouped': {
      const { representative, model } = clause;
      yield* fault(index.products[representative]?.model !== model, `${name}: represented by another model`);
      const path = query.id === undefined ? [] : [`filter[id]=eq{${query.id}}`];
      // A product asked for by its id stays without a qualifying deal, in a list it does not.
      if (query.id !== undefined && clauses.some((each) => each.kind === 'deals' && !each.holds)) return;
      const filters = [...path, ...clauses.flatMap(listFilters)];
      yield* fault(!isListed(product, ...filters), `${name}: is not there even when it is not grouped`);
      yield* fault(isListed(product, ...filters, 'expand=grouped'), `${name}: is there though it is grouped`);
      return yield* fault(!isListed(representative, ...filters, 'expand=grouped'), `${name}: so is its representative`);
    }
    case 'page': {
      const { position, shownFrom, shownTo, page, positionOnPage } = clause;
      yield* fault(position >= shownFrom && position <= shownTo, `${name}: is on the page`);
      return yield* fault((page - 1) * query.pageLimit + positionOnPage !== position, `${name}: page ${page}`);
    }
  }
}

function listFilters(clause: ProductClause): readonly string[] {
  if (clause.kind === 'filter') return [spelled(clause)];
  return clause.kind === 'deals' ? clause.filters.map(spelled) : [];
}

function spelled({ parameter, clause }: SpelledFilter): string {
  return `${parameter}=${clause}`;
}

function* difference(what: string, explained: readonly string[], shown: readonly string[]): Generator<string> {
  const isSame = JSON.stringify(explained) === JSON.stringify(shown);
  yield* fault(!isSame, `${what}: explained ${JSON.stringify(explained)}, shown ${JSON.stringify(shown)}`);
}

function ask(snapshot: LoadedSnapshot, target: string): Shown | undefined {
  const { status, headers, body } = createOffline(snapshot, SERVER_SETTINGS).answer(target);
  if (status !== 200) return undefined;
  const { products = [], deals } = JSON.parse(body) as {
    products?: { id: string; name: string }[];
    deals?: { dealLink: string; totalDealCost: string }[];
  };
  return {
    products: products.map(({ id, name }) => `${id} ${name}`),
    deals: deals?.map(({ dealLink, totalDealCost }) => `${totalDealCost} ${dealLink}`),
    next: /<([^>]*)>\s*;\s*rel="next"/.exec(headers['Link'] ?? '')?.[1],
  };
}

function positionOf(clauses: readonly ProductClause[]): number {
  const page = clauses.find((clause) => clause.kind === 'page');
  return page?.kind === 'page' ? page.position : Number.NaN;
}

function nameOf(index: CatalogueIndex, row: ProductRow): string {
  const product = index.products[row];
  return `${product?.id} ${product?.name}`;
}

function linkOf(index: CatalogueIndex, row: DealRow): string {
  const { totalPence, linkTemplate, linkPart } = index.deals;
  const template = index.linkTemplates[linkTemplate.at(row)];
  const link = `${template?.prefix}${linkPart.at(row)}${template?.suffix}`;
  return `${(totalPence.at(row) / 100).toFixed(2)} ${link}`;
}
