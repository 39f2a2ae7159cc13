import { describe, expect, it } from 'vitest';
import { UnpackedImages } from '../../../build/cms/adapter.ts';
import { RecordCollector } from '../../../build/cms/catalogue.ts';
import { parseDeal } from '../../../build/feed/parse-deal.ts';
import { Ledger } from '../../../build/ledger/ledger.ts';
import { createCmsAdapter, createFeedAdapter, type CmsSourceConfig, type FeedConfig } from '../../../build/registry.ts';
import { SourceError } from '../../../build/source/errors.ts';
import { FieldCounts } from '../../../build/source/record.ts';
import type { OpenedFile } from '../../../build/source/open-file.ts';
import { damageBytes } from '../../support/damage-bytes.ts';
import { createRandom } from '../../support/random.ts';
import { memoryFile } from '../../unit/build/source/memory-file.ts';
import { createSources, HEADER } from '../../unit/build/run/write-sources.ts';
import { byTier } from '../tier.ts';
import { GOOGLE, jsonDeal, openItem, openPost, rowOf, RSS, WXR, XML } from './texts.ts';

/** Of all readers together. */
const MUTANT_COUNT = byTier({ first: 4_000, second: 200_000, long: 20_000_000 });

/** Set to the seed of a failure to repeat it. */
const FIRST_SEED = Number(process.env['MUTATE_SEED'] ?? 1);

/** Small, so that many can be tried: what is wrong with large files are the bounds, which have tests of their own. */
const MAX_BYTES = 1_500;

/** What readers stumble over, to be put anywhere. */
const TOKENS = [
  ...'" "" , ; \\ \\u0000 \\ud800 { } [ ] : null 1e999 -0 0x10 9007199254740993 __proto__ constructor toString'.split(
    ' ',
  ),
  ...'"__proto__":{"x":1}, < > </ /> <!-- --> <![CDATA[ ]]> &a; &#x0; &#x110000; &amp; xmlns:g="x" <item> </item>'.split(
    ' ',
  ),
  ..."<rss> javascript: %00 ../ =cmd| | unlimited {{{{{{{{ [[[[[[[[ ' %".split(' '),
  ...'\n|\r\n|\r|\t|\0|\ufeff|\u2028|£|<!DOCTYPE x [<!ENTITY a "b">]>'.split('|'),
  '<?xml version="1.0" encoding="utf-16"?>',
]
  .map((token) => Buffer.from(token))
  .concat(['\xff\xfe', '\xc0\x80', '\xed\xa0\x80'].map((bytes) => Buffer.from(bytes, 'latin1')));

/** What would change all objects, if it were copied key by key. */
const pollute = (json: string) =>
  json.replace('{', '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},');

const JSON_DEAL = `${jsonDeal('J-1')}}`;
const CMS = JSON.stringify(createSources().cms);
const ITEM = `${openItem('1')}<description><![CDATA[a <b> & c]]></description></item>`;
const POST = `${openPost('21')}<content:encoded><![CDATA[<p>Text &amp; <a href="x">more</a></p>]]></content:encoded><category domain="a" nicename="b">c</category><wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value>v</wp:meta_value></wp:postmeta></item>`;

/** The settings that every source of a configuration has when it has been parsed. */
const PARSED = {
  name: 'feed',
  files: ['*'],
  required: false,
  missingAllowance: 'unlimited',
  conditionWords: 'quarantine',
  maxMegabytes: 1_000,
};

type Read = (file: OpenedFile) => Promise<void>;

const DEALS = feedReader({ adapter: 'deals' });
const SHOPPING = feedReader({ ...GOOGLE, patterns: {}, leaveOut: {} });

