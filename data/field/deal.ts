import { CURRENCY, type Field } from './field.ts';

/** The keys of a deal in the order in which they are written (spec §2.5). All values are text. */
export const DEAL_FIELDS = [
  { key: 'dealType', meaning: 'kind of deal, a lower-case word', example: 'contract' },
  { key: 'contractName', meaning: 'name of the contract plan', example: 'Quartet Solo 4GB' },
  { key: 'contractLength', meaning: 'contract length', unit: 'months', example: '24' },
  { key: 'friendlyContractLength', meaning: 'contract length as display text', example: '24 months' },
  { key: 'contractSupplierId', meaning: 'id of the network', example: '36' },
  { key: 'contractSupplierName', meaning: 'name of the network', example: 'Quartet' },
  {
    key: 'smallNetworkImage',
    meaning: 'URL of a small network badge; empty where none is given',
    example: 'https://deals.example/images/3b0d61ae8e0bf4d1709ebd8cb3f99978/small.webp',
  },
  {
    key: 'mediumNetworkImage',
    meaning: 'URL of a medium network badge; empty where none is given',
    example: 'https://deals.example/images/3b0d61ae8e0bf4d1709ebd8cb3f99978/medium.webp',
  },
  {
    key: 'largeNetworkImage',
    meaning: 'URL of a large network badge; empty where none is given',
    example: 'https://deals.example/images/3b0d61ae8e0bf4d1709ebd8cb3f99978/large.webp',
  },
  { key: 'dataAllowance', meaning: 'monthly data; 999999 is unlimited', unit: 'gigabytes', example: '4' },
  { key: 'friendlyDataAllowance', meaning: 'monthly data as display text', example: '4GB' },
  { key: 'callAllowance', meaning: 'monthly calls; 999999 is unlimited', unit: 'minutes', example: '999999' },
  { key: 'friendlyCallAllowance', meaning: 'monthly calls as display text', example: 'Unlimited minutes' },
  { key: 'textAllowance', meaning: 'monthly texts; 999999 is unlimited', unit: 'texts', example: '999999' },
  { key: 'friendlyTextAllowance', meaning: 'monthly texts as display text', example: 'Unlimited texts' },
  { key: 'supplierId', meaning: 'id of the retailer', example: '80590' },
  { key: 'supplierName', meaning: 'name of the retailer', example: 'Secondring' },
  {
    key: 'largeRetailerImage',
    meaning: 'URL of the retailer badge; empty where none is given',
    example: 'https://deals.example/images/584432b42fd31d325e63b8f5fdc333ba/large.webp',
  },
  { key: 'condition', meaning: 'New or Refurbished', example: 'New' },
  { key: 'productName', meaning: 'name of the product, exactly as in products', example: 'Kestrel K9 128GB' },
  {
    key: 'productImg',
    meaning: 'URL of the product image; empty where none is given',
    example: 'https://deals.example/images/9a721489497be624c924b346dd18c17c/large.webp',
  },
  { key: 'giftImg', meaning: 'URL of the gift image; empty without a gift', example: '' },
  { key: 'giftName', meaning: 'name of the gift; empty without a gift', example: '' },
  { key: 'cashbackType', meaning: 'cashback description; in cashback deals only', example: 'Cashback by redemption' },
  { key: 'cashbackValue', meaning: 'cashback amount; in cashback deals only', unit: CURRENCY, example: '30.00' },
  { key: 'productUpfrontCost', meaning: 'upfront cost of the handset', unit: CURRENCY, example: '30.00' },
  { key: 'supplierContractPrice', meaning: 'contract price', unit: `${CURRENCY} a month`, example: '36.50' },
  { key: 'totalDealCost', meaning: 'total cost over the contract', unit: CURRENCY, example: '906.00' },
  { key: 'dealLink', meaning: 'URL used to take the deal', example: 'https://secondring.example/deal/38204139857' },
] as const satisfies readonly Field[];

