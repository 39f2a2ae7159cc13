import { PUBLIC_URL, type Amount, type OracleCatalogue, type OracleDeal, type OraclePricePoint } from './catalogue.ts';

/** A deal as it stands in `deals` (spec §2.5, D10), with the keys that `fields=deals(…)` asks for (D26). */
export function dealJson(catalogue: OracleCatalogue, deal: OracleDeal, words: readonly string[]): object {
  const url = (picture: string | undefined): string => absoluteUrl(picture);
  const { network, retailer, product } = joined(catalogue, deal);
  const gift = giftOf(catalogue, deal);
  return {
    dealType: deal.dealType,
    contractName: deal.contractName,
    contractLength: String(deal.contractMonths),
    friendlyContractLength: deal.contractMonths === 1 ? '1 month' : `${deal.contractMonths} months`,
    contractSupplierId: network.id,
    contractSupplierName: network.name,
    smallNetworkImage: url(network.logos.small),
    mediumNetworkImage: url(network.logos.medium),
    largeNetworkImage: url(network.logos.large),
    largeRetailerImage: url(retailer.logos.large),
    dataAllowance: gigabytes(deal.dataMegabytes),
    friendlyDataAllowance: friendlyData(deal.dataMegabytes),
    callAllowance: marked(deal.callMinutes),
    friendlyCallAllowance: counted(deal.callMinutes, 'minute'),
    textAllowance: marked(deal.textMessages),
    friendlyTextAllowance: counted(deal.textMessages, 'text'),
    dealLink: deal.link,
    condition: product.condition === 'new' ? 'New' : 'Refurbished',
    cashbackType: deal.cashback?.type,
    cashbackValue: deal.cashback && money(deal.cashback.pence),
    totalDealCost: money(deal.totalPence),
    supplierId: retailer.id,
    supplierName: retailer.name,
    productUpfrontCost: money(deal.upfrontPence),
    supplierContractPrice: money(deal.monthlyPence),
    giftImg: url(gift.image),
    giftName: gift.name,
    productImg: url(product.images['largeFrontImageWebp'] || deal.picture),
    productName: product.name,
    ...dealKeys(catalogue, deal, words),
  };
}

/** A deal as it stands in `cheapestDeal` (spec §2.10, D11). */
export function cheapestDealJson(catalogue: OracleCatalogue, deal: OracleDeal, words: readonly string[]): object {
  const { network, retailer } = joined(catalogue, deal);
  const isInMegabytes = deal.dataMegabytes !== 'unlimited' && deal.dataMegabytes > 0 && deal.dataMegabytes < 1000;
  const dataAmount = isInMegabytes ? String(deal.dataMegabytes) : gigabytes(deal.dataMegabytes);
  return {
    upfrontProductCost: Number(money(deal.upfrontPence)),
    monthlyContractPrice: Number(money(deal.monthlyPence)),
    totalContractCost: Number(money(deal.totalPence)),
    currencyLabel: catalogue.currency.label,
    currenyLabel: catalogue.currency.label,
    monthlyTextAllowance: marked(deal.textMessages),
    monthlyFriendlyTextAllowance: deal.textMessages === 'unlimited' ? 'Unlimited' : String(deal.textMessages),
    monthlyTextAllowanceLabel: 'texts',
    monthlyCallAllowance: marked(deal.callMinutes),
    monthlyFriendlyCallAllowance: deal.callMinutes === 'unlimited' ? 'Unlimited' : String(deal.callMinutes),
    monthlyCallAllowanceLabel: 'minutes',
    monthlyDataAllowance: gigabytes(deal.dataMegabytes),
    monthlyFriendlyDataAllowance: deal.dataMegabytes === 'unlimited' ? 'Unlimited' : dataAmount,
    monthlyDataAllowanceLabel: deal.dataMegabytes === 'unlimited' ? '' : isInMegabytes ? 'MB' : 'GB',
    contractLength: String(deal.contractMonths),
    contractLengthLabel: deal.contractMonths === 1 ? 'month' : 'months',
    contractSupplierId: network.id,
    contractSupplierName: network.name,
    contractSupplierLogo: absoluteUrl(network.logos.deal),
    retailSupplierId: retailer.id,
    retailSupplierName: retailer.name,
    retailSupplierLogo: absoluteUrl(retailer.logos.deal),
    purchaseLink: deal.link,
    ...dealKeys(catalogue, deal, words),
  };
}

