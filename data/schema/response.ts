import { z } from 'zod';
import {
  CONTENT_FIELDS,
  GROUP_FIELDS,
  META_DATA_FIELDS,
  PRODUCT_FIELDS,
  type Field,
  SPEC_FIELDS,
} from '../field/field.ts';
import { GIFT_IMAGE_KEYS, IMAGE_FIELDS } from '../field/image.ts';
import { FACETS, FILTER_KINDS, filterRow } from '../query/filter.ts';
import { PROBLEMS, type ProblemCode } from '../query/problem.ts';
import {
  cashbackDealSchema,
  cheapestDealSchema,
  conditionSchema,
  dealSchema,
  describeKeys,
  idSchema,
  keyOf,
  plainDealSchema,
  priceHistorySchema,
  pricePointSchema,
  slugSchema,
  textSchema,
  urlSchema,
} from './deal.ts';

/** The responses of the interface: JSON Schema is made from these zod schemas. */

const contentSchema = optionalKeys(CONTENT_FIELDS, textSchema);
const metaDataSchema = optionalKeys(META_DATA_FIELDS, textSchema);
const specsSchema = optionalKeys(SPEC_FIELDS, textSchema);
const productImagesSchema = optionalKeys(IMAGE_FIELDS, urlSchema);
const giftImagesSchema = optionalKeys(
  IMAGE_FIELDS.filter(({ key }) => GIFT_IMAGE_KEYS.includes(key)),
  urlSchema,
);

/** What every item has (spec §2.2 to §2.4, D21). */
const itemShape = {
  id: keyOf(idSchema, 'id, decimal digits; a new and a refurbished product may share one', '101'),
  name: keyOf(textSchema, 'name for display', 'Kestrel K9 128GB'),
  slug: keyOf(slugSchema, 'URL-safe text form of the name', 'kestrel-k9-128gb'),
};
const itemSchema = z.strictObject(itemShape);
const manufacturerSchema = z.strictObject({ name: itemShape.name, slug: itemShape.slug });

const productSchema = z.strictObject({
  ...itemShape,
  ...describeKeys(PRODUCT_FIELDS, {
    condition: conditionSchema.optional(),
    manufacturer: manufacturerSchema.optional(),
    model: slugSchema.optional(),
    dealCount: z.number().int().min(0).optional(),
  }),
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

const facetCount = keyOf(z.number().int().min(1), 'how many products the request would find with this value', 12);
const recordFacetSchema = z.strictObject({ ...itemShape, count: facetCount });
const manufacturerFacetSchema = z.strictObject({ ...manufacturerSchema.shape, count: facetCount });
const valueFacetSchema = z.strictObject({
  value: keyOf(textSchema, 'a value of the filter', '24'),
  count: facetCount,
});

/** `facets` (D25): those asked for, by the name of their filter. */
const facetsSchema = z
  .strictObject(
    Object.fromEntries(
      FACETS.map((name) => {
        const { list } = FILTER_KINDS[filterRow(name).kind];
        if (list === undefined) return [name, z.array(valueFacetSchema)];
        return [name, z.array(list === 'manufacturers' ? manufacturerFacetSchema : recordFacetSchema)];
      }),
    ),
  )
  .partial();

const productsSchema = z.strictObject({
  products: z.array(productSchema),
  deals: z.array(dealSchema).optional(),
  facets: facetsSchema.optional().describe('Of the list of products, when `facets` asks for them.'),
});

const problemCodeSchema = z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);
const DETAIL_EXAMPLE = 'filter[condition]: expected one of new, refurbished, got "New"; did you mean "new"?';

/** One fault of a request (D17). */
const errorSchema = z.strictObject({
  parameter: keyOf(z.string(), 'the parameter as sent, or `id` for that of the path', 'filter[condition]'),
  code: keyOf(problemCodeSchema, 'what is wrong with it', 'unknown-value'),
  detail: keyOf(textSchema, 'what was expected and what arrived, in one sentence, which may change', DETAIL_EXAMPLE),
  value: keyOf(z.string(), 'what arrived: the whole value, or the one bad word', 'New'),
  suggestion: keyOf(z.string().optional(), 'the word that was probably meant, where there is one', 'new'),
  allowed: z.array(z.string()).optional().describe('The words that are allowed, where they are a list.'),
});

/** Every refusal (RFC 9457, D17). */
const problemSchema = z.strictObject({
  type: keyOf(
    z.string().regex(/^(?:https?:\/\/[^/]+)?\/problems\/[a-z-]+$/),
    'path of a page that explains the code',
    '/problems/unknown-value',
  ),
  title: keyOf(textSchema, 'what the code means', 'A word is not one of those allowed'),
  status: keyOf(z.number().int().min(400).max(599), 'the status of the answer', 400),
  detail: keyOf(textSchema, 'what is wrong with this request, in one sentence, which may change', DETAIL_EXAMPLE),
  instance: keyOf(textSchema, 'the request id, as in `X-Request-Id` and in the log', '5f0c2a91-4k'),
  code: keyOf(problemCodeSchema, 'which error it is; a code never changes', 'unknown-value'),
  errors: z.array(errorSchema).describe('Every fault of the request; empty where no parameter is to blame.'),
});

/** The response of every endpoint by its name in `ENDPOINTS`, and the body of every error response. */
export const RESPONSES = {
  products: productsSchema,
  product: productsSchema,
  deals: z.strictObject({ deals: z.array(dealSchema) }),
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
  const schemas = Object.fromEntries(fields.map(({ key }) => [key, value.optional()]));
  return z.strictObject(describeKeys(fields, schemas as Record<Key, z.ZodOptional<z.ZodString>>));
}
