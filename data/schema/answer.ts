import { z } from 'zod';
import { IMAGE_KEYS, GIFT_IMAGE_KEYS } from '../field/image.ts';
import { SPEC_KEYS } from '../field/spec.ts';
import { PROBLEMS, type ProblemCode } from '../query/problem.ts';

/**
 * The answers of the interface as JSON Schemas, made from the zod schemas below. Only what JSON Schema can say is used:
 * strict objects, patterns without flags, no refinements; anything else would be lost on the way without a word.
 */

/** Grammar of the texts in an answer. Anchored, and linear by construction. */
const WHOLE = '(?:0|[1-9][0-9]*)';
const GIGABYTES = `${WHOLE}(?:\\.[0-9]{0,2}[1-9])?`;

const idSchema = z.string().regex(/^(?:0|[1-9][0-9]*)$/);
const slugSchema = z.string().regex(/^[0-9._~-]*[a-z][a-z0-9._~-]*$/);
const nameSchema = z.string().min(1);
const attributeSchema = z.string().min(1);
const pictureSchema = z.string().regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/]/);
const optionalPictureSchema = z.string().regex(/^(?:$|[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/])/);
const linkSchema = pictureSchema;
/** Two decimals (spec §2.5). */
const moneySchema = z.string().regex(new RegExp(`^${WHOLE}\\.[0-9]{2}$`));
const countSchema = z.string().regex(new RegExp(`^${WHOLE}$`));
const gigabytesSchema = z.string().regex(new RegExp(`^${GIGABYTES}$`));

const contentSchema = z.strictObject({ heading: attributeSchema.optional(), introduction: attributeSchema.optional() });

const metaDataSchema = z.strictObject({
  title: attributeSchema.optional(),
  description: attributeSchema.optional(),
  keywords: attributeSchema.optional(),
});

const specsSchema = optionalKeys(SPEC_KEYS, attributeSchema);
const productImagesSchema = optionalKeys(IMAGE_KEYS, pictureSchema);
const giftImagesSchema = optionalKeys(GIFT_IMAGE_KEYS, pictureSchema);

/** A deal of `deals` (spec §2.5, D10): all values are text. */
const plainDealSchema = z.strictObject({
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
  condition: z.enum(['New', 'Refurbished']),
  productName: nameSchema,
  productImg: optionalPictureSchema,
  giftImg: optionalPictureSchema,
  giftName: z.string(),
  productUpfrontCost: moneySchema,
  supplierContractPrice: moneySchema,
  totalDealCost: moneySchema,
  dealLink: linkSchema,
});

/** Both cashback keys, or neither. */
const dealSchema = z.union([
  plainDealSchema,
  z.strictObject({ ...plainDealSchema.shape, cashbackType: nameSchema, cashbackValue: moneySchema }),
]);

/** `cheapestDeal` of a product (spec §2.10, D11): decimals are numbers, everything else is text. */
const cheapestDealSchema = z.strictObject({
  upfrontProductCost: z.number().min(0),
  monthlyContractPrice: z.number().min(0),
  totalContractCost: z.number().min(0),
  currencyLabel: z.string().min(1),
  currenyLabel: z.string().min(1),
  monthlyTextAllowance: countSchema,
  monthlyFriendlyTextAllowance: z.string().regex(new RegExp(`^(?:Unlimited|${WHOLE})$`)),
  monthlyTextAllowanceLabel: z.literal('texts'),
  monthlyCallAllowance: countSchema,
  monthlyFriendlyCallAllowance: z.string().regex(new RegExp(`^(?:Unlimited|${WHOLE})$`)),
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
});

const itemShape = { id: idSchema, name: nameSchema, slug: slugSchema };

const productSchema = z.strictObject({
  ...itemShape,
  content: contentSchema.optional(),
  pageContent: contentSchema.optional(),
  metaData: metaDataSchema.optional(),
  specs: specsSchema.optional(),
  images: productImagesSchema.optional(),
  cheapestDeal: cheapestDealSchema.optional(),
});

const giftSchema = z.strictObject({
  ...itemShape,
  content: contentSchema.optional(),
  metaData: metaDataSchema.optional(),
  images: giftImagesSchema.optional(),
});

const giftCategorySchema = z.strictObject({
  ...giftSchema.shape,
  pageContent: contentSchema.optional(),
  gifts: z.strictObject({ gifts: z.array(z.strictObject(itemShape)) }).optional(),
});

const productsSchema = z.strictObject({ products: z.array(productSchema), deals: z.array(dealSchema).optional() });

/** One fault of a request (D17). */
const faultSchema = z.strictObject({
  parameter: z.string(),
  code: problemCodeSchema(),
  detail: z.string().min(1),
  value: z.string(),
  allowed: z.array(z.string()).optional(),
  suggestion: z.string().optional(),
});

const problemSchema = z.strictObject({
  type: z.string().regex(/^(?:https?:\/\/[^/]+)?\/problems\/[a-z-]+$/),
  title: z.string().min(1),
  status: z.number().int().min(400).max(599),
  detail: z.string().min(1),
  instance: z.string().min(1),
  code: problemCodeSchema(),
  errors: z.array(faultSchema),
});

/** The answer of every endpoint by its name in `ENDPOINTS`, and the body of every refusal. */
export const ANSWERS = {
  products: productsSchema,
  product: productsSchema,
  giftCategories: z.strictObject({ giftCategories: z.array(giftCategorySchema) }),
  gifts: z.strictObject({ gifts: z.array(giftSchema) }),
  networks: z.strictObject({ networks: z.array(z.strictObject(itemShape)) }),
  retailers: z.strictObject({ retailers: z.array(z.strictObject(itemShape)) }),
  manufacturers: z.strictObject({ manufacturers: z.array(z.strictObject({ name: nameSchema, slug: slugSchema })) }),
  problem: problemSchema,
} as const;

export type AnswerName = keyof typeof ANSWERS;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schema (draft 2020-12) of every answer. */
export const ANSWER_SCHEMAS = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, schema]): [string, JsonSchema] => [
    name,
    { ...z.toJSONSchema(schema, { target: 'draft-2020-12' }) },
  ]),
) as Readonly<Record<AnswerName, JsonSchema>>;

function optionalKeys<Key extends string>(keys: readonly Key[], value: z.ZodString) {
  return z.strictObject(
    Object.fromEntries(keys.map((key) => [key, value.optional()])) as Record<Key, z.ZodOptional<z.ZodString>>,
  );
}

/** `500 minutes`, `1 minute`, `Unlimited minutes` (D10). */
function friendlyCountSchema(unit: string, { hasNone, hasUnlimited }: { hasNone: boolean; hasUnlimited: boolean }) {
  const plural = `(?:${hasNone ? '0|' : ''}[2-9]|[1-9][0-9]+)`;
  return z.string().regex(new RegExp(`^(?:${hasUnlimited ? `Unlimited ${unit}s|` : ''}1 ${unit}|${plural} ${unit}s)$`));
}

function problemCodeSchema() {
  return z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);
}
