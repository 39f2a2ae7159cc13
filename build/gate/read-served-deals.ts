import type { Notice } from '../../data/report/notice.ts';
import type {
  DealsLine,
  Dictionaries,
  Manifest,
  ProductLine,
  ProductOriginLine,
  ProvenanceLine,
} from '../../data/snapshot/format.ts';
import { SnapshotError } from '../../data/snapshot/snapshot-error.ts';
import { openSnapshotLines } from '../changes/snapshot-lines.ts';
import { ServedDeals } from '../catalogue/served-deals.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** Marks of the lines of `quarantine.ndjson` that say something of prices; all others are not parsed. */
const PRICED_CODES = ['"price-jump"', '"duplicate-deal"'] as const;

/** What a build is compared with, and the deals of it. */
export interface Compared {
  /** `unreadable` also where the deals cannot be read: prices must be compared with something. */
  readonly baseline: ServedSnapshot;
  readonly deals?: ServedDeals;
}

export function readCompared(store: string, served: ServedSnapshot): Compared {
  if (served.kind !== 'known') return { baseline: served };
  try {
    return { baseline: served, deals: readServedDeals(store, served.manifest) };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { baseline: { kind: 'unreadable', reason: error.message } };
  }
}

/**
 * Reads the deals of a snapshot, to compare a build with. Snapshots are held to their schemas before they are published.
 * @throws {SnapshotError} when a file is not what was published
 */
function readServedDeals(store: string, manifest: Manifest): ServedDeals {
  const lines = openSnapshotLines(store, manifest, ['product-origins.ndjson', 'quarantine.ndjson']);
  const dictionaries = JSON.parse([...lines('dictionaries.json')].join('\n')) as Dictionaries;
  const titleOf = ({ name, slug }: { readonly name: string; readonly slug: string }) => ({ name, slug });
  const productTitles = [...lines('products.ndjson')].map((line) => {
    const product = JSON.parse(line.toString()) as ProductLine;
    return [nameOf(product), titleOf(product)] as const;
  });
  const products = productTitles.map(([key]) => key);
  const cmsProducts = new Map<string, string[]>();
  for (const line of lines('product-origins.ndjson')) {
    const origin = JSON.parse(line.toString()) as ProductOriginLine;
    const names = cmsProducts.get(origin.source);
    if (names === undefined) cmsProducts.set(origin.source, [nameOf(origin)]);
    else names.push(nameOf(origin));
  }
  const served = new ServedDeals({ ...dictionaries, products }, cmsProducts, {
    products: new Map(productTitles),
    networks: new Map(dictionaries.networks.map((network) => [network.id, titleOf(network)])),
    retailers: new Map(dictionaries.retailers.map((retailer) => [retailer.id, titleOf(retailer)])),
  });
  const provenanceLines = lines('provenance.ndjson')[Symbol.iterator]();
  for (const line of lines('deals.ndjson')) {
    const deals = JSON.parse(line.toString()) as DealsLine;
    const { source, key } = JSON.parse(String(provenanceLines.next().value)) as ProvenanceLine;
    for (const [i, name] of key.entries()) {
      served.append(source[i] as string, deals.retailer[i] as number, name, {
        product: deals.product,
        plan: deals.plan[i] as number,
        gift: deals.gift?.[i] ?? 0,
        cashback: deals.cashback?.[i] ?? 0,
        linkTemplate: deals.linkTemplate[i] as number,
        linkPart: deals.linkPart[i] as string,
        total: deals.totalPence[i] as number,
        upfront: deals.upfrontPence[i] as number,
        monthly: deals.monthlyPence[i] as number,
      });
    }
  }
  const leftOut: Notice[] = [];
  for (const line of lines('quarantine.ndjson')) {
    if (PRICED_CODES.some((code) => line.includes(code))) leftOut.push(JSON.parse(line.toString()) as Notice);
  }
  served.addLeftOut(leftOut);
  return served;
}

function nameOf({ id, condition }: Pick<ProductLine, 'id' | 'condition'>): string {
  return `${id}/${condition}`;
}
