import type { OpenedFile } from '../source/open-file.ts';
import type { CmsAdapter, CmsExport } from './cms/adapter.ts';
import { readCatalogue } from './cms/catalogue.ts';
import { createContentfulAdapter } from './cms/contentful.ts';
import { createStrapiAdapter } from './cms/strapi.ts';
import { createWordpressAdapter } from './cms/wordpress.ts';
import type { FeedAdapter } from './deal/adapter.ts';
import { createAwinAdapter } from './feed/awin.ts';
import { createCsvAdapter } from './feed/csv.ts';
import { readDeals } from './feed/deals.ts';
import { createGoogleMerchantAdapter } from './feed/google-merchant.ts';
import type { CmsSourceConfig, FeedConfig } from './source-config.ts';

export function createFeedAdapter(feed: FeedConfig): FeedAdapter {
  switch (feed.adapter) {
    case 'deals':
      return readDeals;
    case 'awin':
      return createAwinAdapter(feed);
    case 'google-merchant':
      return createGoogleMerchantAdapter(feed);
    case 'csv':
      return createCsvAdapter(feed);
  }
}

export function createCmsAdapter(source: CmsSourceConfig): CmsAdapter {
  switch (source.adapter) {
    case 'catalogue':
      return eachFile(readCatalogue);
    case 'strapi':
      return createStrapiAdapter(source);
    case 'contentful':
      return eachFile(createContentfulAdapter(source));
    case 'wordpress':
      return createWordpressAdapter(source);
  }
}

/** The adapter of a format in which each file is an export. */
function eachFile(read: (file: OpenedFile) => Promise<CmsExport>): CmsAdapter {
  return async ({ files, open }) => {
    const results: CmsExport[] = [];
    for (const file of files) results.push(await read(open(file)));
    return results;
  };
}

/** The adapters for CMS exports, as `catalogue.json` names them. */
export const CMS_ADAPTER_NAMES = ['catalogue', 'strapi', 'contentful', 'wordpress'] as const;
