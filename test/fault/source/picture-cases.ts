import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { fresh, hostileCms, writeFiles, type HostileFiles, type HostileSource } from './hostile-source.ts';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of any size, grey, of which `rows` are really there. */
function png(width: number, height: number, rows: number, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', deflateSync(Buffer.alloc(rows * (width + 1)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = (inner: string, prolog = '') =>
  `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10">${inner}</svg>`;

/** A catalogue of one product that shows `front`; the product is served with any picture. */
function picture(
  name: string,
  front: string,
  files: HostileFiles,
  says: RegExp,
  code: 'missing-picture' | 'unreadable-picture' = 'unreadable-picture',
): HostileSource {
  const id = 600 + count++;
  const site = JSON.stringify({
    products: [{ id: `${id}`, condition: 'new', name: `Picture ${id}`, slug: `picture-${id}`, images: { front } }],
  });
  return {
    ...hostileCms(name, {}, fresh(1, { [code]: 1 }, says)),
    files: ['*.json'],
    write: async (folder) => {
      await writeFiles(folder, { 'site.json': site });
      await writeFiles(folder, files);
    },
  };
}

let count = 0;

const NO_PICTURE = /expected a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most 50 megapixels/;

/** A picture that is made by hand. */
function onDisk(
  name: string,
  front: string,
  write: (folder: string) => void,
  says: RegExp,
  code: 'missing-picture' | 'unreadable-picture' = 'missing-picture',
): HostileSource {
  const base = picture(name, front, {}, says, code);
  return {
    ...base,
    write: async (folder) => {
      await base.write(folder);
      write(folder);
    },
  };
}

/** A JPEG of many megapixels that must be held whole to be read. */
async function progressive(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .jpeg({ progressive: true, quality: 30 })
    .toBuffer();
}

export const PICTURE_CASES: readonly HostileSource[] = [
  picture(
    'a PNG that says it is 100,000 by 100,000',
    'x.png',
    () => ({ 'x.png': png(100_000, 100_000, 1) }),
    NO_PICTURE,
  ),
  picture('a PNG bomb of 20,000 by 20,000', 'x.png', () => ({ 'x.png': png(20_000, 20_000, 20_000) }), NO_PICTURE),
  picture(
    'an SVG with a script',
    'x.svg',
    { 'x.svg': svg('<script>alert(1)</script>') },
    /a picture of the format svg|unsupported/,
  ),
  picture(
    'an SVG that is called x.png and names files of the machine',
    'x.png',
    { 'x.png': svg('<image xlink:href="file:///etc/passwd"/><image xlink:href="http://127.0.0.1:9/x"/>') },
    NO_PICTURE,
  ),
  picture(
    'a picture of another machine',
    // As deep as any folder of a test lies.
    `${'../'.repeat(12)}etc/passwd`,
    {},
    /expected a file in the folder of the configuration/,
    'missing-picture',
  ),
  onDisk(
    'a link for a picture',
    'x.png',
    (folder) => symlinkSync('/etc/passwd', join(folder, 'x.png')),
    /expected a file in the folder of the configuration/,
  ),
  onDisk(
    'a picture of 30 GB',
    'x.png',
    (folder) => {
      writeFileSync(join(folder, 'x.png'), '');
      truncateSync(join(folder, 'x.png'), 30e9);
    },
    /expected at most 25000000 bytes/,
    'unreadable-picture',
  ),
];

/** Of its own, since it takes as much memory as any picture may. */
export const LARGE_PICTURES: readonly HostileSource[] = [
  {
    ...hostileCms('four pictures as large as pictures may be', {}, fresh(4)),
    files: ['*.json'],
    write: async (folder) => {
      const files = Object.fromEntries(
        await Promise.all([0, 1, 2, 3].map(async (i) => [`${i}.jpg`, await progressive(7_000, 7_100 + i)] as const)),
      );
      const products = Object.keys(files).map((file, i) => ({
        id: `70${i}`,
        condition: 'new',
        name: `Large ${i}`,
        slug: `large-${i}`,
        images: { front: file },
      }));
      await writeFiles(folder, { ...files, 'site.json': JSON.stringify({ products }) });
    },
  },
];
