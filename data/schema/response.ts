import { z } from 'zod';
import { CHEAPEST_DEAL_FIELDS, DEAL_FIELDS, PRICE_POINT_FIELDS } from '../field/deal.ts';
import {
  CONTENT_FIELDS,
  describeField,
  GROUP_FIELDS,
  ITEM_FIELDS,
  META_DATA_FIELDS,
  PRODUCT_FIELDS,
  type Field,
} from '../field/field.ts';
import { GIFT_IMAGE_KEYS, IMAGE_FIELDS } from '../field/image.ts';
import { SPEC_FIELDS } from '../field/spec.ts';
import {
  ALLOWED_MEANING,
  ERROR_FIELDS,
  ERRORS_MEANING,
  PROBLEM_FIELDS,
  PROBLEMS,
  type ProblemCode,
} from '../query/problem.ts';

/**
 * The responses of the interface as JSON Schemas, made from the zod schemas below. These use only what JSON Schema can
 * express (strict objects, patterns without flags, no refinements), because zod drops everything else silently.
 */

/** Grammar of the texts in a response. Anchored, and linear by construction. */
const WHOLE_NUMBER = '(?:0|[1-9][0-9]*)';
const GIGABYTES = `${WHOLE_NUMBER}(?:\\.[0-9]{0,2}[1-9])?`;

const idSchema = z.string().regex(/^(?:0|[1-9][0-9]*)$/);
const slugSchema = z.string().regex(/^[0-9._~-]*[a-z][a-z0-9._~-]*$/);
const nameSchema = z.string().min(1);
const attributeSchema = z.string().min(1);
const pictureSchema = z.string().regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/);
const optionalPictureSchema = z.string().regex(/^(?:$|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/])/);
const linkSchema = pictureSchema;
const conditionSchema = z.enum(['New', 'Refurbished']);
/** Two decimals (spec §2.5). */
const moneySchema = z.string().regex(new RegExp(`^${WHOLE_NUMBER}\\.[0-9]{2}$`));
const countSchema = z.string().regex(new RegExp(`^${WHOLE_NUMBER}$`));
const gigabytesSchema = z.string().regex(new RegExp(`^${GIGABYTES}$`));

const contentSchema = optionalKeys(CONTENT_FIELDS, attributeSchema);
const metaDataSchema = optionalKeys(META_DATA_FIELDS, attributeSchema);
const specsSchema = optionalKeys(SPEC_FIELDS, attributeSchema);
const productImagesSchema = optionalKeys(IMAGE_FIELDS, pictureSchema);
const giftImagesSchema = optionalKeys(
  IMAGE_FIELDS.filter(({ key }) => GIFT_IMAGE_KEYS.includes(key)),
  pictureSchema,
);

/** A deal of `deals` (spec §2.5, D10): all values are text. */
const plainDealShape = {
  dealType: z.string().regex(/^[a-z][a-z0-9-]*$/),
  contractName: nameSchema,
  contractLength: z.string().regex(/^[1-9][0-9]*$/),
  friendlyContractLength: friendlyCountSchema('month', { hasNone: false, hasUnlimited: false }),
  contractSupplierId: idSchema,
  contractSupplierName: nameSchema,
  smallNetworkImage: optionalPictureSchema,
  mediumNetworkImage: optionalPictureSchema,
  largeNetworkImage: optionalPictureSchema,
  dataAllowance: gigabytesSchema,
  friendlyDataAllowance: z.string().regex(new RegExp(`^(?:Unlimited data|${GIGABYTES}GB|[1-9][0-9]{0,2}MB)$`)),
  callAllowance: countSchema,
  friendlyCallAllowance: friendlyCountSchema('minute', { hasNone: true, hasUnlimited: true }),
  textAllowance: countSchema,
  friendlyTextAllowance: friendlyCountSchema('text', { hasNone: true, hasUnlimited: true }),
  supplierId: idSchema,
  supplierName: nameSchema,
  largeRetailerImage: optionalPictureSchema,
  condition: conditionSchema,
  productName: nameSchema,
  productImg: optionalPictureSchema,
  giftImg: optionalPictureSchema,
  giftName: z.string(),
  productUpfrontCost: moneySchema,
  supplierContractPrice: moneySchema,
  totalDealCost: moneySchema,
  dealLink: linkSchema,
};
const cashbackDealShape = { ...plainDealShape, cashbackType: nameSchema, cashbackValue: moneySchema };

const plainDealSchema = z.strictObject(describeKeys(plainDealShape, DEAL_FIELDS.filter(isOfPlainDeal)));
const cashbackDealSchema = z.strictObject(describeKeys(cashbackDealShape, DEAL_FIELDS));
/** Both cashback keys, or neither. */
const dealSchema = z.union([plainDealSchema, cashbackDealSchema]);

