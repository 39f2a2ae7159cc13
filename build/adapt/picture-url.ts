import { isWebUrl } from '../../data/record/product.ts';

/** The first picture that is one: a feed's own stand-in for a missing picture is worse than none. */
export function findPicture(urls: readonly (string | undefined)[]): string | undefined {
  return urls.find((url) => url !== undefined && url.length <= 2_000 && isWebUrl(url) && !/no-?_?image/i.test(url));
}
