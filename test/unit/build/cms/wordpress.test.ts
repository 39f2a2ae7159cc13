import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IMAGE_KEYS } from '../../../../data/field/image.ts';
import { readCases, type NamedCase } from '../cases.ts';
import { codesOf, expectReading, readSite, type ExpectedReading, type Files, type SiteReading } from './reading.ts';

const NAMESPACES = [
  'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:wp="http://wordpress.org/export/1.2/"',
].join(' ');

/** An export of a site called Phones, with these items and terms. */
function wxr(items: string): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" ${NAMESPACES}>
<channel>
<title>Phones</title>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login>boss</wp:author_login><wp:author_email>boss@example.com</wp:author_email></wp:author>
${items}
</channel>
</rss>
`;
}

const POST: Readonly<Record<string, string>> = {
  'wp:post_id': '101',
  'wp:post_name': 'nokia-x',
  'wp:status': 'publish',
  'wp:post_type': 'phone',
  title: 'Nokia X',
};

/** An item without the fields that are null. */
function post(
  fields: Readonly<Record<string, string | null>> = {},
  meta: Readonly<Record<string, string | null>> = { condition: 'new' },
  more = '',
): string {
  const elements = Object.entries({ ...POST, ...fields }).flatMap(([name, text]) =>
    text === null ? [] : [`<${name}>${text}</${name}>`],
  );
  const postmeta = Object.entries(meta).flatMap(([key, value]) =>
    value === null
      ? []
      : [
          `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
        ],
  );
  return `<item>${elements.join('')}${postmeta.join('')}${more}</item>`;
}

function attachment(id: string, url: string): string {
  return post({ 'wp:post_id': id, 'wp:post_type': 'attachment', 'wp:status': 'inherit', 'wp:attachment_url': url }, {});
}

const MAPPING = { products: { type: 'phone' } };

async function read(content: string | Files, settings: object = {}): Promise<SiteReading> {
  const files = typeof content === 'string' ? { 'cms/site.xml': content } : content;
  return readSite(files, { adapter: 'wordpress', files: ['cms/*'], mapping: MAPPING, ...settings });
}

/** An export with one phone and what follows it, and what is read from it. */
interface ExportCase extends ExpectedReading {
  /** The elements and the meta values of the phone that differ; null is none. */
  readonly post?: Readonly<Record<string, string | null>>;
  readonly meta?: Readonly<Record<string, string | null>>;
  readonly more?: string;
  readonly posts?: readonly Parameters<typeof post>[];
  readonly attachment?: readonly [id: string, url: string];
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'wordpress.jsonl')) as readonly NamedCase<ExportCase>[];

