import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FORMATS, MEDIA_TYPE } from '../../data/field/image.ts';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { openRegularHandle } from '../../data/store/regular-file.ts';
import { matchesTag, PICTURE_HEADERS } from '../http/headers.ts';
import type { Route, RouteContext } from './context.ts';

/** The pictures of the loaded snapshots (D19). */
export function findImage({ store, snapshots, log }: RouteContext): Route['find'] {
  return ({ path }) => {
    const picture = snapshots.loaded.map(({ index }) => index.pictures.get(path)).find((found) => found !== undefined);
    if (picture === undefined) return undefined;
    return async (req, res, next) => {
      const outcome = await sendImage(req, res, store, picture);
      if (outcome === 'sent') return;
      log({ event: `picture-${outcome}`, path });
      return next();
    };
  };
}

const CHUNK_BYTES = 64 * 1024;

/** `damaged`: the file is not the one that the snapshot lists. */
type ImageOutcome = 'sent' | 'missing' | 'damaged';

/**
 * Streams a rendered picture of the store as immutable, because its path names its content (D19). A damaged one is not
 * sent: a browser would keep it for a year.
 */
async function sendImage(
  req: IncomingMessage,
  res: ServerResponse,
  store: string,
  picture: PictureLine,
): Promise<ImageOutcome> {
  const tag = `"${picture.sha256.slice(0, 22)}"`;
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=31536000, immutable', ...PICTURE_HEADERS };
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headers).end();
    return 'sent';
  }
  const file = await openRegularHandle(join(store, picture.path)).catch(() => undefined);
  if (file === undefined) return 'missing';
  // A file that cannot be read to its end counts as damaged.
  if (!(await isAsListed(file, picture).catch(() => false))) {
    await file.close();
    return 'damaged';
  }
  const format = FORMATS.find((candidate) => picture.path.endsWith(`.${candidate}`)) ?? 'webp';
  res.writeHead(200, { ...headers, 'Content-Type': MEDIA_TYPE[format], 'Content-Length': picture.bytes });
  if (req.method === 'HEAD') {
    await file.close();
    res.end();
  } else {
    // A client that goes away ends the pipeline; that is no error.
    await pipeline(file.createReadStream({ start: 0 }), res).catch(() => res.destroy());
  }
  return 'sent';
}

/** Reads the file once before it is sent, a chunk at a time: 0.15 ms of the thread for 100 KB. */
async function isAsListed(file: FileHandle, { bytes, sha256 }: PictureLine): Promise<boolean> {
  if ((await file.stat()).size !== bytes) return false;
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(bytes, CHUNK_BYTES));
  for (let offset = 0; offset < bytes;) {
    // With an offset: the file is read again from the start when it is sent.
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
    if (bytesRead === 0) return false;
    hash.update(chunk.subarray(0, bytesRead));
    offset += bytesRead;
  }
  return hash.digest('hex') === sha256;
}