/** `cheapestDeal` of a product (spec §2.10, D11): decimals are numbers, everything else is text. */
const cheapestDealSchema = z.strictObject(
  describeKeys(
    {
      upfrontProductCost: z.number().min(0),
      monthlyContractPrice: z.number().min(0),
      totalContractCost: z.number().min(0),
      currencyLabel: z.string().min(1),
      currenyLabel: z.string().min(1),
      monthlyTextAllowance: countSchema,
      monthlyFriendlyTextAllowance: z.string().regex(new RegExp(`^(?:Unlimited|${WHOLE_NUMBER})$`)),
      monthlyTextAllowanceLabel: z.literal('texts'),
      monthlyCallAllowance: countSchema,
      monthlyFriendlyCallAllowance: z.string().regex(new RegExp(`^(?:Unlimited|${WHOLE_NUMBER})$`)),
      monthlyCallAllowanceLabel: z.literal('minutes'),
      monthlyDataAllowance: gigabytesSchema,
      monthlyFriendlyDataAllowance: z.string().regex(new RegExp(`^(?:Unlimited|${GIGABYTES})$`)),
      monthlyDataAllowanceLabel: z.enum(['GB', 'MB', '']),
      contractLength: z.string().regex(/^[1-9][0-9]*$/),
      contractLengthLabel: z.enum(['month', 'months']),
      contractSupplierId: idSchema,
      contractSupplierName: nameSchema,
      contractSupplierLogo: optionalPictureSchema,
      retailSupplierId: idSchema,
      retailSupplierName: nameSchema,
      retailSupplierLogo: optionalPictureSchema,
      purchaseLink: linkSchema,
    },
    CHEAPEST_DEAL_FIELDS,
  ),
);

const dateSchema = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
const pricePointSchema = z.strictObject(
  describeKeys(
    {
      date: dateSchema,
      totalContractCost: z.number().min(0).optional(),
      monthlyContractPrice: z.number().min(0).optional(),
      upfrontProductCost: z.number().min(0).optional(),
      dealCount: z.number().int().min(0),
    },
    PRICE_POINT_FIELDS,
  ),
);

/** `priceHistory` of a product (D24); without points in a snapshot of an older build. */
const priceHistorySchema = z.strictObject({
  since: dateSchema.optional().describe('The date of the first point.'),
  points: z.array(pricePointSchema).describe('Oldest first: one for each day on which anything differed.'),
  lowest: z
    .strictObject({
      date: dateSchema.describe('The date of the point.'),
      totalContractCost: z.number().min(0).describe('Its total cost.'),
    })
    .optional()
    .describe('The first point with the lowest total cost; absent where no point has a deal.'),
});

const itemShape = describeKeys({ id: idSchema, name: nameSchema, slug: slugSchema }, ITEM_FIELDS);
const itemSchema = z.strictObject(itemShape);
const manufacturerSchema = z.strictObject({ name: itemShape.name, slug: itemShape.slug });

const productSchema = z.strictObject({
  ...itemShape,
  ...describeKeys(
    {
      condition: conditionSchema.optional(),
      manufacturer: manufacturerSchema.optional(),
      model: slugSchema.optional(),
      dealCount: z.number().int().min(0).optional(),
    },
    PRODUCT_FIELDS,
  ),
  content: contentSchema.optional().describe(GROUP_FIELDS.content),
  pageContent: contentSchema.optional().describe(GROUP_FIELDS.pageContent),
  metaData: metaDataSchema.optional().describe(GROUP_FIELDS.metaData),
  specs: specsSchema.optional().describe(GROUP_FIELDS.specs),
  images: productImagesSchema.optional().describe(GROUP_FIELDS.images),
  cheapestDeal: cheapestDealSchema.optional().describe(GROUP_FIELDS.cheapestDeal),
  priceHistory: priceHistorySchema.optional().describe(GROUP_FIELDS.priceHistory),
});

const giftSchema = z.strictObject({
  ...itemShape,
  content: contentSchema.optional().describe(GROUP_FIELDS.content),
  metaData: metaDataSchema.optional().describe(GROUP_FIELDS.metaData),
  images: giftImagesSchema.optional().describe(GROUP_FIELDS.images),
});

const giftCategorySchema = z.strictObject({
  ...giftSchema.shape,
  pageContent: contentSchema.optional().describe(GROUP_FIELDS.pageContent),
  gifts: z
    .strictObject({ gifts: z.array(itemSchema) })
    .optional()
    .describe(GROUP_FIELDS.gifts),
});

const productsSchema = z.strictObject({ products: z.array(productSchema), deals: z.array(dealSchema).optional() });

