import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { sparse } from './disk-cases.ts';
import { fresh, hostileCms, type HostileSource } from './hostile-source.ts';

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of any size, grey, of which `rows` are really there. */
function png(width: number, height: number, rows: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(rows * (width + 1)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = (inner: string) =>
  `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10">${inner}</svg>`;

const NAMING_FILES = '<image xlink:href="file:///etc/passwd"/><image xlink:href="http://127.0.0.1:9/x"/>';

const fileOf = (name: string, content: string | Buffer | void) => (content === undefined ? {} : { [name]: content });

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

const NO_PICTURE = /expected a PNG, JPEG, WebP, GIF, TIFF or AVIF picture of at most 50 megapixels/;
const NOT_IN_FOLDER = /expected a file in the folder of the configuration/;

/** The picture of a product, what is said of it, and what makes it; the product is served with any picture. */
const PICTURES: readonly (readonly [
  name: string,
  front: string,
  says: RegExp,
  make?: (folder: string) => string | Buffer | void,
])[] = [
  ['a PNG that says it is 100,000 by 100,000', 'x.png', NO_PICTURE, () => png(100_000, 100_000, 1)],
  ['a PNG bomb of 20,000 by 20,000', 'x.png', NO_PICTURE, () => png(20_000, 20_000, 20_000)],
  ['an SVG with a script', 'x.svg', /format svg|unsupported/, () => svg('<script>alert(1)</script>')],
  ['an SVG that is called x.png and names files of the machine', 'x.png', NO_PICTURE, () => svg(NAMING_FILES)],
  // As deep as any folder of a test lies.
  ['a picture of another machine', `${'../'.repeat(12)}etc/passwd`, NOT_IN_FOLDER],
  ['a link for a picture', 'x.png', NOT_IN_FOLDER, (folder) => symlinkSync('/etc/passwd', join(folder, 'x.png'))],
  ['a picture of 30 GB', 'x.png', /expected at most 25000000 bytes/, sparse('x.png', 30e9)],
];

export const PICTURE_CASES: readonly HostileSource[] = [
  ...PICTURES.map(([name, front, says, make], at) =>
    hostileCms(
      name,
      (folder) => ({ ...fileOf(front, make?.(folder)), ...catalogueOf(600 + at, front) }),
      fresh(1, { [says === NOT_IN_FOLDER ? 'missing-picture' : 'unreadable-picture']: 1 }, says),
      { globs: ['*.json'], isFirst: at === 0 },
    ),
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
