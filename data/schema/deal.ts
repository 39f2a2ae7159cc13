import { z } from 'zod';
import { CURRENCY, DEAL_FIELDS, describeField, type Field } from '../field/field.ts';

/**
 * Schemas of the texts in a response. Patterns are anchored, linear by construction, and without flags: JSON Schema can
 * express nothing else, and zod drops it silently.
 */

const WHOLE_NUMBER = '(?:0|[1-9][0-9]*)';
const GIGABYTES = `${WHOLE_NUMBER}(?:\\.[0-9]{0,2}[1-9])?`;

export const idSchema = z.string().regex(/^(?:0|[1-9][0-9]*)$/);
export const slugSchema = z.string().regex(/^[0-9._~-]*[a-z][a-z0-9._~-]*$/);
export const textSchema = z.string().min(1);
/** Of a picture or a link. */
export const urlSchema = z.string().regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/);
const optionalUrlSchema = z.string().regex(/^(?:$|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/])/);
export const conditionSchema = z.enum(['New', 'Refurbished']);
const dateSchema = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);

/** The schema of a key of a response: what its value means, an example, and the unit of a number. */
export function keyOf<Schema extends z.ZodType>(
  schema: Schema,
  meaning: string,
  example: Field['example'],
  unit?: string,
): Schema {
  return schema.meta({ description: describeField({ meaning, unit }), examples: [example] });
}

/** The schemas of the keys that a table of fields has, with what it says of them. */
export function describeKeys<Key extends string, Shape extends Readonly<Record<Key, z.ZodType>>>(
  fields: readonly (Field & { readonly key: Key })[],
  shape: Shape,
): Shape {
  const described = fields.map(({ key, meaning, example, unit }) => [key, keyOf(shape[key], meaning, example, unit)]);
  return Object.fromEntries(described);
}

/** Two decimals (spec §2.5). */
const moneySchema = z.string().regex(new RegExp(`^${WHOLE_NUMBER}\\.[0-9]{2}$`));
const poundsSchema = z.number().min(0);
const countSchema = z.string().regex(new RegExp(`^${WHOLE_NUMBER}$`));
const limitedCountSchema = z.string().regex(new RegExp(`^(?:Unlimited|${WHOLE_NUMBER})$`));
const monthsSchema = z.string().regex(/^[1-9][0-9]*$/);
const gigabytesSchema = z.string().regex(new RegExp(`^${GIGABYTES}$`));
const friendlyMonthsSchema = z.string().regex(/^(?:1 month|(?:[2-9]|[1-9][0-9]+) months)$/);
const friendlyDataSchema = z.string().regex(new RegExp(`^(?:Unlimited data|${GIGABYTES}GB|[1-9][0-9]{0,2}MB)$`));
const limitedDataSchema = z.string().regex(new RegExp(`^(?:Unlimited|${GIGABYTES})$`));

const BADGES = 'https://deals.example/images/3b0d61ae8e0bf4d1709ebd8cb3f99978';
const RETAILER_BADGES = 'https://deals.example/images/584432b42fd31d325e63b8f5fdc333ba';

function pictureOf(what: string, example: string) {
  return keyOf(optionalUrlSchema, `URL of ${what}; empty where none is given`, example);
}

