import { createReadAwin } from './awin.ts';
import { createReadCsv } from './csv.ts';
import { readDeals } from './deals.ts';
import type { FeedAdapter } from './feed-adapter.ts';
import { createReadGoogleMerchant } from './google-merchant.ts';
import type { FeedConfig } from './source-config.ts';

/** The adapter of a feed, with its settings. */
export function createFeedAdapter(feed: FeedConfig): FeedAdapter {
  switch (feed.adapter) {
    case 'deals':
      return readDeals;
    case 'awin':
      return createReadAwin(feed);
    case 'google-merchant':
      return createReadGoogleMerchant(feed);
    case 'csv':
      return createReadCsv(feed);
  }
}