/** The keys of `cheapestDeal` (spec §2.10); the currency symbol is sent under both spellings (D11). */
export const CHEAPEST_DEAL_FIELDS = [
  { key: 'upfrontProductCost', meaning: 'upfront cost', unit: CURRENCY, example: 30 },
  { key: 'monthlyContractPrice', meaning: 'monthly cost', unit: `${CURRENCY} a month`, example: 36.5 },
  {
    key: 'totalContractCost',

    meaning: 'total over the contract including the upfront cost',
    unit: CURRENCY,
    example: 906,
  },
  { key: 'currencyLabel', meaning: 'currency symbol', example: '£' },
  {
    key: 'currenyLabel',

    meaning: 'currency symbol, in the spelling of the documented sample',
    example: '£',
  },
  {
    key: 'monthlyTextAllowance',

    meaning: 'monthly texts; 999999 is unlimited',
    unit: 'texts',
    example: '999999',
  },
  {
    key: 'monthlyFriendlyTextAllowance',

    meaning: 'monthly texts as display text without the unit',
    unit: 'monthlyTextAllowanceLabel',
    example: 'Unlimited',
  },
  { key: 'monthlyTextAllowanceLabel', meaning: 'unit of texts', example: 'texts' },
  {
    key: 'monthlyCallAllowance',

    meaning: 'monthly calls; 999999 is unlimited',
    unit: 'minutes',
    example: '999999',
  },
  {
    key: 'monthlyFriendlyCallAllowance',

    meaning: 'monthly calls as display text without the unit',
    unit: 'monthlyCallAllowanceLabel',
    example: 'Unlimited',
  },
  { key: 'monthlyCallAllowanceLabel', meaning: 'unit of calls', example: 'minutes' },
  {
    key: 'monthlyDataAllowance',

    meaning: 'monthly data; 999999 is unlimited',
    unit: 'gigabytes',
    example: '4',
  },
  {
    key: 'monthlyFriendlyDataAllowance',

    meaning: 'monthly data as display text without the unit',
    unit: 'monthlyDataAllowanceLabel',
    example: '4',
  },
  {
    key: 'monthlyDataAllowanceLabel',

    meaning: 'unit of data: GB, MB, or empty when unlimited',
    example: 'GB',
  },
  { key: 'contractLength', meaning: 'contract length', unit: 'contractLengthLabel', example: '24' },
  {
    key: 'contractLengthLabel',

    meaning: 'unit of the contract length: months or month',
    example: 'months',
  },
  { key: 'contractSupplierId', meaning: 'network id', example: '36' },
  { key: 'contractSupplierName', meaning: 'network name', example: 'Quartet' },
  {
    key: 'contractSupplierLogo',

    meaning: 'URL of the network logo; empty where none is given',
    example: 'https://deals.example/images/3b0d61ae8e0bf4d1709ebd8cb3f99978/deal.webp',
  },
  { key: 'retailSupplierId', meaning: 'retailer id', example: '80590' },
  { key: 'retailSupplierName', meaning: 'retailer name', example: 'Secondring' },
  {
    key: 'retailSupplierLogo',

    meaning: 'URL of the retailer logo; empty where none is given',
    example: 'https://deals.example/images/584432b42fd31d325e63b8f5fdc333ba/deal.webp',
  },
  {
    key: 'purchaseLink',

    meaning: 'URL used to buy the deal',
    example: 'https://secondring.example/deal/38204139857',
  },
] as const satisfies readonly Field[];

/** The keys of a point of `priceHistory` (D24): what the cheapest deal cost from a day on. */
export const PRICE_POINT_FIELDS = [
  { key: 'date', meaning: 'first day, in UTC, of what the point says', example: '2026-08-01' },
  {
    key: 'totalContractCost',
    meaning: 'total over the contract of the cheapest deal; absent on days without a deal',
    unit: CURRENCY,
    example: 743.76,
  },
  {
    key: 'monthlyContractPrice',
    meaning: 'its monthly cost; absent on days without a deal',
    unit: `${CURRENCY} a month`,
    example: 30.99,
  },
  {
    key: 'upfrontProductCost',
    meaning: 'its upfront cost; absent on days without a deal',
    unit: CURRENCY,
    example: 0,
  },
  { key: 'dealCount', meaning: 'how many deals the product had', example: 41 },
] as const satisfies readonly Field[];

export type DealKey = (typeof DEAL_FIELDS)[number]['key'];
export type CheapestDealKey = (typeof CHEAPEST_DEAL_FIELDS)[number]['key'];
