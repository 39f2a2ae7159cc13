import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { tarOf } from '../../unit/build/source/tar-archive.ts';
import { zipArchive } from '../../unit/build/source/zip-archive.ts';
import { HEADER } from '../../unit/build/run/write-sources.ts';
import { failed, fresh, hostileCms, hostileFeed, type HostileSource } from './hostile-source.ts';
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
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
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
    failed('missing-column', /got "\/etc\/passwd"/, { 'unknown-column': 1 }),
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
    { settings: STRAPI },
  ),
  hostileCms(
    'a CMS archive with a name of 1 GB',
    () => ({ 'export.tar.gz': Buffer.concat([gzipSync(tarHeader('long', 'L', 2 ** 30)), gzipOf(zeros(), 64)]) }),
    failed('source-malformed', /expected at most \d+ bytes of names and headers/),
    { settings: STRAPI, isFirst: true },
  ),
];
