import type { CmsAdapterName, FeedAdapterName } from './adapter-name.ts';
import { readAwin } from './awin.ts';
import { readCatalogue } from './catalogue.ts';
import type { CmsAdapter } from './cms-adapter.ts';
import { readDeals } from './deals.ts';
import type { FeedAdapter } from './feed-adapter.ts';

export const CMS_ADAPTERS = { catalogue: readCatalogue } satisfies Record<CmsAdapterName, CmsAdapter>;

export const FEED_ADAPTERS = { deals: readDeals, awin: readAwin } satisfies Record<FeedAdapterName, FeedAdapter>;
