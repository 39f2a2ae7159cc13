import type { z } from 'zod';
import { giftCategoryRecordSchema, giftRecordSchema, productRecordSchema } from '../../data/record/product.ts';
import { manufacturerRecordSchema, networkRecordSchema, retailerRecordSchema } from '../../data/record/supplier.ts';

/** The lists of a CMS export, with the schema of their records. */
export const RECORD_SCHEMAS = {
  products: productRecordSchema,
  giftCategories: giftCategoryRecordSchema,
  gifts: giftRecordSchema,
  networks: networkRecordSchema,
  retailers: retailerRecordSchema,
  manufacturers: manufacturerRecordSchema,
} as const satisfies Record<string, z.ZodType>;

export type RecordList = keyof typeof RECORD_SCHEMAS;

export const RECORD_LISTS = Object.keys(RECORD_SCHEMAS) as readonly RecordList[];
