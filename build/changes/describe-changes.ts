import { formatPence } from '../../data/record/amount.ts';
import type {
  ChangeKind,
  ChangeKinds,
  Changes,
  DealIdentity,
  PricedDeal,
  Prices,
} from '../../data/snapshot/changes.ts';
import { quote } from '../source/quote.ts';

type Item<Kind extends ChangeKind> = ChangeKinds[Kind]['items'][number];

/** The title of each kind of change, in the order of the text, and the line of one item. */
const KINDS: {
  readonly [Kind in ChangeKind]: { readonly title: string; readonly describe: (item: Item<Kind>) => string };
} = {
  productsNew: { title: 'products new', describe: describeProduct },
  productsGone: { title: 'products gone', describe: describeProduct },
  productsChanged: {
    title: 'products changed',
    describe: ({ fields, renamed, ...product }) =>
      `${describeProduct(product)}: ${fields.map((field) => describeField(field, renamed)).join(', ')}`,
  },
  cheapestChanged: {
    title: 'products with another cheapest deal or price',
    describe: ({ from, to, ...product }) =>
      `${describeProduct(product)}: ${describeCheapest(from)} -> ${describeCheapest(to)}`,
  },
  dealsRepriced: {
    title: 'deals repriced',
    describe: ({ product, deal, from, to }) =>
      `${describeDeal(deal)} of ${product}: ${describePrices(from)} -> ${describePrices(to)}`,
  },
  dealsNew: { title: 'deals new', describe: describeOffer },
  dealsGone: { title: 'deals gone', describe: describeOffer },
  dealsMoved: {
    title: 'deals of another product',
    describe: ({ deal, from, to }) =>
      `${describeDeal(deal)}: ${from.product} at ${describePrices(from)} -> ${to.product} at ${describePrices(to)}`,
  },
  dealsChanged: {
    title: 'deals changed in something else than the price',
    describe: ({ product, deal, fields }) => `${describeDeal(deal)} of ${product}: ${fields.join(', ')}`,
  },
  byProduct: {
    title: 'products with changed deals',
    describe: ({ product, name, dealsBefore, dealsAfter, ...counts }) =>
      `${describeProduct({ product, name })}: ${dealsBefore} -> ${dealsAfter} deals (${describeCounts(counts)})`,
  },
};

/** Changes in lines for people: the totals, then at most `limit` of each kind. */
export function describeChanges(to: string, changes: Changes, limit: number): readonly string[] {
  const { from, reason, before, after } = changes;
  return [
    from === undefined ? `${to}: everything is new, since ${reason ?? 'there is nothing before'}` : `${from} -> ${to}`,
    `products: ${before.products} -> ${after.products}; deals: ${before.deals} -> ${after.deals}`,
    ...(Object.keys(KINDS) as ChangeKind[]).flatMap((kind) => describeKind(kind, changes[kind], limit)),
  ];
}

function describeKind<Kind extends ChangeKind>(
  kind: Kind,
  { count, items }: ChangeKinds[Kind],
  limit: number,
): string[] {
  const { title, describe } = KINDS[kind];
  if (count === 0) return [];
  // The items of a kind are those that its sentence is about.
  const shown = (items as readonly Item<Kind>[]).slice(0, limit).map((item) => `  ${describe(item)}`);
  const more = count - shown.length;
  const rest = items.length > limit ? `--limit ${items.length} shows ${items.length}` : 'only these are listed';
  return [`${title}: ${count}`, ...shown, ...(more > 0 && shown.length > 0 ? [`  and ${more} more; ${rest}`] : [])];
}

function describeProduct({ product, name }: Item<'productsNew'>): string {
  return `${product} ${quote(name)}`;
}

function describeOffer({ product, deal }: Item<'dealsNew'>): string {
  return `${describeDeal(deal)} of ${product}: ${describePrices(deal)}`;
}

function describeDeal({ source, retailer, key }: DealIdentity): string {
  return `${retailer}:${key} (${source})`;
}

function describePrices({ upfrontPence, monthlyPence, totalPence }: Prices): string {
  return `${formatPence(upfrontPence)} + ${formatPence(monthlyPence)} a month, ${formatPence(totalPence)} in all`;
}

function describeCheapest(deal: PricedDeal | undefined): string {
  return deal === undefined ? 'none' : `${describeDeal(deal)} ${describePrices(deal)}`;
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** A changed key, with both values when they are recorded: names and slugs. */
function describeField(field: string, renamed: Item<'productsChanged'>['renamed'] = {}): string {
  const values = field === 'name' || field === 'slug' ? renamed[field] : undefined;
  return values === undefined ? field : `${field} ${quote(values.from)} -> ${quote(values.to)}`;
}
