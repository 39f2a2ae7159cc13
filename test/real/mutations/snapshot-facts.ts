import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DealsLine, Dictionaries, ProductLine, ProvenanceLine } from '../../../data/snapshot/format.ts';

/** What a deal promises a customer: a wrong value of these is a wrong deal. */
interface DealFacts {
  readonly product: string;
  readonly network: string;
  readonly retailer: string;
  readonly months: number;
  readonly data: number | 'unlimited';
  readonly minutes: number | 'unlimited';
  readonly texts: number | 'unlimited';
  readonly upfrontPence: number;
  readonly monthlyPence: number;
  readonly totalPence: number;
  readonly cashback: string;
  readonly gift: string;
}

export interface ServedDeal {
  readonly source: string;
  /** Source, retailer and id: what stays the same from night to night. */
  readonly key: string;
  readonly id: string;
  readonly facts: DealFacts;
  readonly link: string;
  /** What is said beside the facts: the name of the contract and its type. */
  readonly words: string;
}

/** A finding of `notices.ndjson` or `quarantine.ndjson`. */
interface Finding {
  readonly code: string;
  readonly source: string;
  readonly record?: string;
  readonly other?: { readonly source: string; readonly record?: string };
}

export interface Snapshot {
  readonly id: string;
  readonly deals: readonly ServedDeal[];
  /** The lines of the products by id and condition, and the networks and retailers by id, as JSON. */
  readonly records: ReadonlyMap<string, string>;
  readonly left: readonly Finding[];
}

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** The id of the snapshot that a store serves. */
export function currentSnapshot(store: string): string | undefined {
  const file = join(store, 'current.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { snapshot: string }).snapshot;
}

/** Reads what a store serves, by the description of its files in `data/README.md`. */
export function readSnapshot(store: string): Snapshot {
  const id = currentSnapshot(store);
  if (id === undefined) throw new RangeError(`${store}: expected a snapshot`);
  const folder = join(store, id);
  const dictionaries = JSON.parse(readFileSync(join(folder, 'dictionaries.json'), 'utf8')) as Dictionaries;
  const products = readLines<ProductLine>(join(folder, 'products.ndjson'));
  const provenance = readLines<ProvenanceLine>(join(folder, 'provenance.ndjson'));
  const deals = readLines<DealsLine>(join(folder, 'deals.ndjson')).flatMap((line, at) => {
    const origin = provenance[at];
    return line.rank.map((_, i) => readDeal(dictionaries, products, line, origin as ProvenanceLine, i));
  });
  const records = new Map<string, string>([
    // A price history follows from the deals, which are compared one by one.
    ...products.map(
      (product) =>
        [
          `product ${product.id}/${product.condition}`,
          JSON.stringify({ ...product, priceHistory: undefined }),
        ] as const,
    ),
    ...dictionaries.networks.map((network) => [`network ${network.id}`, JSON.stringify(network)] as const),
    ...dictionaries.retailers.map((retailer) => [`retailer ${retailer.id}`, JSON.stringify(retailer)] as const),
  ]);
  return { id, deals, records, left: readLines<Finding>(join(folder, 'quarantine.ndjson')) };
}

function readDeal(
  dictionaries: Dictionaries,
  products: readonly ProductLine[],
  line: DealsLine,
  origin: ProvenanceLine,
  i: number,
): ServedDeal {
  const at = <T>(items: readonly T[] | undefined, index: number | undefined): T => items?.[index ?? -1] as T;
  const plan = at(dictionaries.plans, line.plan[i]);
  const product = at(products, line.product);
  const retailer = at(dictionaries.retailers, line.retailer[i]);
  const gift = line.gift?.[i] ?? 0;
  const cashback = line.cashback?.[i] ?? 0;
  const template = at(dictionaries.linkTemplates, line.linkTemplate[i]);
  const value = at(dictionaries.cashbacks, cashback - 1);
  const source = origin.source[i] ?? '';
  const id = origin.key[i] ?? '';
  return {
    source,
    id,
    key: `${source} ${retailer.slug} ${id}`,
    link: `${template.prefix}${line.linkPart[i] ?? ''}${template.suffix}`,
    words: `${plan.dealType}, ${plan.contractName}`,
    facts: {
      product: `${product.id}/${product.condition}`,
      network: at(dictionaries.networks, plan.network).slug,
      retailer: retailer.slug,
      months: plan.contractMonths,
      data: plan.dataMegabytes,
      minutes: plan.callMinutes,
      texts: plan.textMessages,
      upfrontPence: line.upfrontPence[i] ?? 0,
      monthlyPence: line.monthlyPence[i] ?? 0,
      totalPence: line.totalPence[i] ?? 0,
      cashback: cashback === 0 ? '' : `${value.type} ${value.valuePence}`,
      gift: gift === 0 ? '' : at(dictionaries.gifts, gift - 1).name,
    },
  };
}

/** One text for facts that are the same. */
export const fingerprint = (deal: ServedDeal): string => `${deal.source} ${Object.values(deal.facts).join('|')}`;
