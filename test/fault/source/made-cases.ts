import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import { tarOf } from '../../unit/build/source/tar-archive.ts';
import { zipArchive } from '../../unit/build/source/zip-archive.ts';
import { absent, failed, fresh, hostileCms, hostileFeed, type HostileSource } from './hostile-source.ts';
import { rowOf } from './texts.ts';

const MEGABYTE = 1 << 20;

/** `text`, `times` over, packed as so many members: 1 GB costs as little to write as 16 MB. */
export function gzipOf(text: string, times: number): Buffer {
  const member = gzipSync(text, { level: 9 });
  return Buffer.concat(Array.from({ length: times }, () => member));
}

const zeros = () => '\0'.repeat(16 * MEGABYTE);

/** The header of an entry of any size that need not be there. */
function tarHeader(name: string, type: string, size: number, link = ''): Buffer {
  const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0');
  const parts = [
    name.padEnd(100, '\0'),
    '0000644\0',
    '0000000\0',
    '0000000\0',
    `${octal(size, 11)}\0`,
    '00000000000\0',
  ];
  const rest = `${type}${link.padEnd(100, '\0')}ustar\x0000`;
  const header = Buffer.alloc(512);
  header.write(`${parts.join('')}        ${rest}`);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

const STRAPI = { adapter: 'strapi', mapping: { networks: { fields: { id: 'id' } } } };

const network = (id: number, slug: string) =>
  `${JSON.stringify({ type: 'api::network.network', id, data: { name: slug, slug } })}\n`;

export const PACKED_CASES: readonly HostileSource[] = [
  hostileFeed(
    'a brotli bomb of short lines',
    () => ({
      'feed.csv.br': brotliCompressSync('\n'.repeat(400 * MEGABYTE), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
      }),
    }),
    failed('source-malformed', /feed\.csv\.br:\d+: expected at most \d+ rows without any text/),
    { isAlone: true },
  ),
  hostileFeed(
    'a gzip bomb of NULs',
    () => ({ 'feed.csv.gz': gzipOf(zeros(), 64) }),
    failed('source-malformed', /expected a line of at most/),
    { isFirst: true },
  ),
  hostileFeed(
    'a zip whose file is called ../../../escaped.csv',
    () => ({ 'feed.zip': zipArchive({ '../../../escaped.csv': `${HEADER}\n${rowOf('P-1')}\n` }) }),
    failed('source-malformed', /feed\.zip: expected .*: invalid relative path/),
    { isFirst: true },
  ),
  hostileFeed(
    'a zip whose file is a symbolic link',
    () => {
      const zip = zipArchive({ 'feed.csv': '/etc/passwd' });
      // The central header says which system wrote the file, and what the file is there.
      const central = zip.indexOf('PK\x01\x02');
      zip.writeUInt8(3, central + 5);
      zip.writeUInt32LE((0o120777 << 16) >>> 0, central + 38);
      return { 'feed.zip': zip };
    },
    failed('missing-column', /got "\/etc\/passwd"/),
  ),
  hostileCms(
    'a CMS archive whose files lead out of it',
    async () => ({
      'export.tar.gz': gzipSync(
        await tarOf({
          '../../../entities/a.jsonl': network(71, 'upward'),
          '/etc/entities/b.jsonl': network(72, 'rooted'),
          '..\\..\\entities\\c.jsonl': network(73, 'backward'),
        }),
      ),
    }),
    fresh(3),
    { settings: STRAPI },
  ),
  hostileCms(
    'a CMS archive of links',
    () => ({
      // A symbolic link, a hard one, and a device.
      'export.tar': Buffer.concat([
        tarHeader('entities/a.jsonl', '2', 0, '/etc/passwd'),
        tarHeader('entities/b.jsonl', '1', 0, '../../../etc/passwd'),
        tarHeader('entities/c.jsonl', '3', 0),
        Buffer.alloc(1_024),
      ]),
    }),
    failed('source-malformed', /expected the export of a Strapi/),
    { settings: STRAPI },
  ),
  hostileCms(
    'a CMS archive that is a bomb',
    () => ({
      'export.tar.gz': Buffer.concat([gzipSync(tarHeader('entities/a.jsonl', '0', 2 ** 30)), gzipOf(zeros(), 64)]),
    }),
    failed('source-malformed', /expected a line of at most/),
    { settings: STRAPI, isFirst: true },
  ),
];

const link = (target: string, name: string) => (folder: string) => symlinkSync(target, join(folder, name));

/** A file that takes no room on the disk, and reads as NULs. */
const sparse = (name: string, bytes: number) => (folder: string) => {
  writeFileSync(join(folder, name), '');
  truncateSync(join(folder, name), bytes);
};

/** What lies on the disk in place of a file. */
export const DISK_CASES: readonly HostileSource[] = [
  hostileFeed('a link to a device', link('/dev/zero', 'feed.csv'), absent(), { globs: ['*.csv'], isFirst: true }),
  hostileFeed(
    'a folder that leads to itself',
    (folder) => {
      link('.', 'a')(folder);
      return { 'feed.csv': `${HEADER}\n${rowOf('D-1')}\n` };
    },
    fresh(1),
    { globs: ['**/*.csv'], isFirst: true },
  ),
  hostileFeed(
    'an escape sequence of a terminal in the name of a file',
    { '\x1b[2J\nfeed.csv': 'x' },
    failed('missing-column', /expected the columns/),
  ),
  hostileFeed(
    'a file of 40 GB of nothing',
    sparse('feed.csv', 40e9),
    failed('source-malformed', /feed\.csv:1: expected a line of at most/),
  ),
  hostileCms(
    'an export of 90 MB of nothing',
    sparse('site.json', 90e6),
    failed('source-unreadable', /site\.json:1: .*UTF-16 or no text/),
    { isAlone: true },
  ),
];

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A grey PNG, far smaller than its picture. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(height * (width + 1)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG of many megapixels that must be held whole to be read. */
async function progressive(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .jpeg({ progressive: true, quality: 30 })
    .toBuffer();
}

/** A catalogue of products that show these pictures, with ids from `id`. */
function catalogueOf(id: number, ...fronts: readonly string[]) {
  const products = fronts.map((front, i) => ({
    id: String(id + i),
    condition: 'new',
    name: `Picture ${id + i}`,
    slug: `picture-${id + i}`,
    images: { front },
  }));
  return { 'site.json': JSON.stringify({ products }) };
}

export const PICTURE_CASES: readonly HostileSource[] = [
  hostileCms(
    'a PNG bomb of 20,000 by 20,000, whose product is served without a picture',
    () => ({ 'x.png': png(20_000, 20_000), ...catalogueOf(600, 'x.png') }),
    fresh(
      1,
      { 'unreadable-picture': 1 },
      /expected a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most 50 megapixels/,
    ),
    { globs: ['*.json'], isFirst: true },
  ),
  hostileCms(
    'four pictures as large as pictures may be',
    async () => {
      const names = ['0.jpg', '1.jpg', '2.jpg', '3.jpg'];
      const pictures = await Promise.all(names.map((_, i) => progressive(7_000, 7_100 + i)));
      return {
        ...Object.fromEntries(names.map((name, i) => [name, pictures[i] as Buffer])),
        ...catalogueOf(700, ...names),
      };
    },
    fresh(4),
    { globs: ['*.json'], isAlone: true },
  ),
];
