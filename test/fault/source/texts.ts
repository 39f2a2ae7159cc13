import { deal, HEADER } from '../../unit/build/run/write-sources.ts';

export const GOOGLE = {
  adapter: 'google-merchant',
  mapping: { network: 'custom_label_0', contractName: 'custom_label_1' },
  constants: { retailer: 'phone-barn', dataGb: 'unlimited', callMinutes: 'unlimited', textMessages: 'unlimited' },
};

/** A sound row of a table. */
export const rowOf = (id: string): string => deal(id, '101', 'new', 'phone-barn', '31.00');

/** A sound deal as JSON without its last brace, so that keys can follow. */
export const jsonDeal = (id: string): string =>
  `{"dealId":"${id}","productId":"101","retailer":"phone-barn","network":"aurora","contractName":"Plan J","contractMonths":24,"dataGb":4,"callMinutes":"unlimited","textMessages":500,"upfrontCost":0,"monthlyCost":31,"dealLink":"https://shop.example/${id.length}"`;

/** A sound item of Google without its end, so that elements can follow. */
export const openItem = (id: string): string =>
  `<item><g:id>${id}</g:id><title>Nova One</title><link>https://shop.example/${id}</link><g:price>0.00 GBP</g:price><g:google_product_category>267</g:google_product_category><g:subscription_cost>month:24:31.00 GBP</g:subscription_cost><g:custom_label_0>aurora</g:custom_label_0><g:custom_label_1>Plan</g:custom_label_1>`;

/** A sound post of WordPress without its end. */
export const openPost = (id: string): string =>
  `<item><title>Net ${id}</title><wp:post_id>${id}</wp:post_id><wp:post_name>net-${id}</wp:post_name><wp:post_type>network</wp:post_type><wp:status>publish</wp:status>`;

export const XML = '<?xml version="1.0"?>';
export const RSS = '<rss xmlns:g="http://base.google.com/ns/1.0"><channel>';
export const WXR =
  '<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title>';

/** The words in guillemets: `«ROW C-1»`. */
const WORDS: Readonly<Record<string, (id: string) => string>> = {
  HEADER: () => HEADER,
  ROW: rowOf,
  DEAL: jsonDeal,
  OPEN: openItem,
  ITEM: (id) => `${openItem(id)}</item>`,
  POST: openPost,
  XML: () => XML,
  RSS: () => RSS,
  WXR: () => WXR,
  END: () => '</channel></rss>',
};

/** A text with the escapes of JSON, words in guillemets, and `«x × 20»` for a text that is repeated. */
export function expand(content: string): string {
  const text = JSON.parse(`"${content.replaceAll('"', '\\"')}"`) as string;
  return text
    .replaceAll(/«([A-Z]+)(?: ([\w-]+))?»/g, (_, word: string, id: string) => WORDS[word]?.(id) ?? '')
    .replaceAll(/«([^»]*) × (\d+)»/g, (_, part: string, count: string) => part.repeat(Number(count)));
}
