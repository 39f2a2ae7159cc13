/** The adapters for CMS exports, as `catalogue.json` names them. */
export const CMS_ADAPTER_NAMES = ['catalogue'] as const;

/** The adapters for deal feeds, as `catalogue.json` names them. */
export const FEED_ADAPTER_NAMES = ['deals', 'awin'] as const;

export type CmsAdapterName = (typeof CMS_ADAPTER_NAMES)[number];
export type FeedAdapterName = (typeof FEED_ADAPTER_NAMES)[number];
