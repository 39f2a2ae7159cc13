import { drawing, element } from '../lib/element.js';

/** The pictures that this server has itself: their name is the hash of what they show. */
const OWN_PICTURE = /^\/images\/[0-9a-f]{16,}\/[^/]+$/;

/**
 * A picture of the catalogue, or a drawing in its place when there is none to be had.
 * @param {string | undefined} url
 * @param {string} description empty where a text next to the picture says the same
 * @param {{ readonly class?: string, readonly width: number, readonly height: number, readonly isLazy?: boolean }} options
 */
export function createPicture(url, description, { class: className = 'picture', width, height, isLazy = false }) {
  if (url === undefined || url === '') return createPlaceholder(className, description);
  const picture = element('img', {
    class: className,
    alt: description,
    width,
    height,
    loading: isLazy ? 'lazy' : 'eager',
    decoding: 'async',
    src: toOwnOrigin(url),
  });
  picture.addEventListener('error', () => {
    if (picture.getAttribute('src') === url) picture.replaceWith(createPlaceholder(className, description));
    else picture.src = url;
  });
  return picture;
}

/**
 * The URLs of pictures start with the public address. A page that was opened by another address, as operators do, loads
 * them from there.
 * @param {string} url
 */
function toOwnOrigin(url) {
  const { pathname } = new URL(url, location.origin);
  return OWN_PICTURE.test(pathname) ? pathname : url;
}

/**
 * The outline of a phone.
 * @param {string} className
 * @param {string} description
 */
function createPlaceholder(className, description) {
  const named =
    description === '' ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': `${description}: no picture` };
  return drawing(
    'svg',
    { class: `${className} placeholder`, viewBox: '0 0 100 200', ...named },
    drawing('rect', { x: 14, y: 20, width: 72, height: 160, rx: 11 }),
    drawing('line', { x1: 42, x2: 58, y1: 31, y2: 31 }),
  );
}
