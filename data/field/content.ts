/** The attributes of `content` and `pageContent` (spec §2.6, §4.2); word and JSON key are the same. */
export const CONTENT_FIELDS = [
  { word: 'heading', key: 'heading', meaning: 'heading of the product or category' },
  { word: 'introduction', key: 'introduction', meaning: 'introductory text' },
] as const;

/** The attributes of `metaData` (spec §2.7, §4.2). */
export const META_DATA_FIELDS = [
  { word: 'meta-data-title', key: 'title', meaning: 'HTML page title' },
  { word: 'meta-data-description', key: 'description', meaning: 'HTML page description' },
  { word: 'meta-data-keywords', key: 'keywords', meaning: 'HTML page keywords, comma-separated text' },
] as const;

export type ContentKey = (typeof CONTENT_FIELDS)[number]['key'];
export type MetaDataKey = (typeof META_DATA_FIELDS)[number]['key'];
