import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { compress, makeSamplePictures, makeSampleTexts } from './sample-files.ts';

/** Writes `data/sample` anew: `npx tsx test/sample/make-sample.ts`. */
async function makeSample(root: string): Promise<void> {
  await rm(root, { recursive: true, force: true });
  let byteLength = 0;
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
    byteLength += Buffer.byteLength(content);
  };
  const texts = makeSampleTexts();
  for (const [path, text] of texts) await write(path, path.endsWith('.gz') ? compress(text) : text);
  const pictures = makeSamplePictures();
  for (const [path, { svg }] of pictures) {
    // Few colours and no dithering: the drawings are flat, and a palette makes them a third of the size.
    const png = sharp(Buffer.from(svg)).png({ palette: true, quality: 80, dither: 0, effort: 10, compressionLevel: 9 });
    await write(path, await png.toBuffer());
  }
  process.stdout.write(`${texts.size} text files, ${pictures.size} pictures, ${byteLength} bytes\n`);
}

await makeSample(fileURLToPath(new URL('../../data/sample', import.meta.url)));
