import { z } from 'zod';
import { CONTENT_FIELDS, META_DATA_FIELDS, SPEC_KEYS, type Field } from '../field/field.ts';
import { IMAGE_KEYS, LOGO_BOX, VIEWS } from '../field/image.ts';
import { compareIds, decimalIdSchema, orWholeNumber, productIdSchema, slugSchema } from './id.ts';

/** The two kinds of a product (spec §2.2, §4.3). */
export const CONDITIONS = ['new', 'refurbished'] as const;

export type Condition = (typeof CONDITIONS)[number];

interface Variant {
  readonly id: string;
  readonly condition: Condition;
}

/** What identifies a record in its list: `101/new` for a product, the id of any other. */
export function recordKey({ id, condition }: Partial<Variant> & Pick<Variant, 'id'>): string {
  return condition === undefined ? id : `${id}/${condition}`;
}

/** Numeric id, new before refurbished: the order of products in every snapshot (D14). */
export function compareVariants(a: Variant, b: Variant): number {
  return compareIds(a.id, b.id) || CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition);
}

/** `condition` as a deal shows it: capitalised (spec §2.5). */
export const CONDITION_LABEL = { new: 'New', refurbished: 'Refurbished' } satisfies Record<Condition, string>;

/** A schema with what it means and an example, for the JSON Schema of sources. */
function describe<Schema extends z.ZodType>(schema: Schema, description: string, example: unknown): Schema {
  return schema.meta({ description, examples: [example] });
}

/** An editor's text. Empty counts as absent wherever it is published (D6). */
const textSchema = z.string().max(50_000);

export const nameSchema = z.string().trim().min(1).max(300);

/** The link schemes that are published; others (`javascript:`, `data:`) are refused. */
export const webUrlSchema = z
  .string()
  .max(2_000)
  .refine((text) => isWebUrl(text), 'an http or https URL');

/** An address without spaces and control characters. */
export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[!-~\u0080-\uffff]*$/i.test(text)) return false;
  // `URL.canParse` of Node 20 refuses hosts with accented letters as soon as it is optimised.
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

/** Texts that mean what they mean in responses. */
function textsSchema<Key extends string>(fields: readonly (Field & { readonly key: Key })[]) {
  const entries = fields.map(({ key, meaning, example }) => [key, describe(textSchema.optional(), meaning, example)]);
  return z.object(Object.fromEntries(entries) as Record<Key, z.ZodOptional<typeof textSchema>>).optional();
}

const contentSchema = textsSchema(CONTENT_FIELDS);

const specsSchema = z.partialRecord(z.enum(SPEC_KEYS), textSchema);

/** Originals by view: paths relative to the file that names them. */
const originalsSchema = z.partialRecord(z.enum(VIEWS), z.string().min(1).max(1_000));

const imageUrlsSchema = z.partialRecord(z.enum(IMAGE_KEYS), webUrlSchema);

const statusSchema = z.string().max(100).default('published');

const feedIdsSchema = describe(
  z.record(z.string(), z.array(orWholeNumber(z.string().min(1).max(200))).max(1_000)),
  'its ids in feeds, by the name of the feed',
  { awin: ['4511'] },
);

const namesSchema = z.array(nameSchema).max(1_000);
const gtinsSchema = z.array(orWholeNumber(z.string().regex(/^[0-9]{8,14}$/, '8 to 14 digits'))).max(1_000);

const matchesSchema = z.object({
  names: describe(namesSchema.optional(), 'other names by which feeds mean it', ['Pixel 9 (128 GB)']),
  gtins: describe(gtinsSchema.optional(), 'its bar codes', ['0840244706500']),
  feedIds: feedIdsSchema.optional(),
});

