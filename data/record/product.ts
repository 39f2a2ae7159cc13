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
  const entries = fields.map(({ key, meaning, example }) => [
    key,
    textSchema.optional().meta({ description: meaning, examples: [example] }),
  ]);
  return z.object(Object.fromEntries(entries) as Record<Key, z.ZodOptional<typeof textSchema>>).optional();
}

const contentSchema = textsSchema(CONTENT_FIELDS);

const specsSchema = z.partialRecord(z.enum(SPEC_KEYS), textSchema);

/** Originals by view: paths relative to the file that names them. */
const originalsSchema = z.partialRecord(z.enum(VIEWS), z.string().min(1).max(1_000));

const imageUrlsSchema = z.partialRecord(z.enum(IMAGE_KEYS), webUrlSchema);

const statusSchema = z.string().max(100).default('published');

const feedIdsSchema = z
  .record(z.string(), z.array(orWholeNumber(z.string().min(1).max(200))).max(1_000))
  .meta({ description: 'its ids in feeds, by the name of the feed', examples: [{ awin: ['4511'] }] });

const matchesSchema = z.object({
  names: z
    .array(nameSchema)
    .max(1_000)
    .optional()
    .meta({ description: 'other names by which feeds mean it', examples: [['Pixel 9 (128 GB)']] }),
  gtins: z
    .array(orWholeNumber(z.string().regex(/^[0-9]{8,14}$/, '8 to 14 digits')))
    .max(1_000)
    .optional()
    .meta({ description: 'its bar codes', examples: [['0840244706500']] }),
  feedIds: feedIdsSchema.optional(),
});

const editorial = {
  name: nameSchema.meta({ description: 'as it is shown', examples: ['Google Pixel 9 128GB'] }),
  slug: slugSchema.meta({ description: 'its part of an address', examples: ['google-pixel-9-128gb'] }),
  content: contentSchema.describe('texts about the record'),
  pageContent: contentSchema.describe('texts of a page of its own'),
  metaData: textsSchema(META_DATA_FIELDS).describe('texts for search engines'),
  images: originalsSchema.optional().meta({
    description: 'originals that are rendered, by view: paths relative to the file',
    examples: [{ front: 'images/pixel-9-front.png' }],
  }),
  imageUrls: imageUrlsSchema.optional().meta({
    description: 'ready-made pictures, which win over `images`',
    examples: [{ largeFrontImageWebp: 'https://images.example.com/pixel-9.webp' }],
  }),
  matches: matchesSchema.optional().describe('by what else a deal finds it'),
  status: statusSchema.meta({ description: 'any other word leaves the record out', examples: ['draft'] }),
  updatedAt: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'when it was edited', examples: ['2026-11-01T10:00:00Z'] }),
};

const idMeaning = { description: 'decimal digits, which never change', examples: ['101'] };

/** A product of a CMS export: one variant of a phone, told apart by `id` and `condition`. */
export const productRecordSchema = z.object({
  id: orWholeNumber(productIdSchema).meta(idMeaning),
  condition: z.enum(CONDITIONS).meta({ description: 'id and condition together are one product', examples: ['new'] }),
  model: slugSchema.optional().meta({ description: 'what its variants share', examples: ['google-pixel-9'] }),
  manufacturer: slugSchema.optional().meta({ description: 'the slug of its maker', examples: ['google'] }),
  specs: specsSchema.optional().meta({
    description: 'attributes of the phone, as `specs` of the specification has them',
    examples: [{ os: 'Android 14', '4g': 'Yes' }],
  }),
  ...editorial,
});

export const giftRecordSchema = z.object({ id: orWholeNumber(decimalIdSchema).meta(idMeaning), ...editorial });

/** `gifts` are gift ids in the order in which the editor listed them (D9). */
export const giftCategoryRecordSchema = z.object({
  id: orWholeNumber(decimalIdSchema).meta(idMeaning),
  ...editorial,
  gifts: z
    .array(orWholeNumber(decimalIdSchema))
    .max(10_000)
    .default([])
    .meta({ description: 'ids of gifts, in the order in which they are shown', examples: [['7', '9']] }),
});

/** Ready-made badges. */
function logosSchema<Size extends string>(
  boxes: Readonly<Record<Size, { readonly width: number; readonly height: number }>>,
) {
  const entries = Object.keys(boxes).map((size) => {
    const { width, height } = boxes[size as Size];
    const description = `${size === 'deal' ? 'of the cheapest deal, ' : ''}${width}x${height} pixels`;
    return [size, webUrlSchema.optional().meta({ description, examples: ['https://images.example.com/fernlink.png'] })];
  });
  const schema = z.object(Object.fromEntries(entries) as Record<Size, z.ZodOptional<typeof webUrlSchema>>);
  return schema.optional().describe('ready-made badges');
}

const supplier = {
  id: orWholeNumber(decimalIdSchema).meta({ description: 'decimal digits, which never change', examples: ['21'] }),
  name: nameSchema.meta({ description: 'as it is shown', examples: ['Fernlink'] }),
  slug: slugSchema.meta({ description: 'its part of an address, and its name in a query', examples: ['fernlink'] }),
  aliases: z
    .array(nameSchema)
    .max(1_000)
    .default([])
    .meta({ description: 'other names by which feeds mean it', examples: [['Fernlink UK']] }),
  feedIds: feedIdsSchema.optional(),
  logo: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description: 'the path of an original, which is rendered in place of `logos`',
      examples: ['images/fernlink.png'],
    }),
};

/** A network: the contract supplier of the specification. */
export const networkRecordSchema = z.object({ ...supplier, logos: logosSchema(LOGO_BOX.network) });

/** A retailer: the supplier of the specification. */
export const retailerRecordSchema = z.object({ ...supplier, logos: logosSchema(LOGO_BOX.retailer) });

export const manufacturerRecordSchema = z.object({
  slug: slugSchema.meta({ description: 'what `manufacturer` of a product says', examples: ['google'] }),
  name: nameSchema.optional().meta({ description: 'as it is shown', examples: ['Google'] }),
});

export type ProductRecord = z.infer<typeof productRecordSchema>;
export type GiftRecord = z.infer<typeof giftRecordSchema>;
export type GiftCategoryRecord = z.infer<typeof giftCategoryRecordSchema>;
export type NetworkRecord = z.infer<typeof networkRecordSchema>;
export type RetailerRecord = z.infer<typeof retailerRecordSchema>;
export type ManufacturerRecord = z.infer<typeof manufacturerRecordSchema>;
