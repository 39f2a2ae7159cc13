// Rows to the objects of the interface.

const UNLIMITED = '999999';

/** @param {number} pence */
const money = (pence) => (pence / 100).toFixed(2);

/** @param {number | null} count */
const countText = (count) => (count === null ? UNLIMITED : String(count));

/** @param {number | null} megabytes */
const gigabytes = (megabytes) => (megabytes === null ? UNLIMITED : String(megabytes / 1000));

/** @param {number | null} count @param {string} unit in its plural */
function friendlyCount(count, unit) {
  if (count === null) return `Unlimited ${unit}`;
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** @param {number | null} megabytes @returns {[string, string]} amount and unit */
function friendlyData(megabytes) {
  if (megabytes === null) return ['Unlimited', ''];
  return megabytes === 0 || megabytes >= 1000 ? [String(megabytes / 1000), 'GB'] : [String(megabytes), 'MB'];
}

/** @param {Record<string, any>} row */
export function writeDeal(row) {
  return {
    dealType: row.deal_type,
    contractName: row.contract_name,
    contractLength: String(row.months),
    friendlyContractLength: friendlyCount(row.months, 'months'),
    contractSupplierId: row.network_id,
    contractSupplierName: row.network_name,
    smallNetworkImage: row.small_logo,
    mediumNetworkImage: row.medium_logo,
    largeNetworkImage: row.large_logo,
    dataAllowance: gigabytes(row.data_megabytes),
    friendlyDataAllowance: row.data_megabytes === null ? 'Unlimited data' : friendlyData(row.data_megabytes).join(''),
    callAllowance: countText(row.call_minutes),
    friendlyCallAllowance: friendlyCount(row.call_minutes, 'minutes'),
    textAllowance: countText(row.text_messages),
    friendlyTextAllowance: friendlyCount(row.text_messages, 'texts'),
    supplierId: row.retailer_id,
    supplierName: row.retailer_name,
    largeRetailerImage: row.retailer_logo,
    condition: row.condition,
    productName: row.product_name,
    productImg: row.product_image || (row.picture ?? ''),
    giftImg: row.gift_image ?? '',
    giftName: row.gift_name ?? '',
    // Members without a value are not written.
    cashbackType: row.cashback_type ?? undefined,
    cashbackValue: row.cashback_pence === null ? undefined : money(row.cashback_pence),
    productUpfrontCost: money(row.upfront_pence),
    supplierContractPrice: money(row.monthly_pence),
    totalDealCost: money(row.total_pence),
    dealLink: row.link,
  };
}

/** @param {Record<string, any>} row @param {string} currency */
export function writeCheapestDeal(row, currency) {
  const [dataAmount, dataUnit] = friendlyData(row.data_megabytes);
  return {
    upfrontProductCost: row.upfront_pence / 100,
    monthlyContractPrice: row.monthly_pence / 100,
    totalContractCost: row.total_pence / 100,
    currencyLabel: currency,
    currenyLabel: currency,
    monthlyTextAllowance: countText(row.text_messages),
    monthlyFriendlyTextAllowance: row.text_messages === null ? 'Unlimited' : String(row.text_messages),
    monthlyTextAllowanceLabel: 'texts',
    monthlyCallAllowance: countText(row.call_minutes),
    monthlyFriendlyCallAllowance: row.call_minutes === null ? 'Unlimited' : String(row.call_minutes),
    monthlyCallAllowanceLabel: 'minutes',
    monthlyDataAllowance: gigabytes(row.data_megabytes),
    monthlyFriendlyDataAllowance: dataAmount,
    monthlyDataAllowanceLabel: dataUnit,
    contractLength: String(row.months),
    contractLengthLabel: row.months === 1 ? 'month' : 'months',
    contractSupplierId: row.network_id,
    contractSupplierName: row.network_name,
    contractSupplierLogo: row.network_logo,
    retailSupplierId: row.retailer_id,
    retailSupplierName: row.retailer_name,
    retailSupplierLogo: row.retailer_logo,
    purchaseLink: row.link,
  };
}