describe('the wordpress adapter', () => {
  it.each(CASES)(
    'reads %s',
    async (_what, { post: fields, meta, more, posts = [], attachment: asset, ...expected }) => {
      const items = [post(fields, { condition: 'new', ...meta }, more), ...posts.map((each) => post(...each))];
      if (asset !== undefined) items.push(attachment(...asset));
      expectReading(await read(wxr(items.join(''))), expected);
    },
  );

  it('reads published posts by convention', async () => {
    const site = await read(
      wxr(
        post(
          {
            title: '<![CDATA[Tom &amp; Jerry&#8217;s <em>phone</em>]]>',
            'excerpt:encoded': '<![CDATA[A <b>phone</b>.]]>',
            'content:encoded': '<![CDATA[<!-- wp:paragraph --><p>Long.</p><!-- /wp:paragraph -->]]>',
            'wp:post_modified_gmt': '2026-11-01 10:00:00',
          },
          {
            condition: 'Refurbished',
            heading: 'A heading',
            specs_os: 'Android 14',
            specs_screen_size: '6.1"',
            specs_4g: 'Yes',
            gtin: '0840244706500',
          },
          '<category domain="brand" nicename="nokia"><![CDATA[Nokia]]></category>',
        ),
      ),
    );
    expect(site.records.products).toEqual([
      {
        record: {
          id: '101',
          condition: 'refurbished',
          name: 'Tom & Jerry’s phone',
          slug: 'nokia-x',
          manufacturer: 'nokia',
          content: { heading: 'A heading', introduction: 'A phone.' },
          specs: { os: 'Android 14', screenSize: '6.1"', '4g': 'Yes' },
          matches: { gtins: ['0840244706500'] },
          status: 'published',
          updatedAt: '2026-11-01T10:00:00Z',
        },
        origin: { source: 'site', file: 'cms/site.xml', line: 7 },
      },
    ]);
    expect(site.notices).toEqual([]);
  });

  describe('pictures', () => {
    it('are the address of the attachment, under every key of a view', async () => {
      const meta = { condition: 'new', _thumbnail_id: '7', image_back: 'https://x.example/back.png' };
      const site = await read(wxr(`${post({}, meta)}${attachment('7', 'https://x.example/front.jpg')}`));
      const urls = site.records.products[0]?.record.imageUrls ?? {};
      expect(Object.keys(urls).toSorted()).toEqual(IMAGE_KEYS.filter((key) => /Front|Back/.test(key)).toSorted());
      expect(urls).toMatchObject({
        largeFrontImageWebp: 'https://x.example/front.jpg',
        smallBackImagePng: 'https://x.example/back.png',
      });
      expect(site.notices).toEqual([]);
    });

    it('may come in another file of the export', async () => {
      const site = await read({
        'cms/1.xml': wxr(post({}, { condition: 'new', _thumbnail_id: '7' })),
        'cms/2.xml.gz': gzipSync(wxr(attachment('7', 'https://x.example/front.jpg'))),
      });
      expect(site.records.products[0]?.record.imageUrls?.largeFrontImageWebp).toBe('https://x.example/front.jpg');
      expect(site.states[0]?.files).toHaveLength(2);
    });
  });

  describe('terms', () => {
    const term =
      '<wp:term><wp:term_id>3</wp:term_id><wp:term_taxonomy>gift_category</wp:term_taxonomy><wp:term_slug>audio</wp:term_slug><wp:term_name><![CDATA[Audio &amp; more]]></wp:term_name><wp:term_description><![CDATA[<p>Sound.</p>]]></wp:term_description></wp:term>';
    const gift = (id: string, status = 'publish'): string =>
      post(
        { 'wp:post_id': id, 'wp:post_type': 'gift', 'wp:post_name': `gift-${id}`, 'wp:status': status },
        {},
        '<category domain="gift_category" nicename="audio"><![CDATA[Audio]]></category>',
      );

    it('are records, with their posts', async () => {
      const site = await read(wxr(`${term}${gift('9')}${gift('7')}${gift('8', 'draft')}`), {
        mapping: { giftCategories: {}, gifts: {} },
      });
      expect(site.records.giftCategories.map(({ record }) => record)).toEqual([
        {
          id: '3',
          name: 'Audio & more',
          slug: 'audio',
          content: { introduction: 'Sound.' },
          gifts: ['9', '7'],
          status: 'published',
        },
      ]);
      expect(site.account).toMatchObject({ read: 4, kept: 3, outOfScope: 1 });
    });

    it('that are not mapped are not counted', async () => {
      expect((await read(wxr(`${term}${post()}`))).notices).toEqual([]);
    });
  });

  it.each([
    [
      'another kind of XML',
      '<html><body/></html>',
      /^cms\/site\.xml:1: expected an export of WordPress \(WXR\), <rss>, got "<html>"/,
    ],
    [
      'another RSS feed',
      '<rss version="2.0"><channel><title>x</title></channel></rss>',
      /expected an export of WordPress \(WXR\), got another RSS feed/,
    ],
  ])('refuses %s', async (_what, text, message) => {
    const site = await read(text);
    expect(site.states).toMatchObject([{ state: 'failed' }]);
    expect(codesOf(site)).toEqual(['source-malformed']);
    expect(site.notices[0]?.found).toMatch(message);
  });
});