/** One fault of a request (D17). */
const errorSchema = z.strictObject({
  ...describeKeys(
    {
      parameter: z.string(),
      code: problemCodeSchema(),
      detail: z.string().min(1),
      value: z.string(),
      suggestion: z.string().optional(),
    },
    ERROR_FIELDS,
  ),
  allowed: z.array(z.string()).optional().describe(ALLOWED_MEANING),
});

const problemSchema = z.strictObject({
  ...describeKeys(
    {
      type: z.string().regex(/^(?:https?:\/\/[^/]+)?\/problems\/[a-z-]+$/),
      title: z.string().min(1),
      status: z.number().int().min(400).max(599),
      detail: z.string().min(1),
      instance: z.string().min(1),
      code: problemCodeSchema(),
    },
    PROBLEM_FIELDS,
  ),
  errors: z.array(errorSchema).describe(ERRORS_MEANING),
});

/** The response of every endpoint by its name in `ENDPOINTS`, and the body of every error response. */
export const RESPONSES = {
  products: productsSchema,
  product: productsSchema,
  giftCategories: z.strictObject({ giftCategories: z.array(giftCategorySchema) }),
  gifts: z.strictObject({ gifts: z.array(giftSchema) }),
  networks: z.strictObject({ networks: z.array(itemSchema) }),
  retailers: z.strictObject({ retailers: z.array(itemSchema) }),
  manufacturers: z.strictObject({ manufacturers: z.array(manufacturerSchema) }),
  problem: problemSchema,
} as const;

export type ResponseName = keyof typeof RESPONSES;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The objects of responses, by name, for the OpenAPI document. */
const COMPONENTS = {
  Item: itemSchema,
  Manufacturer: manufacturerSchema,
  Content: contentSchema,
  MetaData: metaDataSchema,
  Specs: specsSchema,
  ProductImages: productImagesSchema,
  GiftImages: giftImagesSchema,
  CheapestDeal: cheapestDealSchema,
  PricePoint: pricePointSchema,
  PriceHistory: priceHistorySchema,
  PlainDeal: plainDealSchema,
  CashbackDeal: cashbackDealSchema,
  Product: productSchema,
  GiftCategory: giftCategorySchema,
  Gift: giftSchema,
  Fault: errorSchema,
} as const;

/** `ProductsAnswer`: the name of the response of an endpoint among the component schemas. */
export function responseComponent(name: ResponseName): string {
  return name === 'problem' ? 'Problem' : `${name.charAt(0).toUpperCase()}${name.slice(1)}Answer`;
}

/**
 * JSON Schema of every response and of its parts, by name. They refer to each other.
 * @param referTo the reference to the schema of a name
 */
export function createComponentSchemas(referTo: (name: string) => string): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  // One product and a page of them are one shape, under the name of the page.
  for (const [name, schema] of Object.entries(RESPONSES)) {
    if (name !== 'product') registry.add(schema, { id: responseComponent(name as ResponseName) });
  }
  return z.toJSONSchema(registry, { target: 'draft-2020-12', uri: referTo }).schemas;
}

function optionalKeys<Key extends string>(fields: readonly (Field & { readonly key: Key })[], value: z.ZodString) {
  const shape = Object.fromEntries(fields.map(({ key }) => [key, value.optional()])) as Record<
    Key,
    z.ZodOptional<z.ZodString>
  >;
  return z.strictObject(describeKeys(shape, fields));
}

type DealField = (typeof DEAL_FIELDS)[number];

function isOfPlainDeal(field: DealField): field is Extract<DealField, { key: keyof typeof plainDealShape }> {
  return field.key in plainDealShape;
}

/** `500 minutes`, `1 minute`, `Unlimited minutes` (D10). */
function friendlyCountSchema(unit: string, { hasNone, hasUnlimited }: { hasNone: boolean; hasUnlimited: boolean }) {
  const plural = `(?:${hasNone ? '0|' : ''}[2-9]|[1-9][0-9]+)`;
  return z.string().regex(new RegExp(`^(?:${hasUnlimited ? `Unlimited ${unit}s|` : ''}1 ${unit}|${plural} ${unit}s)$`));
}

function problemCodeSchema() {
  return z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);
}

/**
 * Adds meaning, unit and example from the table of fields to the schemas of an object. The compiler finds a row without a
 * schema.
 * @throws {Error} of a schema without a row, at the start of the program
 */
function describeKeys<Shape extends Readonly<Record<string, z.ZodType>>>(
  shape: Shape,
  fields: readonly (Field & { readonly key: keyof Shape })[],
): Shape {
  const described = Object.entries(shape).map(([key, schema]): [string, z.ZodType] => {
    const field = fields.find((candidate) => candidate.key === key);
    if (field === undefined) throw new Error(`the key ${key} of an answer has no row in a table of fields`);
    return [key, schema.meta({ description: describeField(field), examples: [field.example] })];
  });
  return Object.fromEntries(described) as Shape;
}