const plainDealShape = {
  dealType: keyOf(z.string().regex(/^[a-z][a-z0-9-]*$/), 'kind of deal, a lower-case word', 'contract'),
  contractName: keyOf(textSchema, 'name of the contract plan', 'Quartet Solo 4GB'),
  contractLength: keyOf(monthsSchema, 'contract length', '24', 'months'),
  friendlyContractLength: keyOf(friendlyMonthsSchema, 'contract length as display text', '24 months'),
  contractSupplierId: keyOf(idSchema, 'id of the network', '36'),
  contractSupplierName: keyOf(textSchema, 'name of the network', 'Quartet'),
  smallNetworkImage: pictureOf('a small network badge', `${BADGES}/small.webp`),
  mediumNetworkImage: pictureOf('a medium network badge', `${BADGES}/medium.webp`),
  largeNetworkImage: pictureOf('a large network badge', `${BADGES}/large.webp`),
  dataAllowance: keyOf(gigabytesSchema, 'monthly data; 999999 is unlimited', '4', 'gigabytes'),
  friendlyDataAllowance: keyOf(friendlyDataSchema, 'monthly data as display text', '4GB'),
  callAllowance: keyOf(countSchema, 'monthly calls; 999999 is unlimited', '999999', 'minutes'),
  friendlyCallAllowance: keyOf(friendlyCountSchema('minute'), 'monthly calls as display text', 'Unlimited minutes'),
  textAllowance: keyOf(countSchema, 'monthly texts; 999999 is unlimited', '999999', 'texts'),
  friendlyTextAllowance: keyOf(friendlyCountSchema('text'), 'monthly texts as display text', 'Unlimited texts'),
  supplierId: keyOf(idSchema, 'id of the retailer', '80590'),
  supplierName: keyOf(textSchema, 'name of the retailer', 'Secondring'),
  largeRetailerImage: pictureOf('the retailer badge', `${RETAILER_BADGES}/large.webp`),
  condition: keyOf(conditionSchema, 'New or Refurbished', 'New'),
  productName: keyOf(textSchema, 'name of the product, exactly as in products', 'Kestrel K9 128GB'),
  productImg: pictureOf(
    'the product image',
    'https://deals.example/images/9a721489497be624c924b346dd18c17c/large.webp',
  ),
  giftImg: keyOf(optionalUrlSchema, 'URL of the gift image; empty without a gift', ''),
  giftName: keyOf(z.string(), 'name of the gift; empty without a gift', ''),
  productUpfrontCost: keyOf(moneySchema, 'upfront cost of the handset', '30.00', CURRENCY),
  supplierContractPrice: keyOf(moneySchema, 'contract price', '36.50', `${CURRENCY} a month`),
  totalDealCost: keyOf(moneySchema, 'total cost over the contract', '906.00', CURRENCY),
  dealLink: keyOf(urlSchema, 'URL used to take the deal', 'https://secondring.example/deal/38204139857'),
};

/** When `fields` asks for them (D26). */
const attributeShape = describeKeys(DEAL_FIELDS, {
  productId: idSchema.optional(),
  productSlug: slugSchema.optional(),
  giftId: idSchema.optional(),
});

const cashbackShape = {
  cashbackType: keyOf(textSchema, 'cashback description; in cashback deals only', 'Cashback by redemption'),
  cashbackValue: keyOf(moneySchema, 'cashback amount; in cashback deals only', '30.00', CURRENCY),
};

/** A deal of `deals` (spec §2.5, D10): all values are text. */
export const plainDealSchema = z.strictObject({ ...plainDealShape, ...attributeShape });
export const cashbackDealSchema = z.strictObject({ ...plainDealShape, ...attributeShape, ...cashbackShape });
/** Both cashback keys, or neither. */
export const dealSchema = z.union([plainDealSchema, cashbackDealSchema]);

/** An amount whose unit is another key. */
function amountOf(schema: z.ZodString, what: string, example: string, unit: string) {
  return keyOf(schema, `monthly ${what} as display text without the unit`, example, unit);
}

/**
 * `cheapestDeal` of a product (spec §2.10, D11): decimals are numbers, everything else is text. The currency symbol is sent
 * under both spellings.
 */