const editorial = {
  name: describe(nameSchema, 'as it is shown', 'Google Pixel 9 128GB'),
  slug: describe(slugSchema, 'its part of an address', 'google-pixel-9-128gb'),
  content: contentSchema.describe('texts about the record'),
  pageContent: contentSchema.describe('texts of a page of its own'),
  metaData: textsSchema(META_DATA_FIELDS).describe('texts for search engines'),
  images: describe(originalsSchema.optional(), 'originals that are rendered, by view: paths relative to the file', {
    front: 'images/pixel-9-front.png',
  }),
  imageUrls: describe(imageUrlsSchema.optional(), 'ready-made pictures, which win over `images`', {
    largeFrontImageWebp: 'https://images.example.com/pixel-9.webp',
  }),
  matches: matchesSchema.optional().describe('by what else a deal finds it'),
  status: describe(statusSchema, 'any other word leaves the record out', 'draft'),
  updatedAt: describe(z.string().max(100).optional(), 'when it was edited', '2026-11-01T10:00:00Z'),
};

const ID_MEANING = 'decimal digits, which never change';
const recordIdSchema = describe(orWholeNumber(decimalIdSchema), ID_MEANING, '101');

/** A product of a CMS export: one variant of a phone, told apart by `id` and `condition`. */
export const productRecordSchema = z.object({
  id: describe(orWholeNumber(productIdSchema), ID_MEANING, '101'),
  condition: describe(z.enum(CONDITIONS), 'id and condition together are one product', 'new'),
  model: describe(slugSchema.optional(), 'what its variants share', 'google-pixel-9'),
  manufacturer: describe(slugSchema.optional(), 'the slug of its maker', 'google'),
  specs: describe(specsSchema.optional(), 'attributes of the phone, as `specs` of the specification has them', {
    os: 'Android 14',
    '4g': 'Yes',
  }),
  ...editorial,
});

export const giftRecordSchema = z.object({ id: recordIdSchema, ...editorial });

const giftIdsSchema = z.array(orWholeNumber(decimalIdSchema)).max(10_000).default([]);

/** `gifts` are gift ids in the order in which the editor listed them (D9). */
export const giftCategoryRecordSchema = z.object({
  id: recordIdSchema,
  ...editorial,
  gifts: describe(giftIdsSchema, 'ids of gifts, in the order in which they are shown', ['7', '9']),
});

/** Ready-made badges. */
function logosSchema<Size extends string>(
  boxes: Readonly<Record<Size, { readonly width: number; readonly height: number }>>,
) {
  const entries = Object.keys(boxes).map((size) => {
    const { width, height } = boxes[size as Size];
    const meaning = `${size === 'deal' ? 'of the cheapest deal, ' : ''}${width}x${height} pixels`;
    return [size, describe(webUrlSchema.optional(), meaning, 'https://images.example.com/fernlink.png')];
  });
  const schema = z.object(Object.fromEntries(entries) as Record<Size, z.ZodOptional<typeof webUrlSchema>>);
  return schema.optional().describe('ready-made badges');
}

const supplier = {
  id: describe(orWholeNumber(decimalIdSchema), ID_MEANING, '21'),
  name: describe(nameSchema, 'as it is shown', 'Fernlink'),
  slug: describe(slugSchema, 'its part of an address, and its name in a query', 'fernlink'),
  aliases: describe(namesSchema.default([]), 'other names by which feeds mean it', ['Fernlink UK']),
  feedIds: feedIdsSchema.optional(),
  logo: describe(
    z.string().min(1).max(1_000).optional(),
    'the path of an original, which is rendered in place of `logos`',
    'images/fernlink.png',
  ),
};

/** A network: the contract supplier of the specification. */
export const networkRecordSchema = z.object({ ...supplier, logos: logosSchema(LOGO_BOX.network) });

/** A retailer: the supplier of the specification. */
export const retailerRecordSchema = z.object({ ...supplier, logos: logosSchema(LOGO_BOX.retailer) });

export const manufacturerRecordSchema = z.object({
  slug: describe(slugSchema, 'what `manufacturer` of a product says', 'google'),
  name: describe(nameSchema.optional(), 'as it is shown', 'Google'),
});

export type ProductRecord = z.infer<typeof productRecordSchema>;
export type GiftRecord = z.infer<typeof giftRecordSchema>;
export type GiftCategoryRecord = z.infer<typeof giftCategoryRecordSchema>;
export type NetworkRecord = z.infer<typeof networkRecordSchema>;
export type RetailerRecord = z.infer<typeof retailerRecordSchema>;
export type ManufacturerRecord = z.infer<typeof manufacturerRecordSchema>;