/** What reads files from outside, with small files that it can read. */
const READERS: readonly (readonly [name: string, read: Read, sound: readonly string[]])[] = [
  ['deals as CSV', DEALS, [`${HEADER}\n${rowOf('H-1')}\n"${rowOf('H-1').replaceAll(',', '","')}"\n`]],
  ['deals as NDJSON', DEALS, [`${JSON_DEAL}\n${pollute(JSON_DEAL)}\n`]],
  [
    'Google as a table',
    SHOPPING,
    [
      'id\ttitle\tlink\tprice\tsubscription_cost(period:period_length:amount)\tcustom_label_0\n1\tNova One\thttps://shop.example/1\t0.00 GBP\tmonth:24:31.00 GBP\taurora\n',
    ],
  ],
  [
    'Google as RSS',
    SHOPPING,
    [
      `${XML}${RSS}${ITEM}${ITEM}</channel></rss>`,
      `<feed xmlns="http://www.w3.org/2005/Atom">${ITEM.replaceAll('item>', 'entry>')}</feed>`,
    ],
  ],
  [
    'Google as NDJSON',
    SHOPPING,
    [
      '{"id":"1","title":"Nova One","link":"https://shop.example/1","price":{"value":"0.00","currency":"GBP"},"subscriptionCost":{"period":"month","periodLength":24,"amount":{"value":"31.00","currency":"GBP"}},"customLabel0":"aurora","productDetail":[{"attributeName":"a","attributeValue":"b"}]}\n',
    ],
  ],
  ['a catalogue as JSON', cmsReader({ adapter: 'catalogue' }), [CMS, pollute(CMS)]],
  [
    'a site of WordPress',
    cmsReader({ adapter: 'wordpress', mapping: { networks: { type: 'network', fields: {} } } }),
    [`${XML}${WXR}${POST}</channel></rss>`],
  ],
];

function feedReader(settings: object): Read {
  const read = createFeedAdapter({ ...PARSED, ...settings } as unknown as FeedConfig);
  const context = {
    missingAllowance: 'unlimited',
    now: new Date('2026-11-20T02:30:00Z'),
    conditionWords: 'quarantine',
    currency: 'GBP',
    note: () => {},
  } as const;
  return async (file) => {
    for await (const records of read(file, context)) {
      for (const record of records) if (!('notice' in record)) parseDeal(record, context);
    }
  };
}

function cmsReader(settings: object): Read {
  const read = createCmsAdapter({ ...PARSED, ...settings } as unknown as CmsSourceConfig);
  return async (file) => {
    const files = [{ source: 'feed', path: 'feed.xml', absolutePath: '/nowhere/feed.xml' }];
    const source = { source: 'feed', folder: '/nowhere', files, open: () => file, unpacked: new UnpackedImages() };
    await read(source, new RecordCollector(new Ledger(), new FieldCounts()));
  };
}

describe('no input, however it is damaged, crashes a reader or changes what all objects share', () => {
  it.each(READERS)(
    '%s',
    async (name, read, texts) => {
      const sound = texts.map((text) => Buffer.from(text));
      const before = describePrototypes();
      const count = Math.ceil(MUTANT_COUNT / READERS.length);
      for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
        const fault = await findFault(read, sound, seed);
        if (fault !== undefined) throw new Error(`${name}, MUTATE_SEED=${seed}: ${fault}`);
      }
      expect(describePrototypes()).toBe(before);
    },
    byTier({ first: 60_000, second: 300_000, long: 24 * 3_600_000 }),
  );
});

/** What is wrong with how the reader takes the mutant of a seed. */
async function findFault(read: Read, sound: readonly Buffer[], seed: number): Promise<string | undefined> {
  const random = createRandom(seed);
  let input = random.pick(sound);
  for (let damages = 1 + random.below(8); damages > 0; damages--)
    input = damageBytes(random, input, random.isLikely(0.1) ? sound : TOKENS).subarray(0, MAX_BYTES);
  try {
    await read(memoryFile(input, random.isLikely(0.1) ? 8 + random.below(64) : 4_096));
    return undefined;
  } catch (error) {
    if (!(error instanceof SourceError)) return `${(error as Error).stack}\n${input.toString('latin1')}`;
    const saysNothing = error.message === '' || error.source !== 'feed';
    return saysNothing ? `a SourceError that says nothing: ${error.message}` : undefined;
  }
}

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Map.prototype, Function.prototype];

/** Everything that a prototype has, by name and by value. */
function describePrototypes(): string {
  const describeOne = (prototype: object, key: string | symbol): string => {
    const property = Object.getOwnPropertyDescriptor(prototype, key);
    return `${String(key)}=${typeof property?.value}${property !== undefined && 'get' in property}`;
  };
  return PROTOTYPES.map((each) => Reflect.ownKeys(each).map((key) => describeOne(each, key))).join('\n');
}
