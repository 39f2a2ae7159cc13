import { element } from './element.js';

/** How long a button says that it has copied. */
const TOLD_MS = 2_000;

/**
 * A button that copies a text and says so.
 * @param {string} label
 * @param {() => string} readText asked when the button is pressed
 * @param {string} [title]
 */
export function createCopyButton(label, readText, title) {
  const caption = element('span', { 'aria-live': 'polite' }, label);
  const button = element('button', { type: 'button', class: 'small', title }, caption);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reset;
  const tell = (/** @type {boolean} */ isCopied) => {
    caption.textContent = isCopied ? 'Copied' : 'Not copied';
    clearTimeout(reset);
    reset = setTimeout(() => (caption.textContent = label), TOLD_MS);
  };
  // Without TLS, on another host, a page has no clipboard.
  const copy = async () => navigator.clipboard.writeText(readText());
  button.addEventListener('click', () => {
    void copy().then(
      () => tell(true),
      () => tell(false),
    );
  });
  return button;
}
