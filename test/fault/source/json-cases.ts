import { gzipSync } from 'node:zlib';
import { failed, fresh, hostileCms, hostileFeed, type HostileSource } from './hostile-source.ts';

const MEGABYTE = 1 << 20;

/** A deal of our own feed as JSON, with more keys in front. */
function jsonDeal(id: string, more = ''): string {
  const fields = {
    dealId: id,
    productId: '101',
    retailer: 'phone-barn',
    network: 'aurora',
    contractName: 'Plan J',
    contractMonths: 24,
    dataGb: 4,
    callMinutes: 'unlimited',
    textMessages: 500,
    upfrontCost: 0,
    monthlyCost: 31,
    dealLink: `https://shop.example/${id.length}`,
  };
  return `${JSON.stringify(fields).slice(0, -1)}${more}}`;
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Keys that V8 keeps as numbers, and that fall on one another in a table of 2^17 places. */
const collidingKeys = (count: number) => Array.from({ length: count }, (_, i) => `"${i * 131_072}":0`).join(',');

const PRODUCT = { id: '501', condition: 'new', name: 'Hostile', slug: 'hostile' };
const product = (change: object) => ({ ...PRODUCT, ...change });
const cms = (value: unknown) => ({ 'site.json': typeof value === 'string' ? value : JSON.stringify(value) });
const ndjson = (...lines: readonly string[]) => ({ 'feed.ndjson': `${lines.join('\n')}\n` });

/** A product refused, and nothing else said. */
const refusedProduct = (name: string, change: object, says: RegExp) =>
  hostileCms(name, () => cms({ products: [product(change)] }), fresh(0, { 'malformed-field': 1 }, says));

export const JSON_CASES: readonly HostileSource[] = [
  hostileFeed(
    'a line a million deep',
    () => ndjson(jsonDeal('J-1', `,"gift":${nested(1_000_000)}`), jsonDeal('J-2')),
    fresh(1, { 'malformed-field': 1 }, /gift: expected a text or a number, got "?a value nested too deep/),
  ),
  hostileFeed(
    'a line a million objects deep, of a key that is not read',
    () => ndjson(jsonDeal('J-1', `,"x":${nestedObjects(1_000_000)}`)),
    fresh(1, { 'unknown-column': 1 }),
  ),
  hostileFeed(
    'a line a million deep that never closes',
    () => ndjson('{"a":'.repeat(1_000_000), jsonDeal('J-1')),
    fresh(1, { 'malformed-record': 1 }),
  ),
  hostileFeed(
    '100,000 keys that collide',
    () => ndjson(jsonDeal('J-1', `,${collidingKeys(100_000)}`)),
    fresh(0, { 'malformed-record': 1 }, /expected at most \d+ keys, got "100012"/),
  ),
  hostileFeed(
    '100,000 keys that collide in a value',
    () => ndjson(jsonDeal('J-1', `,"gift":{${collidingKeys(100_000)}}`)),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed(
    'another unknown key on each of 20,000 lines',
    () =>
      ndjson(
        ...Array.from({ length: 20_000 }, (_, i) =>
          jsonDeal(`J-${i}`, `,"x${i}":1`).replace('"Plan J"', `"Plan ${i}"`),
        ),
      ),
    failed('source-malformed', /feed\.ndjson:\d+: expected at most \d+ keys that are not read/, {
      'unknown-column': 'some',
    }),
  ),
  hostileFeed('a key twice', ndjson(jsonDeal('J-1', ',"monthlyCost":32')), fresh(1)),
  hostileFeed(
    '__proto__ and constructor as keys',
    ndjson(jsonDeal('J-1', ',"__proto__":{"monthlyCost":1},"constructor":{"prototype":{"polluted":1}},"toString":1')),
    fresh(1, { 'unknown-column': 3 }),
  ),
  hostileFeed(
    '__proto__ as the value of fields',
    ndjson(jsonDeal('__proto__', ',"gift":{"__proto__":1}')),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed(
    'ids that differ in a lone surrogate',
    ndjson(
      jsonDeal('J-\ud800').replace(':31', ':32'),
      jsonDeal('J-\ud801').replace(':31', ':33'),
      jsonDeal('J-\udc00'),
    ),
    fresh(3),
  ),
  hostileFeed('the number 1e999', ndjson(jsonDeal('J-1', ',"monthlyCost":1e999')), fresh(0, { 'malformed-field': 1 })),
  hostileFeed('the number 1e-999', ndjson(jsonDeal('J-1', ',"upfrontCost":1e-999')), fresh(1)),
  hostileFeed('the number -0', ndjson(jsonDeal('J-1', ',"upfrontCost":-0')), fresh(1)),
  hostileFeed(
    'a hexadecimal number',
    ndjson(jsonDeal('J-1', ',"monthlyCost":0x10'), jsonDeal('J-2')),
    fresh(1, { 'malformed-record': 1 }),
  ),
  hostileFeed(
    'a number beyond 2^53 for a product',
    ndjson(jsonDeal('J-1', ',"productId":9007199254740993')),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileFeed(
    'lines that are no objects',
    ndjson('{}', '[]', 'null', '1', '"x"', '{"a":1}x', jsonDeal('J-1')),
    fresh(1, { 'malformed-record': 5, 'missing-field': 1 }),
  ),
  hostileFeed(
    'a text of 7 MB',
    () => ndjson(jsonDeal('J-1', `,"contractName":"${'x'.repeat(7_000_000)}"`), jsonDeal('J-2')),
    fresh(1, { 'malformed-field': 1 }, /contractName: expected a text of at most 300 characters/),
  ),
  hostileFeed(
    'a key of 7 MB',
    () => ndjson(jsonDeal('J-1', `,"${'x'.repeat(7_000_000)}":1`)),
    fresh(1, { 'unknown-column': 1 }),
  ),
  hostileFeed(
    'a text of 7 MB of escapes',
    () => ndjson(jsonDeal('J-1', `,"gift":"${'\\u0000'.repeat(1_100_000)}"`)),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileCms(
    'a catalogue a million deep',
    () => cms(`{"products":${nested(1_000_000)}}`),
    fresh(0, { 'malformed-record': 1 }, /got "a value nested too deep/),
  ),
  hostileCms(
    'a catalogue a million deep that never closes',
    () => cms('[{"a":'.repeat(1_000_000)),
    failed('source-malformed', /site\.json:1:\d+: expected a value, got the end of the file/),
  ),
  hostileCms(
    'a field a million deep',
    () => cms(`{"products":[{"id":${nestedObjects(1_000_000)}}]}`),
    fresh(0, { 'malformed-field': 1 }, /got "a value nested too deep/),
  ),
  hostileCms(
    '100,000 keys that collide in a record',
    () => cms(`{"products":[{${collidingKeys(100_000)}}]}`),
    fresh(0, { 'missing-field': 1 }),
  ),
  hostileCms(
    '100,000 keys that collide beside the lists',
    () => cms(`{${collidingKeys(100_000)}}`),
    fresh(0, { 'unknown-key': 100_000 }),
  ),
  hostileCms(
    '5 million empty objects',
    () => ({ 'site.json.gz': gzipSync(`{"products":[${'{},'.repeat(5_000_000)}{}]}`) }),
    failed('source-too-large', /site\.json\.gz:1: expected at most \d+ objects and lists/),
  ),
  hostileCms(
    '5 million lists beside the lists',
    () => ({ 'site.json.gz': gzipSync(`{"x":[${'[],'.repeat(5_000_000)}[]]}`) }),
    failed('source-too-large', /site\.json\.gz:1: expected at most \d+ objects and lists/),
  ),
  hostileCms(
    'a key twice, and lists twice',
    cms('{"products":[],"products":[{"id":"501","id":"502","condition":"new","name":"Twice","slug":"twice"}]}'),
    fresh(1),
  ),
  hostileCms(
    '__proto__, constructor and toString as keys of a record',
    cms(
      '{"__proto__":[{"id":"1"}],"constructor":[],"products":[{"__proto__":{"id":"501"},"constructor":{"prototype":{"polluted":1}},"toString":1,"id":"503","condition":"new","name":"Keys","slug":"keys","specs":{"__proto__":"x","os":"x"},"matches":{"feedIds":{"__proto__":["a"],"constructor":["b"]}}}]}',
    ),
    fresh(1, { 'unknown-key': 'some' }),
  ),
  hostileCms(
    'slugs constructor, toString, valueof and hasownproperty',
    cms({
      products: ['constructor', 'valueof', 'hasownproperty'].map((slug, i) =>
        product({ id: `51${i}`, name: slug, slug, manufacturer: slug }),
      ),
      networks: [
        { id: '61', name: 'constructor', slug: 'constructor' },
        { id: '62', name: '__proto__', slug: 'proto' },
      ],
      retailers: [
        { id: '63', name: 'constructor', slug: 'constructor' },
        { id: '64', name: 'toString', slug: 'tostring' },
      ],
      gifts: [{ id: '65', name: 'constructor', slug: 'constructor' }],
      manufacturers: [{ slug: 'constructor', name: '__proto__' }],
    }),
    fresh(9, { 'unknown-manufacturer': 'some' }),
  ),
  hostileCms(
    'a slug __proto__',
    cms({ products: [product({ id: '524', name: 'Proto', slug: '__proto__', model: '__proto__' })] }),
    fresh(1),
  ),
  refusedProduct('a slug toString', { slug: 'toString' }, /slug: expected a lower-case URL-safe text/),
  refusedProduct('a slug ../../x', { slug: '../../x' }, /slug: expected a lower-case URL-safe text/),
  refusedProduct(
    'a slug of 10 MB',
    { slug: 'x'.repeat(10 * MEGABYTE) },
    /slug: expected a text of at most 200 characters/,
  ),
  refusedProduct('a slug with CR LF', { slug: 'x\r\nset-cookie:a' }, /slug: expected a lower-case URL-safe text/),
  refusedProduct('a slug with a NUL', { slug: 'x\0y' }, /slug: expected/),
  refusedProduct('an id beyond 2^53, as a number', { id: 2 ** 60 }, /id: expected a text/),
  refusedProduct('an id of 40 digits', { id: '9'.repeat(40) }, /id: expected decimal digits/),
  refusedProduct('an id ../x', { id: '../x' }, /id: expected decimal digits/),
  refusedProduct('an id of -0', { id: '-0' }, /id: expected decimal digits/),
  refusedProduct('an id of 0x10', { id: '0x10' }, /id: expected decimal digits/),
  refusedProduct(
    'a script for a picture',
    { imageUrls: { largeFrontImageWebp: 'javascript:alert(1)' } },
    /imageUrls.*: expected an http or https URL/,
  ),
  refusedProduct(
    'a picture of data',
    { imageUrls: { largeFrontImageWebp: 'data:image/png;base64,AAAA' } },
    /imageUrls.*: expected an http/,
  ),
  refusedProduct(
    'CR LF in the URL of a picture',
    { imageUrls: { largeFrontImageWebp: 'https://x.example/\r\nSet-Cookie:a' } },
    /imageUrls.*: expected an http/,
  ),
  refusedProduct('a name of 10 MB', { name: 'x'.repeat(10 * MEGABYTE) }, /name: expected a text of at most 300/),
  hostileCms(
    'an id beyond 2^53, as a text',
    cms({ products: [product({ id: '9007199254740993', name: 'Beyond', slug: 'beyond' })] }),
    fresh(1),
  ),
  hostileCms(
    'the number 1e999 for an id',
    cms('{"products":[{"id":1e999,"condition":"new","name":"X","slug":"x"}]}'),
    fresh(0, { 'malformed-field': 1 }),
  ),
  hostileCms(
    'the end of a script in names and texts',
    cms({
      products: [
        product({
          id: '520',
          slug: 'script',
          name: '</script><script>alert(1)</script>',
          content: { heading: '<!--<script>' },
        }),
      ],
    }),
    fresh(1),
  ),
  hostileCms(
    'CR LF in a name',
    cms({ products: [product({ id: '521', slug: 'crlf', name: 'Nova\r\nSet-Cookie: a=b' })] }),
    fresh(1),
  ),
  hostileCms(
    'lone surrogates in names',
    cms(
      '{"products":[{"id":"522","condition":"new","name":"\\ud800 \\udc00\\ud800","slug":"lone","content":{"heading":"\\udfff"}}]}',
    ),
    fresh(1),
  ),
  hostileCms(
    'names of direction marks and line separators',
    cms({ products: [product({ id: '523', slug: 'marks', name: '\u202eevil\u2028\u2029\u0085\ufeff' })] }),
    fresh(1),
  ),
  hostileCms(
    'lists that are no lists',
    cms({ products: { length: 1_000_000_000 } }),
    failed('source-malformed', /site\.json: expected products to be a list/),
  ),
  hostileCms(
    'records that are no objects',
    cms({ products: [null, [], 1, 'x', [[[]]]] }),
    fresh(0, { 'malformed-record': 5 }),
  ),
  hostileCms(
    'UTF-16',
    { 'site.json': Buffer.from('\ufeff{"products":[]}', 'utf16le') },
    failed('source-unreadable', /UTF-16; save the file as UTF-8/),
  ),
  hostileCms(
    'an open text of 16 MB',
    () => cms(`{"products":["${'x'.repeat(16 * MEGABYTE)}`),
    failed('source-malformed', /site\.json:1:\d+: expected a double quote/),
  ),
  hostileCms(
    'a text that is no JSON, in 16 MB of line breaks',
    () => cms(`${'\n'.repeat(16 * MEGABYTE)}x`),
    failed('source-malformed', /site\.json:16777217:1: expected a value/),
  ),
  hostileCms(
    'a Contentful export whose entries and locales lead to themselves',
    cms({
      locales: [
        { code: 'en', default: true, fallbackCode: 'de' },
        { code: 'de', fallbackCode: 'en' },
      ],
      entries: [
        {
          sys: { id: '__proto__', publishedVersion: 1, version: 2, contentType: { sys: { id: 'network' } } },
          fields: {
            name: { en: { nodeType: 'document', content: [] } },
            slug: { en: { sys: { type: 'Link', linkType: 'Entry', id: '__proto__' } } },
            constructor: { en: 'x' },
          },
        },
      ],
    }),
    fresh(0, { 'missing-field': 1 }),
    {
      adapter: 'contentful',
      mapping: { networks: { fields: { id: { hashed: 'sys.id' }, slug: 'slug.slug.slug.slug' } } },
    },
  ),
  hostileCms(
    'a rich text 60 deep, each with two within',
    () => {
      let node: unknown = { nodeType: 'text', value: 'x' };
      for (let depth = 0; depth < 55; depth++) node = { nodeType: 'paragraph', content: [node] };
      return cms({
        locales: [{ code: 'en', default: true }],
        entries: [
          {
            sys: { id: 'a', publishedVersion: 1, version: 2, contentType: { sys: { id: 'network' } } },
            fields: { name: { en: { nodeType: 'document', content: [node] } }, slug: { en: 'deep' } },
          },
        ],
      });
    },
    fresh(0, { 'missing-field': 1 }),
    { adapter: 'contentful', mapping: { networks: { fields: { id: { hashed: 'sys.id' } } } } },
  ),
];
