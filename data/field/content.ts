import type { Field } from './field.ts';

type WordedField = Field & { readonly word: string };

/** The attributes of `content` and `pageContent` (spec §2.6, §4.2); word and JSON key are the same. */
export const CONTENT_FIELDS = [
  {
    word: 'heading',
    key: 'heading',
    meaning: 'heading of the product or category',
    example: 'Kestrel K9 128GB: the one most people should buy',
  },
  {
    word: 'introduction',
    key: 'introduction',
    meaning: 'introductory text',
    example: 'The K9 takes the screen and the chip of the dearer Pro and leaves out the third lens.',
  },
] as const satisfies readonly WordedField[];

/** The attributes of `metaData` (spec §2.7, §4.2). */
export const META_DATA_FIELDS = [
  {
    word: 'meta-data-title',
    key: 'title',
    meaning: 'HTML page title',
    example: 'Kestrel K9 128GB deals and contracts',
  },
  {
    word: 'meta-data-description',
    key: 'description',
    meaning: 'HTML page description',
    example: 'Compare Kestrel K9 contracts: upfront cost, monthly price and the total over the whole term.',
  },
  {
    word: 'meta-data-keywords',
    key: 'keywords',
    meaning: 'HTML page keywords, comma-separated text',
    example: 'kestrel k9, k9 deals, kestrel phones, 6.3 inch phone',
  },
] as const satisfies readonly WordedField[];

export type ContentKey = (typeof CONTENT_FIELDS)[number]['key'];
export type MetaDataKey = (typeof META_DATA_FIELDS)[number]['key'];
