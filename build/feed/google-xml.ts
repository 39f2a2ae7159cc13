import type { OpenedFile } from '../source/open-file.ts';
import { readXmlItems, type XmlElement } from '../source/parse-xml.ts';
import { attributeName, type GoogleRecord, type GoogleValue } from './google-item.ts';

const ROOT_NAMES = ['rss', 'feed', 'rdf'];
const ITEM_NAMES = ['item', 'entry'];

/** As much as a row of a table may have. */
const MAX_ITEM_CHARACTERS = 1_000_000;

/**
 * Reads the `item`s of RSS and the `entry`s of Atom. Malformed XML within an item excludes that item; outside of an item
 * it rejects the file.
 *
 * @throws {SourceError} when the file is not XML to its end, or holds neither RSS nor Atom.
 */
export async function* readGoogleXml(file: OpenedFile): AsyncGenerator<readonly GoogleRecord[]> {
  const format = {
    expectedRoot: 'an RSS or Atom feed, <rss> or <feed>',
    isRoot: ({ name }: XmlElement) => ROOT_NAMES.includes(attributeName(name)),
    isItem: ({ name }: XmlElement) => ITEM_NAMES.includes(attributeName(name)),
    maxItemCharacters: MAX_ITEM_CHARACTERS,
    repair: createXmlRepair(),
    remedy: 'have the feed written again',
  };
  for await (const items of readXmlItems(file, format)) {
    yield items.map(({ element, line, error }): GoogleRecord => {
      const values = readValues(element);
      if (error === undefined) return { kind: 'item', line, values };
      const [id] = values.get('id') ?? [];
      const facts = { expected: 'a well-formed item', found: error };
      return { kind: 'broken', line, ...facts, id: typeof id === 'string' ? id.trim() : undefined };
    });
  }
}

/** The values of an item. `g:id`, the id of the product, takes precedence over the `id` of Atom, which is a URL. */
function readValues({ children }: XmlElement): ReadonlyMap<string, readonly GoogleValue[]> {
  const values = new Map<string, GoogleValue[]>();
  for (const child of children) {
    const name = attributeName(child.name);
    const others = values.get(name);
    if (others === undefined) values.set(name, [readValue(child)]);
    else if (child.name.includes(':')) others.unshift(readValue(child));
    else others.push(readValue(child));
  }
  return values;
}

/** A text, the parts of a structured attribute, or the target of a link of Atom. */
function readValue({ text, children, attributes }: XmlElement): GoogleValue {
  if (children.length > 0) return new Map(children.map((part) => [attributeName(part.name), part.text]));
  const isMainLink = (attributes.get('rel') ?? 'alternate') === 'alternate';
  return text.trim() === '' && isMainLink ? (attributes.get('href') ?? '') : text;
}

const TAG_PATTERN = /<(\/?)((?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*)/g;
const BARE_AMPERSAND = /&(?!#?\w{1,40};)/g;
const UNFINISHED_TAG = /(?:<\/?[\w.:-]{0,200}|&#?\w{0,40})$/;
const MAX_UNFINISHED_TAG = 202;

/**
 * Repairs two frequent errors: `<g:brand>` closed with `</brand>`, and an `&` that starts no reference, as in a link.
 * Well-formed XML keeps its meaning.
 */
function createXmlRepair(): (text: string) => string {
  const openPrefixed = new Map<string, string>();
  let pending = '';
  return (chunk) => {
    const text = pending + chunk;
    // A tag may continue in the next chunk.
    const cut = UNFINISHED_TAG.exec(text.slice(-MAX_UNFINISHED_TAG))?.[0] ?? '';
    pending = cut;
    const whole = text.slice(0, text.length - cut.length).replaceAll(BARE_AMPERSAND, '&amp;');
    return whole.replaceAll(TAG_PATTERN, (tag, slash: string, name: string) => {
      const local = name.slice(name.indexOf(':') + 1);
      const isPrefixed = local !== name;
      if (slash === '') {
        if (isPrefixed) openPrefixed.set(local, name);
        else openPrefixed.delete(local);
        return tag;
      }
      const opened = openPrefixed.get(local);
      openPrefixed.delete(local);
      return isPrefixed || opened === undefined ? tag : `</${opened}`;
    });
  };
}
