const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | undefined | false} Child what is not there is left out */
/** @typedef {Readonly<Record<string, string | number | boolean | ((event: any) => void) | undefined>>} Attributes */

/**
 * Makes an HTML element. Texts become text nodes: no page ever parses HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes] `true` gives an empty attribute, `false` and undefined none; a function is a listener,
 *   its name that of the event (`{ click: … }`)
 * @param {...Child} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...present(children));
  return made;
}

/**
 * Makes an element of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 */
export function drawing(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  setAttributes(made, attributes);
  made.append(...present(children));
  return made;
}

/**
 * The element of a page with an id.
 * @template {HTMLElement} Type
 * @param {string} id
 * @param {{ new (): Type }} type
 * @throws {Error} when the page has none of this type
 */
export function findElement(id, type) {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`#${id}: expected a ${type.name} in this page`);
}

/**
 * @param {Element} made
 * @param {Attributes} attributes
 */
function setAttributes(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
}

/** @param {readonly Child[]} children */
function present(children) {
  return children.filter((child) => child !== undefined && child !== false);
}
