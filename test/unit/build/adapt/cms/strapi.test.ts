import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarOf } from '../../source/tar-archive.ts';
import { codesOf, leftOutOf, readSite, type Files, type SiteReading } from '../cms-reading.ts';

const PHONE_TYPE = 'api::phone.phone';
const FILE_TYPE = 'plugin::upload.file';

type Data = Readonly<Record<string, unknown>>;

const PHONE = { sku: 101, title: 'Nokia X', slug: 'nokia-x', condition: 'new' };
const PUBLISHED = { publishedAt: '2026-11-01T10:00:00.000Z', locale: null };

function row(type: string, id: number, data: Data): object {
  return { type, id, data };
}

/** A published phone as version 5 writes it. */
function phone(id: number, documentId: string, data: Data = {}): object {
  return row(PHONE_TYPE, id, { documentId, ...PHONE, ...PUBLISHED, ...data });
}

function file(id: number, name: string, data: Data = {}): object {
  const dot = name.lastIndexOf('.');
  const [hash, ext] = [name.slice(0, dot), name.slice(dot)];
  return row(FILE_TYPE, id, { hash, ext, url: `/uploads/${name}`, mime: 'image/png', ...data });
}

/** A file that a field shows. */
function picture(fileId: number, type: string, ref: number, field: string, pos = 1): object {
  const left = { type: FILE_TYPE, ref: fileId, field: 'related' };
  return { kind: 'relation.morph', relation: 'morphToMany', left, right: { type, ref, field, pos } };
}

function link(left: object, right: object): object {
  return { kind: 'relation.basic', relation: 'oneToMany', left, right };
}

