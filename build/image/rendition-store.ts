import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegularFile } from '../../data/store/regular-file.ts';
import { createDurably, removeFolder, syncFolder } from '../../data/store/durable-file.ts';
import { newPath } from '../../data/store/layout.ts';
import { hashFile } from '../../data/store/lines.ts';
import type { RenderedFile } from './source-image.ts';

const COMMIT_FILE = 'renditions.json';

const renditionSchema = z.strictObject({ name: z.string(), bytes: z.number(), sha256: z.string() });
const renditionsSchema = z.strictObject({ renditions: z.array(renditionSchema) });

/** A rendered file as its folder lists it. */
export type StoredRendition = Readonly<z.infer<typeof renditionSchema>>;

export function describeRendition({ name, content }: RenderedFile): StoredRendition {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/**
 * The renditions in `<imagesFolder>/<hash>`; undefined when there are none, or one of them is damaged, so that they are
 * rendered again.
 */
export function findRenditions(imagesFolder: string, hash: string): readonly StoredRendition[] | undefined {
  const folder = join(imagesFolder, hash);
  try {
    const { renditions } = renditionsSchema.parse(JSON.parse(readRegularFile(join(folder, COMMIT_FILE))));
    const isSound = renditions.every(({ name, sha256 }) => hashFile(join(folder, name)).sha256 === sha256);
    return isSound ? renditions : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the renditions of a source image, all or none. */
export function storeRenditions(
  imagesFolder: string,
  hash: string,
  files: readonly RenderedFile[],
): readonly StoredRendition[] {
  mkdirSync(imagesFolder, { recursive: true });
  const renditions = files.map(describeRendition);
  const folder = newPath(imagesFolder);
  mkdirSync(folder);
  for (const { name, content } of files) createDurably(join(folder, name), content);
  createDurably(join(folder, COMMIT_FILE), `${JSON.stringify({ renditions })}\n`);
  syncFolder(folder);
  removeDamaged(imagesFolder, hash);
  renameSync(folder, join(imagesFolder, hash));
  syncFolder(imagesFolder);
  return renditions;
}

function removeDamaged(imagesFolder: string, hash: string): void {
  if (existsSync(join(imagesFolder, hash))) removeFolder(imagesFolder, hash);
}
