import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FORMATS, MEDIA_TYPE } from '../../data/field/image.ts';
import type { PictureLine } from '../../data/snapshot/format.ts';
import { setDeadline } from './deadline.ts';
import { matchesTag } from './etag.ts';

/**
 * Streams a rendered picture of the store as immutable: its path names its content (D19). False when the file is not
 * there, or is not the one that the snapshot lists.
 */
export async function sendPicture(
  req: IncomingMessage,
  res: ServerResponse,
  store: string,
  picture: PictureLine,
): Promise<boolean> {
  const tag = `"${picture.sha256.slice(0, 22)}"`;
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=31536000, immutable' };
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, headers).end();
    return true;
  }
  const file = await open(join(store, picture.path), 'r').catch(() => undefined);
  if (file === undefined) return false;
  if ((await file.stat()).size !== picture.bytes) {
    await file.close();
    return false;
  }
  const format = FORMATS.find((candidate) => picture.path.endsWith(`.${candidate}`)) ?? 'webp';
  setDeadline(res, picture.bytes);
  res.writeHead(200, { ...headers, 'Content-Type': MEDIA_TYPE[format], 'Content-Length': picture.bytes });
  if (req.method === 'HEAD') {
    await file.close();
    res.end();
  } else {
    // A reader who goes away ends the pipeline; that is no fault of ours.
    await pipeline(file.createReadStream(), res).catch(() => res.destroy());
  }
  return true;
}
