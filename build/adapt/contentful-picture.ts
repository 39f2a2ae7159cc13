import { isWebUrl } from '../../data/record/product.ts';
import { createUrlPicture, type CmsPicture } from './cms-value.ts';
import { toAbsoluteUrl } from './map-entry.ts';

/** Formats of which the image service makes others. */
const CONVERTED = /^image\/(?:jpeg|png|gif|webp|avif)$/;

/** The hosts of the image service. */
const IMAGE_HOST = /^images\.(?:eu\.)?(?:ctfassets\.net|contentful\.com)$/;

/** With the parameters added a URL must still be one that a record may have. */
const MAX_URL_LENGTH = 1_900;

/**
 * The picture of an asset; undefined when it is none. The image service of Contentful makes any size and format by the
 * parameters of the URL, so every key gets the picture that the specification means: the whole of it in the box, padded,
 * white where the format has no transparency (D7).
 */
export function contentfulPicture(url: unknown, contentType: unknown): CmsPicture | undefined {
  if (typeof url !== 'string' || typeof contentType !== 'string' || !contentType.startsWith('image/')) return undefined;
  const absolute = toAbsoluteUrl(url);
  if (!isWebUrl(absolute) || absolute.length > MAX_URL_LENGTH) return undefined;
  const { hostname, search } = new URL(absolute);
  if (!CONVERTED.test(contentType) || !IMAGE_HOST.test(hostname) || search !== '')
    return createUrlPicture(() => absolute);
  return createUrlPicture(({ width, height }, format) => {
    const background = format === 'jpg' ? '&bg=rgb:ffffff' : '';
    return `${absolute}?w=${width}&h=${height}&fit=pad&fm=${format}${background}`;
  });
}
