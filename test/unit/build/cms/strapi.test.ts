import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runBuild } from '../../../../build/run.ts';
import { writeSources } from '../write-sources.ts';
import { drawPicture } from '../image/draw-picture.ts';
import { tarOf } from '../source/tar-archive.ts';
import { readCases, type NamedCase } from '../cases.ts';
import { codesOf, expectReading, readSite, type ExpectedReading, type Files, type SiteReading } from './reading.ts';

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

/** A row or a link as the arguments of what makes it, as JSON, or as the text of its line. */
type Line =
  | { readonly phone: Parameters<typeof phone> }
  | { readonly file: Parameters<typeof file> }
  | { readonly row: Parameters<typeof row> }
  | { readonly picture: Parameters<typeof picture> }
  | { readonly link: Parameters<typeof link> }
  | object
  | string;

function lineOf(line: Line): object | string {
  if (typeof line === 'string') return line;
  if ('phone' in line) return phone(...line.phone);
  if ('file' in line) return file(...line.file);
  if ('row' in line) return row(...line.row);
  if ('picture' in line) return picture(...line.picture);
  return 'link' in line ? link(...line.link) : line;
}

/** An export, and what is read from it. */
interface ExportCase extends Export, ExpectedReading {
  readonly entities: readonly Line[];
  readonly links?: readonly Line[];
  readonly settings?: object;
}

const CASES = readCases(join(import.meta.dirname, 'cases', 'strapi.jsonl')) as readonly NamedCase<ExportCase>[];

const MAPPING = { products: { type: PHONE_TYPE, fields: { id: 'sku' } } };

async function read(content: Export, settings: object = {}): Promise<SiteReading> {
  return readFiles(inFolder('cms/export', exportOf(content)), settings);
}

async function readFiles(files: Files, settings: object = {}): Promise<SiteReading> {
  return readSite(files, { adapter: 'strapi', files: ['cms/export/metadata.json'], mapping: MAPPING, ...settings });
}

describe('the strapi adapter', () => {
  it.each(CASES)('reads %s', async (_what, each) => {
    const content = { ...each, entities: each.entities.map(lineOf), links: (each.links ?? []).map(lineOf) };
    expectReading(await read(content, each.settings), each);
  });

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

  it.each([['cms/export/metadata.json'], ['cms/export/**'], ['cms/export/**/*.jsonl']])(
    'finds the export by any of its files: %s',
    async (glob) => {
      const content = exportOf({ entities: [phone(2, 'doc1')], assets: { 'a.png': 'x' } });
      const files = { ...inFolder('cms/export', content), 'cms/export/configuration/configuration_00001.jsonl': '{}' };
      const site = await readFiles(files, { files: [glob] });
      expect(site.account.kept).toBe(1);
      expect(site.states[0]?.files.map(({ path }) => path)).toEqual([
        'cms/export/entities/entities_00001.jsonl',
        'cms/export/links/links_00001.jsonl',
        'cms/export/schemas/schemas_00001.jsonl',
      ]);
    },
  );

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

  it.each([
    [
      'from where the configuration says',
      {},
      { assetsUrl: 'https://cms.example' },
      'https://cms.example/uploads/a.png',
    ],
    ['from where the CMS keeps them', { url: 'https://cdn.example/a.png' }, {}, 'https://cdn.example/a.png'],
  ])('shows pictures that the export lacks %s', async (_what, data, settings, url) => {
    const entities = [phone(1, 'd'), file(9, 'a.png', data)];
    const site = await read({ entities, links: [picture(9, PHONE_TYPE, 1, 'image')] }, settings);
    const { imageUrls = {}, images } = site.records.products[0]?.record ?? {};
    expect(images).toBeUndefined();
    expect([Object.keys(imageUrls).length, new Set(Object.values(imageUrls))]).toEqual([9, new Set([url])]);
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

    it('gives a build its pictures, and leaves none of them behind', async () => {
      const listOriginals = () => readdirSync(tmpdir()).filter((name) => name.startsWith('deals-originals-'));
      const archive = exportOf({
        entities: [phone(1, 'd'), file(9, 'a.png')],
        links: [picture(9, PHONE_TYPE, 1, 'image')],
        assets: { 'a.png': await drawPicture({ width: 300, height: 600 }) },
      });
      const source = { name: 'site', adapter: 'strapi', files: ['*.tar'], mapping: MAPPING };
      const { folder } = await writeSources({ 'export.tar': await tarOf(archive) }, { store: 'store', cms: [source] });
      const before = listOriginals();
      const now = new Date('2026-11-20T02:30:00Z');
      const { snapshot = '' } = await runBuild({
        configPath: join(folder, 'catalogue.json'),
        now,
        dryRun: false,
        accept: [],
      });
      expect(readFileSync(join(folder, 'store', snapshot, 'products.ndjson'), 'utf8')).toMatch(
        /"largeFrontImageWebp":"\/images\/[0-9a-f]{32}\/large\.webp"/,
      );
      expect(listOriginals()).toEqual(before);
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
        'of something else',
        'export.tar',
        async () => tarOf({ 'data.ndjson': '{}' }),
        'source-malformed',
        'cms/export.tar: expected the export of a Strapi, with files entities/*.jsonl in cms/export.tar; name its metadata.json or its archive in `files`',
      ],
    ])('%s cannot be read', async (_what, name, pack, code, found) => {
      const site = await readFiles({ [`cms/${name}`]: await pack() }, { files: ['cms/*'], maxMegabytes: 1 });
      expect(site.states).toMatchObject([{ state: 'failed' }]);
      expect(site.account.read).toBe(0);
      expect(site.notices).toMatchObject([{ code, found }]);
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
        expect(site.account).toEqual({ read: 4, kept: 1, duplicate: 0, outOfScope: 0, quarantined: 3 });
        expect(codesOf(site)).toEqual(['malformed-link', ...Array.from({ length: 3 }, () => 'malformed-record')]);
        expect(JSON.stringify(site.notices)).not.toContain('admin::');
      },
    );
  });
});