export const cheapestDealSchema = z.strictObject({
  upfrontProductCost: keyOf(poundsSchema, 'upfront cost', 30, CURRENCY),
  monthlyContractPrice: keyOf(poundsSchema, 'monthly cost', 36.5, `${CURRENCY} a month`),
  totalContractCost: keyOf(poundsSchema, 'total over the contract including the upfront cost', 906, CURRENCY),
  currencyLabel: keyOf(textSchema, 'currency symbol', '£'),
  currenyLabel: keyOf(textSchema, 'currency symbol, in the spelling of the documented sample', '£'),
  monthlyTextAllowance: keyOf(countSchema, 'monthly texts; 999999 is unlimited', '999999', 'texts'),
  monthlyFriendlyTextAllowance: amountOf(limitedCountSchema, 'texts', 'Unlimited', 'monthlyTextAllowanceLabel'),
  monthlyTextAllowanceLabel: keyOf(z.literal('texts'), 'unit of texts', 'texts'),
  monthlyCallAllowance: keyOf(countSchema, 'monthly calls; 999999 is unlimited', '999999', 'minutes'),
  monthlyFriendlyCallAllowance: amountOf(limitedCountSchema, 'calls', 'Unlimited', 'monthlyCallAllowanceLabel'),
  monthlyCallAllowanceLabel: keyOf(z.literal('minutes'), 'unit of calls', 'minutes'),
  monthlyDataAllowance: keyOf(gigabytesSchema, 'monthly data; 999999 is unlimited', '4', 'gigabytes'),
  monthlyFriendlyDataAllowance: amountOf(limitedDataSchema, 'data', '4', 'monthlyDataAllowanceLabel'),
  monthlyDataAllowanceLabel: keyOf(z.enum(['GB', 'MB', '']), 'unit of data: GB, MB, or empty when unlimited', 'GB'),
  contractLength: keyOf(monthsSchema, 'contract length', '24', 'contractLengthLabel'),
  contractLengthLabel: keyOf(z.enum(['month', 'months']), 'unit of the contract length: months or month', 'months'),
  contractSupplierId: keyOf(idSchema, 'network id', '36'),
  contractSupplierName: keyOf(textSchema, 'network name', 'Quartet'),
  contractSupplierLogo: pictureOf('the network logo', `${BADGES}/deal.webp`),
  retailSupplierId: keyOf(idSchema, 'retailer id', '80590'),
  retailSupplierName: keyOf(textSchema, 'retailer name', 'Secondring'),
  retailSupplierLogo: pictureOf('the retailer logo', `${RETAILER_BADGES}/deal.webp`),
  purchaseLink: keyOf(urlSchema, 'URL used to buy the deal', 'https://secondring.example/deal/38204139857'),
  ...attributeShape,
});

function priceOf(meaning: string, example: number, unit = CURRENCY) {
  return keyOf(poundsSchema.optional(), `${meaning}; absent on days without a deal`, example, unit);
}

/** A point of `priceHistory` (D24): what the cheapest deal cost from a day on. */
export const pricePointSchema = z.strictObject({
  date: keyOf(dateSchema, 'first day, in UTC, of what the point says', '2026-08-01'),
  totalContractCost: priceOf('total over the contract of the cheapest deal', 743.76),
  monthlyContractPrice: priceOf('its monthly cost', 30.99, `${CURRENCY} a month`),
  upfrontProductCost: priceOf('its upfront cost', 0),
  dealCount: keyOf(z.number().int().min(0), 'how many deals the product had', 41),
});

/** `priceHistory` of a product (D24); without points in a snapshot of an older build. */
export const priceHistorySchema = z.strictObject({
  since: dateSchema.optional().describe('The date of the first point.'),
  points: z.array(pricePointSchema).describe('Oldest first: one for each day on which anything differed.'),
  lowest: z
    .strictObject({
      date: dateSchema.describe('The date of the point.'),
      totalContractCost: poundsSchema.describe('Its total cost.'),
    })
    .optional()
    .describe('The first point with the lowest total cost; absent where no point has a deal.'),
});

export type DealKey = keyof z.infer<typeof cashbackDealSchema>;
export type CheapestDealKey = keyof z.infer<typeof cheapestDealSchema>;

/** `500 minutes`, `1 minute`, `Unlimited minutes` (D10). */
function friendlyCountSchema(unit: string) {
  return z.string().regex(new RegExp(`^(?:Unlimited ${unit}s|1 ${unit}|(?:0|[2-9]|[1-9][0-9]+) ${unit}s)$`));
}
