import { describe, expect, it } from 'vitest';
import { rowAt } from '../../../../data/snapshot/catalogue-index.ts';
import { TargetError, TriedTarget } from '../../../../server/explain/tried-target.ts';
import { answerOffline } from '../../../../server/catalogue.ts';
import type { LoadedSnapshot } from '../../../../server/snapshot/load-snapshot.ts';
import { randomCatalogue } from '../../../oracle/random-catalogue.ts';
import { randomQuery, spell } from '../../../oracle/random-query.ts';
import { createRandom } from '../../../support/random.ts';
import { openCatalogue } from '../open-catalogue.ts';

const CATALOGUE_COUNT = 12;
const QUERIES_PER_CATALOGUE = 15;

/** What an answer shows: products by id and name, deals by cost and link. */
interface Shown {
  readonly products: readonly string[];
  readonly deals: readonly string[];
  readonly cheapest: readonly string[];
  readonly next: string | undefined;
}

interface ShownDeal {
  readonly dealLink: string;
  readonly totalDealCost: string;
}

function ask(snapshot: LoadedSnapshot, target: string): Shown | undefined {
  const { status, headers, body } = answerOffline(snapshot, target);
  if (status !== 200) return undefined;
  const { products = [], deals = [] } = JSON.parse(body) as {
    products?: { id: string; name: string; cheapestDeal?: { purchaseLink?: string } }[];
    deals?: ShownDeal[];
  };
  return {
    products: products.map(({ id, name }) => `${id} ${name}`),
    deals: deals.map(({ dealLink }) => dealLink),
    cheapest: products.flatMap(({ cheapestDeal }) => cheapestDeal?.purchaseLink ?? []),
    next: /<([^>]*)>\s*;\s*rel="next"/.exec(headers['Link'] ?? '')?.[1],
  };
}

async function openRandom(seed: number) {
  const random = createRandom(seed + 5_000);
  const catalogue = randomCatalogue(random);
  return { random, catalogue, snapshot: await openCatalogue(catalogue) };
}

describe('an explained answer agrees with the answer', () => {
  it.each(Array.from({ length: CATALOGUE_COUNT }, (_, seed) => seed))(
    'about every product and deal of the catalogue of seed %d, and each filter with the answer to it alone',
    async (seed) => {
      const { random, catalogue, snapshot } = await openRandom(seed);
      const { index } = snapshot;
      const names = index.products.map(({ id, name }) => `${id} ${name}`);
      for (let i = 0; i < QUERIES_PER_CATALOGUE; i++) {
        let target: string | undefined = spell(random, randomQuery(random, catalogue));
        for (let page = 0; target !== undefined && page < 3; page++) {
          const shown = ask(snapshot, target);
          const tried = resolve(target, snapshot);
          if (typeof tried === 'string' || shown === undefined) break;
          const products = index.products.map((_, row) => tried.tryRecord(rowAt(row)));
          const answered = names.filter((_, row) => products[row]?.isAnswered).sort();
          expect({ target, answered }).toEqual({ target, answered: shown.products.toSorted() });
          const alone = products.flatMap(({ filters }, row) =>
            filters.flatMap(({ filter, holds }) => {
              const list = `/deals/v1/products/?limit=100&filter[id]=eq{${index.products[row]?.id}}&${filter}`;
              // Undefined where the filter itself is one of ids.
              const isShown = ask(snapshot, list)?.products.includes(names[row] ?? '') ?? holds;
              return isShown === holds ? [] : [`${names[row]}: ${filter}`];
            }),
          );
          expect({ target, alone }).toEqual({ target, alone: [] });
          const links = new Set([...shown.deals, ...shown.cheapest]);
          for (let row = 0; row < index.deals.rowCount; row++) {
            const deal = rowAt<'deal'>(row);
            const answer = tried.tryRecord(rowAt(index.deals.product.at(deal)), deal);
            const { linkTemplate, linkPart } = index.deals;
            const { prefix = '', suffix = '' } = index.linkTemplates[linkTemplate.at(deal)] ?? {};
            const link = `${prefix}${linkPart.at(deal)}${suffix}`;
            expect({ target, link, isAnswered: answer.isAnswered }).toEqual({
              target,
              link,
              isAnswered: links.has(link),
            });
          }
          target = shown.next;
        }
      }
    },
  );
});

/** The reason when it is refused. */
function resolve(target: string, snapshot: LoadedSnapshot): TriedTarget | string {
  try {
    return new TriedTarget(target, snapshot);
  } catch (error) {
    if (error instanceof TargetError) return error.message;
    throw error;
  }
}
