import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IMAGE_KEYS } from '../../../../../data/field/image.ts';
import { codesOf, leftOutOf, readSite, type Files, type SiteReading } from '../cms-reading.ts';

const NAMESPACES = [
  'xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:wp="http://wordpress.org/export/1.2/"',
].join(' ');

/** An export of a site called Phones, with these items and terms. */
function wxr(items: string, namespaces = NAMESPACES): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" ${namespaces}>
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

/** An item; a field that is undefined is left out. */
function post(
  fields: Readonly<Record<string, string | undefined>> = {},
  meta: Readonly<Record<string, string>> = { condition: 'new' },
  more = '',
): string {
  const elements = Object.entries({ ...POST, ...fields }).flatMap(([name, text]) =>
    text === undefined ? [] : [`<${name}>${text}</${name}>`],
  );
  const postmeta = Object.entries(meta).map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
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

describe('the wordpress adapter', () => {
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

  it.each(['publish', '<![CDATA[publish]]>'])('serves the status %s', async (status) => {
    expect((await read(wxr(post({ 'wp:status': status })))).account).toMatchObject({ read: 1, kept: 1 });
  });

  it.each([
    ['draft', 'draft'],
    ['future', 'future'],
    ['private', 'private'],
    ['pending', 'pending'],
    ['trash', 'trash'],
    [undefined, undefined],
  ])('leaves out the status %s', async (status, found) => {
    const site = await read(wxr(post({ 'wp:status': status })));
    expect(site.records.products).toEqual([]);
    expect(leftOutOf(site)).toMatchObject([{ code: 'unpublished', field: 'status', record: '101/new' }]);
    expect(leftOutOf(site)[0]?.found).toBe(found);
  });

  it('leaves out what only a password opens', async () => {
    const site = await read(wxr(post({ 'wp:post_password': 'hunter2' })));
    expect(leftOutOf(site)).toMatchObject([{ code: 'unpublished', field: 'post_password' }]);
    const { config: _config, ...output } = site;
    expect(JSON.stringify(output)).not.toContain('hunter2');
  });

  it.each([
    ['http://wordpress.org/export/1.0/', 'wp'],
    ['http://wordpress.org/export/1.1/', 'wp'],
    ['https://wordpress.org/export/1.2/', 'wp'],
    ['http://wordpress.org/export/1.2/', 'x'],
  ])('knows the namespace %s by the prefix %s', async (uri, prefix) => {
    const namespaces = NAMESPACES.replace('xmlns:wp="http://wordpress.org/export/1.2/"', `xmlns:${prefix}="${uri}"`);
    const site = await read(
      wxr(post())
        .replace(NAMESPACES, namespaces)
        .replaceAll(/(<\/?)wp:/g, `$1${prefix}:`),
    );
    expect(site.account).toMatchObject({ read: 1, kept: 1 });
  });

  it('is not fooled by another namespace under the same prefix', async () => {
    const hijacked = post().replace('<item>', '<item xmlns:wp="http://malicious.example/">');
    const meta = post({}, { condition: 'new', heading: 'evil' }).replaceAll(
      /<wp:postmeta>(<wp:meta_key>heading)/g,
      '<wp:postmeta xmlns:wp="http://malicious.example/">$1',
    );
    const site = await read(wxr(`${hijacked}${meta}`));
    expect(site.account).toMatchObject({ read: 1, kept: 1 });
    expect(site.records.products[0]?.record).not.toHaveProperty('content');
  });

  describe('SEO texts', () => {
    it.each([
      [
        'Yoast',
        '_yoast_wpseo_title',
        '_yoast_wpseo_metadesc',
        '_yoast_wpseo_focuskw',
        '%%title%% %%sep%% %%sitename%%',
      ],
      ['Rank Math', 'rank_math_title', 'rank_math_description', 'rank_math_focus_keyword', '%title% %sep% %sitename%'],
      [
        'SEOPress',
        '_seopress_titles_title',
        '_seopress_titles_desc',
        '_seopress_analysis_target_kw',
        '%%post_title%% - Phones',
      ],
    ])('of %s', async (_plugin, title, description, keywords, template) => {
      const meta = { condition: 'new', [title]: template, [description]: 'Cheap &amp; good', [keywords]: 'nokia' };
      const site = await read(wxr(post({}, meta)));
      expect(site.records.products[0]?.record.metaData).toEqual({
        title: 'Nokia X - Phones',
        description: 'Cheap & good',
        keywords: 'nokia',
      });
    });

    it('with a variable that only the plugin knows are left out', async () => {
      const meta = { condition: 'new', _yoast_wpseo_title: '%%title%% %%primary_category%%', rank_math_title: 'Plain' };
      const site = await read(wxr(post({}, meta)));
      expect(site.records.products[0]?.record.metaData).toEqual({ title: 'Plain' });
    });
  });

  describe('pictures', () => {
    it('are the address of the attachment, under every key', async () => {
      const meta = { condition: 'new', _thumbnail_id: '7', image_back: 'https://x.example/back.png' };
      const site = await read(wxr(`${post({}, meta)}${attachment('7', 'https://x.example/front.jpg')}`));
      const urls = site.records.products[0]?.record.imageUrls ?? {};
      expect(Object.keys(urls).toSorted()).toEqual(IMAGE_KEYS.toSorted());
      expect(urls).toMatchObject({
        largeFrontImageWebp: 'https://x.example/front.jpg',
        smallBackImagePng: 'https://x.example/back.png',
        mediumLeftImageJpg: 'https://x.example/front.jpg',
      });
      expect(site.notices).toMatchObject([
        { code: 'picture-stand-in', expected: 'a picture of left, right; front stands in' },
      ]);
    });

    it('may come in another file of the export', async () => {
      const site = await read({
        'cms/1.xml': wxr(post({}, { condition: 'new', _thumbnail_id: '7' })),
        'cms/2.xml.gz': gzipSync(wxr(attachment('7', 'https://x.example/front.jpg'))),
      });
      expect(site.records.products[0]?.record.imageUrls?.largeFrontImageWebp).toBe('https://x.example/front.jpg');
      expect(site.states[0]?.files).toHaveLength(2);
    });

    it.each([
      ['7', '', 'attachment 7'],
      ['7', attachment('7', 'javascript:alert(1)'), 'attachment 7'],
      ['x', '', 'attachment x'],
    ])('that are not there are told of: %s', async (id, more, found) => {
      const site = await read(wxr(`${post({}, { condition: 'new', _thumbnail_id: id })}${more}`));
      expect(site.records.products[0]?.record).not.toHaveProperty('imageUrls');
      expect(site.notices).toMatchObject([{ code: 'unresolved-link', field: 'images.front', found }]);
    });

    it.each(['', '0'])('that are not chosen are none: %j', async (id) => {
      expect((await read(wxr(post({}, { condition: 'new', _thumbnail_id: id })))).notices).toEqual([]);
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

  it('tells of the types that it does not read', async () => {
    const items = [
      post(),
      post({ 'wp:post_type': 'page' }),
      post({ 'wp:post_type': 'nav_menu_item' }),
      post({ 'wp:post_type': 'page' }),
    ];
    const site = await read(wxr(items.join('')));
    expect(site.account.read).toBe(1);
    expect(site.notices).toEqual([
      { code: 'unmapped-type', source: 'site', file: 'cms/site.xml', found: 'nav_menu_item (1), page (2)' },
    ]);
  });

  it.each([
    ['a:1:{i:0;s:3:"new";}', undefined],
    ['O:8:"stdClass":0:{}', undefined],
    ['s:3:"new";', undefined],
    ['b:1;', undefined],
    ['a: something else', 'a: something else'],
  ])('reads nothing that only PHP understands: %s', async (value, heading) => {
    const site = await read(wxr(post({}, { condition: 'new', heading: value })));
    expect(site.records.products[0]?.record.content?.heading).toBe(heading);
  });

  it.each([
    [
      { title: undefined },
      { condition: 'new' },
      'missing-field',
      'name',
      'correct `title` of phone in the CMS, or say in `mapping.products.fields` where `name` comes from',
    ],
    [
      { 'wp:post_name': '%ce%b5%cf%80' },
      { condition: 'new' },
      'malformed-field',
      'slug',
      'correct `slug` of phone in the CMS, or say in `mapping.products.fields` where `slug` comes from',
    ],
    [
      {},
      {},
      'missing-field',
      'condition',
      'correct `meta.condition` or `terms.condition.slug` of phone in the CMS, or say in `mapping.products.fields` where `condition` comes from',
    ],
  ])('quarantines %j with %j', async (fields, meta, code, field, remedy) => {
    const site = await read(wxr(`${post(fields, meta)}${post({ 'wp:post_id': '102' })}`));
    expect(site.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
    expect(leftOutOf(site)).toMatchObject([{ code, field, remedy, file: 'cms/site.xml', line: 7 }]);
  });

  it.each([
    ['an entity that XML does not have', post({ title: 'Nokia&nbsp;X' })],
    ['an attribute without quotes', post({}, undefined, '<category domain=x>y</category>')],
  ])('quarantines an item with %s, and reads the next', async (_what, item) => {
    const site = await read(wxr(`${item}${post({ 'wp:post_id': '102' })}`));
    expect(site.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
    expect(leftOutOf(site)).toMatchObject([{ code: 'malformed-record', line: 7 }]);
  });

  it('never expands an entity, and never opens a file', async () => {
    const lol = '<!ENTITY lol "lol"><!ENTITY lol1 "&lol;&lol;"><!ENTITY file SYSTEM "file:///etc/passwd">';
    const text = wxr(post({ title: '&lol1;&file;' })).replace('<rss', `<!DOCTYPE rss [${lol}]>\n<rss`);
    const site = await read(text);
    expect(leftOutOf(site)).toMatchObject([{ code: 'malformed-record' }]);
    const { config: _config, ...output } = site;
    expect(JSON.stringify(output)).not.toContain('root:');
  });

  it('reads no author and no comment', async () => {
    const comment = '<wp:comment><wp:comment_author_email>jo@example.com</wp:comment_author_email></wp:comment>';
    const site = await read(wxr(post({}, { condition: 'new' }, comment)));
    const { config: _config, ...output } = site;
    expect(JSON.stringify(output)).not.toContain('@example.com');
  });

  it.each([
    [
      'a file that ends in the middle',
      wxr(post()).slice(0, -40),
      /^cms\/site\.xml:[0-9]+: expected well-formed XML, got unclosed tag/,
    ],
    ['elements that do not nest', wxr('<item><title></item></title>'), /expected well-formed XML, got/],
    ['elements of any depth', wxr('<a>'.repeat(5_000) + '</a>'.repeat(5_000)), /elements at most 64 deep/],
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
    ['no XML at all', '{"products": []}', /expected/],
    ['nothing', '', /expected/],
  ])('refuses %s', async (_what, text, message) => {
    const site = await read(text);
    expect(site.states).toMatchObject([{ state: 'failed' }]);
    expect(codesOf(site)).toEqual(['source-malformed']);
    expect(site.notices[0]?.found).toMatch(message);
  });
});
