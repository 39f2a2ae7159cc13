import { z } from 'zod';
import { VIEWS } from '../field/image.ts';
import { SPEC_KEYS } from '../field/spec.ts';
import { IMAGE_KEYS } from '../field/image.ts';
import { CONDITIONS } from './condition.ts';
import { decimalIdSchema, productIdSchema, slugSchema } from './id.ts';

/** An editor's text. Empty counts as absent wherever it is published (D6). */
const textSchema = z.string().max(50_000);

export const nameSchema = z.string().trim().min(1).max(300);

/** Link schemes that are ever published: anything else (`javascript:`, `data:`) is refused. */
export const webUrlSchema = z
  .string()
  .max(2_000)
  .refine((text) => isWebUrl(text), 'an http or https URL');

export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || hasSpaceOrControl(text)) return false;
  return URL.canParse(text);
}

function hasSpaceOrControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x20 || unit === 0x7f) return true;
  }
  return false;
}

const contentSchema = z.object({ heading: textSchema.optional(), introduction: textSchema.optional() });

const metaDataSchema = z.object({
  title: textSchema.optional(),
  description: textSchema.optional(),
  keywords: textSchema.optional(),
});

const specsSchema = z.partialRecord(z.enum(SPEC_KEYS), textSchema);

/** Originals by view: paths relative to the file that names them. */
const originalsSchema = z.partialRecord(z.enum(VIEWS), z.string().min(1).max(1_000));

const imageUrlsSchema = z.partialRecord(z.enum(IMAGE_KEYS), webUrlSchema);

const statusSchema = z.string().max(100).default('published');

/** Ids of feeds, by the name of the feed. */
export const feedIdsSchema = z.record(z.string(), z.array(z.string().min(1).max(200)).max(1_000));

const matchesSchema = z.object({
  names: z.array(nameSchema).max(1_000).optional(),
  gtins: z
    .array(z.string().regex(/^[0-9]{8,14}$/, '8 to 14 digits'))
    .max(1_000)
    .optional(),
  feedIds: feedIdsSchema.optional(),
});

/** What every editable record has. */
const editorial = {
  name: nameSchema,
  slug: slugSchema,
  content: contentSchema.optional(),
  pageContent: contentSchema.optional(),
  metaData: metaDataSchema.optional(),
  images: originalsSchema.optional(),
  imageUrls: imageUrlsSchema.optional(),
  matches: matchesSchema.optional(),
  status: statusSchema,
  updatedAt: z.string().max(100).optional(),
};

/** A product of a CMS export: one variant of a phone, told apart by `id` and `condition`. */
export const productRecordSchema = z.object({
  id: productIdSchema,
  condition: z.enum(CONDITIONS),
  model: slugSchema.optional(),
  manufacturer: slugSchema.optional(),
  specs: specsSchema.optional(),
  ...editorial,
});

export const giftRecordSchema = z.object({ id: decimalIdSchema, ...editorial });

/** `gifts` are gift ids in the order in which the editor listed them (D9). */
export const giftCategoryRecordSchema = z.object({
  id: decimalIdSchema,
  ...editorial,
  gifts: z.array(decimalIdSchema).max(10_000).default([]),
});

export type ProductRecord = z.infer<typeof productRecordSchema>;
export type GiftRecord = z.infer<typeof giftRecordSchema>;
export type GiftCategoryRecord = z.infer<typeof giftCategoryRecordSchema>;
export type Content = z.infer<typeof contentSchema>;
export type MetaData = z.infer<typeof metaDataSchema>;
export type Specs = z.infer<typeof specsSchema>;
