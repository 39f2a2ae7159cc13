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
  button.addEventListener('click', () => void copy(readText()).then(tell));
  return button;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

/**
 * For a page without TLS on another host, which has no `navigator.clipboard`.
 * @param {string} text
 */
function copyFromField(text) {
  const focused = document.activeElement;
  const field = element('textarea', { class: 'visually-hidden', 'aria-hidden': 'true', tabindex: -1 });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