function jsonl(lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

interface Export {
  readonly entities?: readonly (object | string)[];
  readonly links?: readonly (object | string)[];
  readonly schemas?: readonly object[];
  readonly assets?: Files;
}

/** The files of an export, by their path in it. */
function exportOf({ entities = [], links = [], schemas = [], assets = {} }: Export): Files {
  return {
    'metadata.json': '{"createdAt":"2026-11-01T10:00:00.000Z","strapi":{"version":"5.32.0"}}',
    'entities/entities_00001.jsonl': jsonl(entities),
    'links/links_00001.jsonl': jsonl(links),
    'schemas/schemas_00001.jsonl': jsonl(schemas),
    ...Object.fromEntries(Object.entries(assets).map(([name, bytes]) => [`assets/uploads/${name}`, bytes])),
  };
}

function inFolder(folder: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

const MAPPING = { products: { type: PHONE_TYPE, fields: { id: 'sku' } } };

async function read(content: Export, settings: object = {}): Promise<SiteReading> {
  return readFiles(inFolder('cms/export', exportOf(content)), settings);
}

async function readFiles(files: Files, settings: object = {}): Promise<SiteReading> {
  return readSite(files, { adapter: 'strapi', files: ['cms/export/metadata.json'], mapping: MAPPING, ...settings });
}

describe('the strapi adapter', () => {
  it('reads published rows, with what they link to', async () => {
    const site = await read({
      entities: [
        phone(1, 'doc1', { publishedAt: null, title: 'The draft' }),
        phone(2, 'doc1', { description: 'A phone.', seo: { id: 5, metaTitle: 'Deals' }, specs: { os: 'Android 14' } }),
        row('api::manufacturer.manufacturer', 3, { documentId: 'm', slug: 'nokia', name: 'Nokia', ...PUBLISHED }),
      ],
      links: [
        link(
          { type: PHONE_TYPE, ref: 2, field: 'manufacturer' },
          { type: 'api::manufacturer.manufacturer', ref: 3, field: 'phones' },
        ),
      ],
    });
    expect(site.records.products).toEqual([
      {
        record: {
          id: '101',
          condition: 'new',
          name: 'Nokia X',
          slug: 'nokia-x',
          manufacturer: 'nokia',
          content: { introduction: 'A phone.' },
          metaData: { title: 'Deals' },
          specs: { os: 'Android 14' },
          status: 'published',
        },
        origin: { source: 'site', file: 'cms/export/entities/entities_00001.jsonl', line: 2 },
      },
    ]);
    expect(site.account).toMatchObject({ read: 1, kept: 1 });
    expect(site.notices).toEqual([
      {
        code: 'unmapped-type',
        source: 'site',
        file: 'cms/export/metadata.json',
        found: 'api::manufacturer.manufacturer (1)',
      },
    ]);
  });

  it.each([
    ['cms/export/metadata.json'],
    ['cms/export/**'],
    ['cms/export/entities/*.jsonl'],
    ['cms/*/schemas/*'],
    ['cms/export/**/*.jsonl'],
  ])('finds the export by any of its files: %s', async (glob) => {
    const content = exportOf({ entities: [phone(2, 'doc1')], assets: { 'a.png': 'x' } });
    const files = { ...inFolder('cms/export', content), 'cms/export/configuration/configuration_00001.jsonl': '{}' };
    const site = await readFiles(files, { files: [glob] });
    expect(site.account.kept).toBe(1);
    expect(site.states[0]?.files.map(({ path }) => path)).toEqual([
      'cms/export/entities/entities_00001.jsonl',
      'cms/export/links/links_00001.jsonl',
      'cms/export/schemas/schemas_00001.jsonl',
    ]);
  });

  it('keeps two exports apart', async () => {
    const files = {
      ...inFolder('cms/a', exportOf({ entities: [phone(1, 'x')] })),
      ...inFolder('cms/b', exportOf({ entities: [phone(1, 'y', { sku: 102 })] })),
    };
    const site = await readFiles(files, { files: ['cms/*/metadata.json'] });
    expect(site.records.products.map(({ record }) => record.id)).toEqual(['101', '102']);
  });

  it('puts split files together', async () => {
    const content = exportOf({ links: [picture(9, PHONE_TYPE, 1, 'image')], assets: { 'a.png': 'x' } });
    const files = {
      ...content,
      'entities/entities_00001.jsonl': jsonl([phone(1, 'x')]),
      'entities/entities_00002.jsonl': jsonl([phone(2, 'y', { sku: 102 }), file(9, 'a.png')]),
    };
    const site = await readFiles(inFolder('cms/export', files));
    expect(site.records.products.map(({ record, origin }) => [record.id, record.images, origin.file])).toEqual([
      ['101', { front: '../assets/uploads/a.png' }, 'cms/export/entities/entities_00001.jsonl'],
      ['102', undefined, 'cms/export/entities/entities_00002.jsonl'],
    ]);
  });

  describe('drafts and locales', () => {
    it.each([
      ['a draft beside its published row', [phone(1, 'd', { publishedAt: null }), phone(2, 'd')], 1, []],
      ['a draft alone', [phone(1, 'd', { publishedAt: null })], 0, ['publishedAt']],
      ['a type without drafts', [phone(1, 'd', { publishedAt: undefined })], 1, []],
      ['a row of version 4', [row(PHONE_TYPE, 1, { ...PHONE, publishedAt: '2026-11-01T10:00:00.000Z' })], 1, []],
      ['a draft of version 4', [row(PHONE_TYPE, 1, { ...PHONE, publishedAt: null })], 0, ['publishedAt']],
      ['two languages', [phone(1, 'd', { locale: 'en' }), phone(2, 'd', { locale: 'fr' })], 1, []],
      ['another language only', [phone(1, 'd', { locale: 'fr' })], 0, ['locale']],
      [
        'a draft here, published elsewhere',
        [phone(1, 'd', { locale: 'en', publishedAt: null }), phone(2, 'd', { locale: 'fr' })],
        0,
        ['publishedAt'],
      ],
    ] as [string, object[], number, string[]][])('%s', async (_what, entities, kept, fields) => {
      const site = await read({ entities });
      expect(site.account).toMatchObject({ read: 1, kept, outOfScope: fields.length });
      expect(leftOutOf(site)).toMatchObject(fields.map((field) => ({ code: 'unpublished', field, record: '101/new' })));
    });

    it('reads the locale of the configuration', async () => {
      const entities = [phone(1, 'd', { locale: 'en' }), phone(2, 'd', { locale: 'fr', title: 'Téléphone' })];
      const site = await read({ entities }, { locale: 'fr' });
      expect(site.records.products.map(({ record }) => record.name)).toEqual(['Téléphone']);
    });

    it('counts the translations of version 4 with their original', async () => {
      const localized = (id: number, locale: string): object =>
        row(PHONE_TYPE, id, { ...PHONE, locale, publishedAt: '2026-11-01T10:00:00.000Z' });
      const localizations = (left: number, right: number): object => ({
        kind: 'relation.circular',
        relation: 'oneToMany',
        left: { type: PHONE_TYPE, ref: left, field: 'localizations' },
        right: { type: PHONE_TYPE, ref: right },
      });
      const entities = [localized(1, 'fr'), localized(2, 'en'), localized(3, 'de')];
      const site = await read({ entities, links: [localizations(1, 2), localizations(2, 1)] });
      expect(site.account).toMatchObject({ read: 2, kept: 1, outOfScope: 1 });
      expect(leftOutOf(site)).toMatchObject([{ field: 'locale', expected: 'en', found: 'de' }]);
    });
  });

  describe('links', () => {
    const gift = (id: number, documentId: string, data: Data = {}): object =>
      row('api::gift.gift', id, {
        documentId,
        number: id * 10,
        name: `Gift ${id}`,
        slug: `gift-${id}`,
        ...PUBLISHED,
        ...data,
      });
    const category = row('api::gift-category.gift-category', 1, {
      documentId: 'c',
      number: 3,
      name: 'Audio',
      slug: 'audio',
      ...PUBLISHED,
    });
    const mapping = { giftCategories: { fields: { id: 'number' } }, gifts: { fields: { id: 'number' } } };
    const toGift = (ref: number, pos: number): object =>
      link(
        { type: 'api::gift-category.gift-category', ref: 1, field: 'gifts', pos },
        { type: 'api::gift.gift', ref, field: 'category' },
      );
    const toCategory = (ref: number, pos: number): object =>
      link(
        { type: 'api::gift.gift', ref, field: 'category' },
        { type: 'api::gift-category.gift-category', ref: 1, field: 'gifts', pos },
      );

    it.each([
      ['that the category owns', [toGift(5, 2), toGift(6, 1)]],
      ['that the gifts own', [toCategory(5, 2), toCategory(6, 1)]],
      ['that is there twice', [toGift(6, 1), toGift(6, 1), toGift(5, 2)]],
    ])('are read from both sides, in the order of the editor, also one %s', async (_what, links) => {
      const site = await read({ entities: [category, gift(5, 'g5'), gift(6, 'g6')], links }, { mapping });
      expect(site.records.giftCategories[0]?.record.gifts).toEqual(['60', '50']);
    });

    it('lead to the published row of what they link to', async () => {
      const entities = [category, gift(5, 'g', { publishedAt: null }), gift(6, 'g')];
      const site = await read({ entities, links: [toGift(5, 1)] }, { mapping });
      expect(site.records.giftCategories[0]?.record.gifts).toEqual(['60']);
    });

    it.each([
      ['api::gift.gift 5, which is a draft', [gift(5, 'g', { publishedAt: null })]],
      ['api::gift.gift 5', []],
    ])('that lead nowhere are told of: %s', async (found, gifts) => {
      const site = await read({ entities: [category, ...gifts], links: [toGift(5, 1)] }, { mapping });
      expect(site.notices).toContainEqual(expect.objectContaining({ code: 'unresolved-link', field: 'gifts', found }));
      expect(site.records.giftCategories[0]?.record.gifts).toEqual([]);
    });

    it.each(['not json', '[]', '{"left":{},"right":{}}', '{"left":{"type":"api::a.a","ref":1}}'])(
      'that are none are told of: %s',
      async (line) => {
        const site = await read({ entities: [phone(1, 'd')], links: [line] });
        expect(site.account.kept).toBe(1);
        expect(site.notices).toEqual([
          expect.objectContaining({ code: 'malformed-link', file: 'cms/export/links/links_00001.jsonl', line: 1 }),
        ]);
      },
    );
  });

  describe('components', () => {
    const schemas = [
      {
        uid: PHONE_TYPE,
        attributes: {
          seo: { type: 'component', component: 'shared.seo' },
          blocks: { type: 'dynamiczone' },
          description: { type: 'blocks' },
          secret: { type: 'password' },
        },
      },
    ];

    it('show the pictures that link to them', async () => {
      const entities = [
        phone(1, 'd', {
          seo: { id: 7, metaTitle: 'x' },
          blocks: [{ id: 8, __component: 'shared.shot', caption: 'Back' }],
        }),
        file(9, 'seo.png'),
        file(10, 'back.png'),
      ];
      const links = [picture(9, 'shared.seo', 7, 'metaImage'), picture(10, 'shared.shot', 8, 'shot')];
      const fields = { id: 'sku', 'images.front': 'seo.metaImage', 'images.back': 'blocks[0].shot' };
      const content = { entities, links, schemas, assets: { 'seo.png': 'x', 'back.png': 'x' } };
      const site = await read(content, { mapping: { products: { type: PHONE_TYPE, fields } } });
      expect(site.records.products[0]?.record.images).toEqual({
        front: '../assets/uploads/seo.png',
        back: '../assets/uploads/back.png',
      });
    });

    it('may be rows of their own', async () => {
      const entities = [phone(1, 'd'), row('shared.seo', 7, { metaTitle: 'Deals' })];
      const links = [link({ type: PHONE_TYPE, ref: 1, field: 'seo' }, { type: 'shared.seo', ref: 7 })];
      const site = await read({ entities, links, schemas });
      expect(site.records.products[0]?.record.metaData).toEqual({ title: 'Deals' });
    });

    it.each([
      ['richtext', '**A** phone\n\n<p>of <em>ours</em></p>', 'A phone\n\nof ours'],
      ['text', '**A** phone, 5 * 3', '**A** phone, 5 * 3'],
      ['text', '<p>A *phone*</p>', 'A *phone*'],
      ['string', 'a **b** _c_', 'a **b** _c_'],
    ])('and %s is plain text: %j', async (type, description, expected) => {
      const schemas = [{ uid: PHONE_TYPE, attributes: { description: { type } } }];
      const site = await read({ entities: [phone(1, 'doc1', { description })], schemas });
      expect(site.records.products[0]?.record.content).toEqual({ introduction: expected });
    });

    it('and blocks of text are plain text', async () => {
      const paragraph = (...children: object[]): object => ({ type: 'paragraph', children });
      const description = [
        paragraph(
          { type: 'text', text: 'See ' },
          { type: 'link', url: 'x', children: [{ type: 'text', text: 'this' }] },
        ),
        paragraph({ type: 'text', text: '' }),
        { type: 'list', children: [{ type: 'list-item', children: [{ type: 'text', text: 'one' }] }] },
      ];
      const site = await read({ entities: [phone(1, 'd', { description })], schemas });
      expect(site.records.products[0]?.record.content).toEqual({ introduction: 'See this\n\none' });
    });

    it('and a password is never read, even if the mapping names it', async () => {
      const fields = { id: 'sku', 'content.heading': 'secret' };
      const content = { entities: [phone(1, 'd', { secret: '$2a$10$hash' })], schemas };
      const site = await read(content, { mapping: { products: { type: PHONE_TYPE, fields } } });
      expect(JSON.stringify(site)).not.toContain('$2a$10$hash');
    });
  });

  describe('pictures', () => {
    const entities = [phone(1, 'd'), file(9, 'a.png'), file(10, 'b.png')];

    it('of a gallery come in the order of the editor', async () => {
      const links = [picture(9, PHONE_TYPE, 1, 'gallery', 2), picture(10, PHONE_TYPE, 1, 'gallery', 1)];
      const fields = {
        id: 'sku',
        'images.front': 'gallery[0]',
        'images.back': 'gallery[1]',
        'images.left': 'gallery[2]',
      };
      const mapping = { products: { type: PHONE_TYPE, fields } };
      const site = await read({ entities, links, assets: { 'a.png': 'x', 'b.png': 'x' } }, { mapping });
      expect(site.records.products[0]?.record.images).toEqual({
        front: '../assets/uploads/b.png',
        back: '../assets/uploads/a.png',
      });
    });

    it('that the export lacks are looked for all the same, so that the build tells of them', async () => {
      const site = await read({ entities, links: [picture(9, PHONE_TYPE, 1, 'image')] });
      expect(site.records.products[0]?.record.images).toEqual({ front: '../assets/uploads/a.png' });
    });

    it.each([
      [
        'from where the configuration says',
        {},
        { assetsUrl: 'https://cms.example' },
        'https://cms.example/uploads/a.png',
      ],
      ['from where the CMS keeps them', { url: 'https://cdn.example/a.png' }, {}, 'https://cdn.example/a.png'],
    ])('that the export lacks are shown %s', async (_what, data, settings, url) => {
      const content = {
        entities: [phone(1, 'd'), file(9, 'a.png', data)],
        links: [picture(9, PHONE_TYPE, 1, 'image')],
      };
      const { imageUrls, images } = (await read(content, settings)).records.products[0]?.record ?? {};
      expect(images).toBeUndefined();
      expect(new Set(Object.values(imageUrls ?? {}))).toEqual(new Set([url]));
      expect(Object.keys(imageUrls ?? {})).toHaveLength(36);
    });

    it.each(['../../secret', 'a/b', 'a\\b', 'a\0b', ''])('never lead out of the export: %j', async (hash) => {
      const content = {
        entities: [phone(1, 'd'), file(9, 'a.png', { hash, ext: '' })],
        links: [picture(9, PHONE_TYPE, 1, 'image')],
      };
      const site = await read(content);
      expect(site.records.products[0]?.record).not.toHaveProperty('images');
      expect(site.notices).toMatchObject([{ code: 'unresolved-link', found: 'file 9' }]);
    });
  });

  describe('an archive', () => {
    const content = exportOf({
      entities: [phone(1, 'd'), phone(2, 'e', { sku: 102 }), file(9, 'a.png'), file(10, 'b.png')],
      links: [picture(9, PHONE_TYPE, 1, 'image'), picture(9, PHONE_TYPE, 2, 'image')],
      assets: { 'a.png': 'the bytes of a', 'b.png': 'no record shows this one', '../../evil.png': 'x' },
    });

    it.each([
      ['export.tar', async () => tarOf(content)],
      ['export.tar.gz', async () => gzipSync(await tarOf(content))],
      ['export.tgz', async () => gzipSync(await tarOf(inFolder('my-export', content)))],
      ['export.tar.gz', async () => gzipSync(await tarOf(inFolder('./', content)))],
    ])('%s is read like a folder, and hands on the pictures that are shown', async (name, pack) => {
      const site = await readFiles({ [`cms/${name}`]: await pack() }, { files: [`cms/${name}`] });
      expect(site.records.products.map(({ record, origin }) => [record.id, origin.file, origin.line])).toEqual([
        ['101', `cms/${name}/entities/entities_00001.jsonl`, 1],
        ['102', `cms/${name}/entities/entities_00001.jsonl`, 2],
      ]);
      const { record, origin } = site.records.products[0] ?? {};
      const unpacked = site.unpacked.find(origin?.file ?? '', record?.images?.front ?? '');
      expect(readFileSync(unpacked ?? '', 'utf8')).toBe('the bytes of a');
      expect(site.unpacked.find(origin?.file ?? '', '../assets/uploads/b.png')).toBeUndefined();
      expect(site.states[0]?.files.map(({ path }) => path)).toEqual([`cms/${name}`]);
    });

    it('leaves nothing behind', async () => {
      const site = await readFiles({ 'cms/a.tar': await tarOf(content) }, { files: ['cms/*.tar'] });
      const { record, origin } = site.records.products[0] ?? {};
      const unpacked = site.unpacked.find(origin?.file ?? '', record?.images?.front ?? '') ?? '';
      await site.unpacked.remove();
      expect(() => readFileSync(unpacked)).toThrow('ENOENT');
    });

    it.each([
      [
        'that is encrypted',
        'export.tar.gz.enc',
        async () => Buffer.from('Salted'),
        'source-unreadable',
        'cms/export.tar.gz.enc: expected an export that is not encrypted; export again with `strapi export --no-encrypt`',
      ],
      [
        'that is none',
        'export.tar',
        async () => Buffer.from('{"products": []}'.repeat(100)),
        'source-malformed',
        'cms/export.tar: expected a tar archive, packed with gzip or not, got something else',
      ],
      [
        'that is cut short',
        'export.tar',
        async () => (await tarOf(content)).subarray(0, 1_500),
        'source-malformed',
        'cms/export.tar: expected the rest of the archive, got its end; fetch it again',
      ],
      [
        'of which the packing is cut short',
        'export.tar.gz',
        async () => gzipSync(await tarOf(content)).subarray(0, 300),
        'source-malformed',
        'cms/export.tar.gz: expected the rest of the packed file, got its end; fetch it again',
      ],
      [
        'of something else',
        'export.tar',
        async () => tarOf({ 'data.ndjson': '{}' }),
        'source-malformed',
        'cms/export.tar: expected the export of a Strapi, with files entities/*.jsonl in cms/export.tar; name its metadata.json or its archive in `files`',
      ],
      [
        'that inflates to more than the limit',
        'export.tar.gz',
        async () => gzipSync(await tarOf({ ...content, 'assets/uploads/big.png': Buffer.alloc(1_500_000) })),
        'source-too-large',
        'cms/export.tar.gz: expected at most 1000000 bytes when unpacked, got more; check the file, or raise `maxMegabytes` of site',
      ],
    ])('%s cannot be read', async (_what, name, pack, code, found) => {
      const site = await readFiles({ [`cms/${name}`]: await pack() }, { files: ['cms/*'], maxMegabytes: 1 });
      expect(site.states).toMatchObject([{ state: 'failed' }]);
      expect(site.account.read).toBe(0);
      expect(site.notices).toMatchObject([{ code, found }]);
    });
  });

  it('cannot read a folder without rows', async () => {
    const site = await readFiles({ 'cms/export/metadata.json': '{}' });
    expect(site.notices).toMatchObject([
      {
        code: 'source-malformed',
        found:
          'cms/export/metadata.json: expected the export of a Strapi, with files entities/*.jsonl in cms/export; name its metadata.json or its archive in `files`',
      },
    ]);
  });

  describe('ids', () => {
    const byRow = { products: { type: PHONE_TYPE, fields: { id: 'id' } } };

    it('of rows change in version 5, which is told', async () => {
      const site = await read({ entities: [phone(17, 'd')] }, { mapping: byRow });
      expect(site.records.products[0]?.record.id).toBe('17');
      expect(site.notices).toEqual([
        {
          code: 'unstable-id',
          source: 'site',
          file: 'cms/export/metadata.json',
          field: 'mapping.products.fields.id',
          found: 'id',
        },
      ]);
    });

    it('of rows stay in version 4', async () => {
      const site = await read({ entities: [row(PHONE_TYPE, 17, PHONE)] }, { mapping: byRow });
      expect(site.records.products[0]?.record.id).toBe('17');
      expect(site.notices).toEqual([]);
    });

    it('are made of the document where it has no number', async () => {
      const mapping = { products: { type: PHONE_TYPE, fields: { id: { hashed: 'documentId' } } } };
      const site = await read({ entities: [phone(17, 'khl8n8qmetuk0ytlgj9hitcn')] }, { mapping });
      expect(site.records.products[0]?.record.id).toMatch(/^[1-9][0-9]{15,18}$/);
      expect(site.notices).toEqual([]);
    });
  });

  describe('what is none of our business', () => {
    const secrets = ['$2a$10$hash', 'admin@example.com', 'token-1234', 'salt-5678'];
    const secretData = {
      email: secrets[1],
      password: secrets[0],
      resetPasswordToken: secrets[2],
      accessKey: secrets[3],
    };
    const entities = [
      row('admin::user', 1, secretData),
      row('plugin::users-permissions.user', 1, secretData),
      row('admin::session', 1, secretData),
      row('admin::api-token', 1, secretData),
      row('strapi::core-store', 1, secretData),
      { id: 2, data: secretData, type: 'admin::user' },
      `{"type":"admin::user","id":3,"data":{"password":"${secrets[0]}"`,
      `{"id":3,"data":{"password":"${secrets[0]}","email":"${secrets[1]}"`,
      `{"type":"${PHONE_TYPE}","id":3,"data":{"note":"${secrets[2]}"`,
      phone(1, 'd'),
    ];
    const links = [
      link({ type: PHONE_TYPE, ref: 1, field: 'createdBy' }, { type: 'admin::user', ref: 1 }),
      `{"left":{"type":"admin::user","ref":1,"field":"${secrets[2]}"}`,
    ];
    const fields = { id: 'sku', 'content.heading': 'createdBy.password', 'content.introduction': 'createdBy.email' };

    it.each(['a folder', 'an archive'])(
      'is read from %s nowhere, not even when the mapping asks for it',
      async (kind) => {
        const content = exportOf({ entities, links });
        const files =
          kind === 'a folder' ? inFolder('cms/export', content) : { 'cms/export.tar': await tarOf(content) };
        const site = await readFiles(files, {
          files: kind === 'a folder' ? ['cms/export/metadata.json'] : ['cms/export.tar'],
          mapping: { products: { type: PHONE_TYPE, fields } },
        });
        const { config: _config, ...output } = site;
        for (const secret of secrets) expect(JSON.stringify(output)).not.toContain(secret);
        expect(site.records.products[0]?.record).not.toHaveProperty('content');
        expect(site.account).toEqual({ read: 3, kept: 1, duplicate: 0, outOfScope: 0, quarantined: 2 });
        expect(codesOf(site)).toEqual(['malformed-link', 'malformed-record', 'malformed-record']);
        expect(JSON.stringify(site.notices)).not.toContain('admin::');
      },
    );
  });

  it.each([
    [{ type: PHONE_TYPE, id: null, data: PHONE }],
    [{ type: PHONE_TYPE, id: 1, data: null }],
    [{ type: PHONE_TYPE, id: 1, data: [] }],
    [{ type: PHONE_TYPE }],
    ['null'],
    ['[]'],
    ['7'],
    [`{"type":"${PHONE_TYPE}","id":1,"data":{"title":"x"}`],
  ])('quarantines what is no row: %j', async (line) => {
    const site = await read({ entities: [line, phone(1, 'd')] });
    expect(site.account).toMatchObject({ read: 2, kept: 1, quarantined: 1 });
    expect(leftOutOf(site)).toEqual([
      {
        code: 'malformed-record',
        source: 'site',
        file: 'cms/export/entities/entities_00001.jsonl',
        line: 1,
        expected: 'a row as JSON, with type, id and data',
      },
    ]);
  });

  it('takes no notice of a broken row of a type that is not mapped', async () => {
    const site = await read({ entities: ['{"type":"api::article.article","id":1,', phone(1, 'd')] });
    expect(site.account).toMatchObject({ read: 1, kept: 1 });
  });

  it('is not fooled by keys that stand for prototypes', async () => {
    const line = JSON.stringify(phone(1, 'd')).replace('"data":{', '"data":{"__proto__":{"model":"evil"},');
    const site = await read({
      entities: [line],
      schemas: [{ uid: PHONE_TYPE, attributes: { ['__proto__']: { type: 'x' } } }],
    });
    expect(site.records.products[0]?.record).not.toHaveProperty('model');
  });
});