function dealKeys(catalogue: OracleCatalogue, deal: OracleDeal, words: readonly string[]): object {
  const { product } = joined(catalogue, deal);
  return {
    productId: words.includes('product-id') ? product.id : undefined,
    productSlug: words.includes('product-slug') ? product.slug : undefined,
    giftId: words.includes('gift-id') ? giftOf(catalogue, deal).id : undefined,
  };
}

/** Rendered pictures are paths in the catalogue and URLs in answers. */
export function absoluteUrl(picture: string | undefined): string {
  if (picture === undefined || picture === '') return '';
  return picture.startsWith('/') ? PUBLIC_URL + picture : picture;
}

function joined(catalogue: OracleCatalogue, deal: OracleDeal) {
  const network = catalogue.networks.find(({ id }) => id === deal.network);
  const retailer = catalogue.retailers.find(({ id }) => id === deal.retailer);
  const product = catalogue.products[deal.product];
  if (network === undefined || retailer === undefined || product === undefined) {
    throw new Error(`deal ${JSON.stringify(deal.key)}: expected its network, retailer and product in the catalogue`);
  }
  return { network, retailer, product };
}

/** The name and picture that deals show for a gift; both empty without one (D10). */
export function giftOf(catalogue: OracleCatalogue, deal: OracleDeal): { id?: string; name: string; image: string } {
  const named = deal.gift;
  if (named === undefined) return { name: '', image: '' };
  if ('text' in named) return { name: named.text, image: '' };
  const gift = catalogue.gifts.find(({ id }) => id === named.id);
  if (gift === undefined) throw new Error(`deal ${JSON.stringify(deal.key)}: expected gift ${named.id}`);
  return { id: gift.id, name: gift.name, image: gift.images['largeFrontImageWebp'] ?? '' };
}

/** `2999` is `29.99`. */
function money(pence: number): string {
  const digits = String(pence).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `500` is `0.5`, `4000` is `4`. */
function gigabytes(megabytes: Amount): string {
  if (megabytes === 'unlimited') return '999999';
  const digits = String(megabytes).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`.replace(/\.?0+$/, '');
}

function friendlyData(megabytes: Amount): string {
  if (megabytes === 'unlimited') return 'Unlimited data';
  if (megabytes === 0) return '0GB';
  return megabytes < 1000 ? `${megabytes}MB` : `${gigabytes(megabytes)}GB`;
}

function marked(count: Amount): string {
  return count === 'unlimited' ? '999999' : String(count);
}

function counted(count: Amount, unit: string): string {
  if (count === 'unlimited') return `Unlimited ${unit}s`;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** What the cheapest deal cost, day by day (D24). */
export function priceHistoryJson(history: readonly OraclePricePoint[]): object {
  const decimal = (pence: number | undefined) => (pence === undefined ? undefined : Number(money(pence)));
  const points = history.map(({ date, dealCount, totalPence, monthlyPence, upfrontPence }) => ({
    date,
    totalContractCost: decimal(totalPence),
    monthlyContractPrice: decimal(monthlyPence),
    upfrontProductCost: decimal(upfrontPence),
    dealCount,
  }));
  const [lowest] = points
    .filter((point) => point.totalContractCost !== undefined)
    .sort((a, b) => Number(a.totalContractCost) - Number(b.totalContractCost) || (a.date < b.date ? -1 : 1));
  return {
    since: points[0]?.date,
    points,
    lowest: lowest && { date: lowest.date, totalContractCost: lowest.totalContractCost },
  };
}
