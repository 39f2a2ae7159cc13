import { CONDITION_LABEL } from '../../../data/record/product.ts';
import type { DealsLine, Dictionaries, ProductLine } from '../../../data/snapshot/format.ts';
import type { PublishedCatalogue } from './read-catalogue.ts';

/** A row of a table of `fastify-sqlite/schema.sql`: the table, then its columns in order. */
export type TableRow = readonly [table: string, ...values: (string | number | null)[]];

/** The rows of all tables. `publicUrl` is put before the paths of pictures, as the server does. */
export async function* writeTables(catalogue: PublishedCatalogue, publicUrl: string): AsyncGenerator<TableRow> {
  const place = (url: string): string => (url.startsWith('/') ? publicUrl + url : url);
  yield* writeDimensions(catalogue.dictionaries, place);
  yield* writeProducts(catalogue.products, place);
  for await (const line of catalogue.deals()) yield* writeDeals(line, catalogue.dictionaries, place);
}

function* writeDimensions(dictionaries: Dictionaries, place: (url: string) => string): Generator<TableRow> {
  const { networks, retailers, plans, gifts, cashbacks } = dictionaries;
  for (const [row, { id, slug, name, logos }] of networks.entries()) {
    const { small, medium, large, deal } = logos;
    yield ['networks', row, id, slug, name, place(small), place(medium), place(large), place(deal)];
  }
  for (const [row, { id, name, logos }] of retailers.entries()) {
    yield ['retailers', row, id, name, place(logos.large), place(logos.deal)];
  }
  for (const [row, plan] of plans.entries()) {
    const { network, dealType, contractName, contractMonths, dataMegabytes, callMinutes, textMessages } = plan;
    const allowances = [dataMegabytes, callMinutes, textMessages].map((amount) =>
      amount === 'unlimited' ? null : amount,
    );
    yield ['plans', row, network, dealType, contractName, contractMonths, ...allowances];
  }
  // Numbered from 1: in a deal 0 means none.
  for (const [row, { name, image }] of gifts.entries()) yield ['gifts', row + 1, name, place(image)];
  for (const [row, { type, valuePence }] of cashbacks.entries()) yield ['cashbacks', row + 1, type, valuePence];
}

function* writeProducts(products: readonly ProductLine[], place: (url: string) => string): Generator<TableRow> {
  for (const [row, { id, condition, name, slug, images }] of products.entries()) {
    const image = place(images['largeFrontImageWebp'] ?? '');
    yield ['products', row, id, CONDITION_LABEL[condition], name, slug, image];
  }
}

function* writeDeals(line: DealsLine, dictionaries: Dictionaries, place: (url: string) => string): Generator<TableRow> {
  for (const [i, rank] of line.rank.entries()) {
    const plan = line.plan[i] as number;
    const picture = line.picture?.[i] ?? 0;
    const template = dictionaries.linkTemplates[line.linkTemplate[i] as number];
    yield [
      'deals',
      line.product,
      rank,
      plan,
      dictionaries.plans[plan]?.network ?? null,
      line.retailer[i] as number,
      line.totalPence[i] as number,
      line.upfrontPence[i] as number,
      line.monthlyPence[i] as number,
      line.gift?.[i] || null,
      line.cashback?.[i] || null,
      picture === 0 ? null : place(dictionaries.pictures[picture - 1] ?? ''),
      `${template?.prefix}${line.linkPart[i]}${template?.suffix}`,
    ];
  }
}
