import { RecordCollector } from '../../../build/cms/record-collector.ts';
import { Ledger } from '../../../build/ledger/ledger.ts';
import { FieldCounts } from '../../../build/source/field-counts.ts';
import { createCmsAdapter, createFeedAdapter, type CmsSourceConfig, type FeedConfig } from '../../../build/registry.ts';
import { parseDeal } from '../../../build/feed/parse-deal.ts';
import type { FeedAdapter } from '../../../build/feed/raw-deal.ts';
import { UnpackedImages } from '../../../build/cms/adapter.ts';
import type { OpenedFile } from '../../../build/source/open-file.ts';
import { createSources, deal, HEADER } from '../../unit/build/run/write-sources.ts';

/** Something that reads files from outside, with small files that it can read. */
export interface Reader {
  readonly name: string;
  readonly sound: readonly Buffer[];
  read(file: OpenedFile): Promise<void>;
}

const NOW = new Date('2026-11-20T02:30:00Z');

const ROW = deal('H-1', '101', 'new', 'phone-barn', '29.99');

const JSON_DEAL = JSON.stringify({
  dealId: 'J-1',
  productName: 'Nova “One”',
  retailer: 'phone-barn',
  network: 'aurora',
  contractName: 'Plan',
  contractMonths: 24,
  dataGb: 4,
  callMinutes: 'unlimited',
  textMessages: 500,
  upfrontCost: '0.00',
  monthlyCost: 31.5,
  dealLink: 'https://shop.example/1',
});

/** What would change all objects, if it were copied key by key. */
const POLLUTION = '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},';

const pollute = (json: string) => json.replace('{', `{${POLLUTION}`);

const GOOGLE_ITEM =
  '<item><g:id>1</g:id><title>Nova One</title><link>https://shop.example/1</link><g:price>0.00 GBP</g:price><g:subscription_cost><g:period>month</g:period><g:period_length>24</g:period_length><g:amount>31.00 GBP</g:amount></g:subscription_cost><g:custom_label_0>aurora</g:custom_label_0><description><![CDATA[a <b> & c]]></description></item>';

const WXR =
  '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>x</title><item><title>Aurora</title><content:encoded><![CDATA[<p>Text &amp; <a href="x">more</a></p>]]></content:encoded><wp:post_id>21</wp:post_id><wp:post_name>aurora</wp:post_name><wp:post_type>network</wp:post_type><wp:status>publish</wp:status><category domain="a" nicename="b">c</category><wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v</wp:meta_value></wp:postmeta></item></channel></rss>';

const GOOGLE = {
  adapter: 'google-merchant',
  mapping: { network: 'custom_label_0' },
  patterns: {},
  leaveOut: {},
  constants: { retailer: 'phone-barn', contractName: 'Plan' },
};

/** The parts that every feed of a configuration has. */
const FEED = {
  name: 'feed',
  files: ['*'],
  required: false,
  missingAllowance: 'unlimited',
  conditionWords: 'quarantine',
  maxMegabytes: 1_000,
};

export const READERS: readonly Reader[] = [
  feedReader('deals as CSV', { adapter: 'deals' }, [`${HEADER}\n${ROW}\n"${ROW.replaceAll(',', '","')}"\n`]),
  feedReader('deals as NDJSON', { adapter: 'deals' }, [`${JSON_DEAL}\n${pollute(JSON_DEAL)}\n`]),
  feedReader('Google as a table', GOOGLE, [
    'id\ttitle\tlink\tprice\tsubscription_cost(period:period_length:amount)\tcustom_label_0\n1\tNova One\thttps://shop.example/1\t0.00 GBP\tmonth:24:31.00 GBP\taurora\n',
  ]),
  feedReader('Google as RSS', GOOGLE, [
    `<?xml version="1.0" encoding="utf-8"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>${GOOGLE_ITEM}${GOOGLE_ITEM}</channel></rss>`,
    `<feed xmlns="http://www.w3.org/2005/Atom">${GOOGLE_ITEM.replaceAll('item>', 'entry>')}</feed>`,
  ]),
  feedReader('Google as NDJSON', GOOGLE, [
    '{"id":"1","title":"Nova One","link":"https://shop.example/1","price":{"value":"0.00","currency":"GBP"},"subscriptionCost":{"period":"month","periodLength":24,"amount":{"value":"31.00","currency":"GBP"}},"customLabel0":"aurora","productDetail":[{"attributeName":"a","attributeValue":"b"}]}\n',
  ]),
  cmsReader('a catalogue as JSON', { adapter: 'catalogue' }, [
    JSON.stringify(createSources().cms),
    pollute(JSON.stringify(createSources().cms)),
  ]),
  cmsReader('a site of WordPress', { adapter: 'wordpress', mapping: { networks: { type: 'network', fields: {} } } }, [
    WXR,
  ]),
];

function feedReader(name: string, settings: object, sound: readonly string[]): Reader {
  // As the configuration has been parsed: settings with every default, which is the type's promise.
  const read: FeedAdapter = createFeedAdapter({ ...FEED, ...settings } as unknown as FeedConfig);
  const context = {
    missingAllowance: 'unlimited',
    now: NOW,
    conditionWords: 'quarantine',
    currency: 'GBP',
  } as const;
  return {
    name,
    sound: sound.map((text) => Buffer.from(text)),
    read: async (file) => {
      const noted = { ...context, note: () => {} };
      for await (const records of read(file, noted)) {
        for (const record of records) if (!('notice' in record)) parseDeal(record, noted);
      }
    },
  };
}

function cmsReader(name: string, settings: object, sound: readonly string[]): Reader {
  const read = createCmsAdapter({ ...FEED, ...settings } as unknown as CmsSourceConfig);
  return {
    name,
    sound: sound.map((text) => Buffer.from(text)),
    read: async (file) => {
      const named = { source: 'feed', path: 'feed.xml', absolutePath: '/nowhere/feed.xml' };
      await read(
        {
          source: 'feed',
          folder: '/nowhere',
          files: [named],
          open: () => file,
          unpacked: new UnpackedImages(),
        },
        new RecordCollector(new Ledger(), new FieldCounts()),
      );
    },
  };
}
