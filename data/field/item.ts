import type { Field } from './field.ts';

/** What every item has (spec §2.2 to §2.4, D21). */
export const ITEM_FIELDS = [
  { key: 'id', meaning: 'id, decimal digits; a new and a refurbished product may share one', example: '101' },
  { key: 'name', meaning: 'name for display', example: 'Kestrel K9 128GB' },
  { key: 'slug', meaning: 'URL-safe text form of the name', example: 'kestrel-k9-128gb' },
] as const satisfies readonly Field[];

/** The groups of a product, a gift category or a gift, each there when it was asked for (D6). */
export const GROUP_FIELDS = {
  content: 'Texts about the item. Asked for by `expand` or `fields`.',
  pageContent: 'Texts for a page about the item. Asked for by `expand`.',
  metaData: 'Texts for the head of an HTML page. Asked for by `expand` or `fields`.',
  specs: 'Specifications, each only where it is known. Asked for by `expand` or `fields`.',
  images: 'URLs of pictures; without any the object is empty. Asked for by `expand` or `fields`.',
  cheapestDeal:
    'The deal of the product with the lowest total cost of those that satisfy the filters; absent when none does. Asked for by `expand`.',
  gifts: 'The gifts of the category, in the order of the editor. Asked for by `expand`.',
} as const;
