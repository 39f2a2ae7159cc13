/** What a name of a WordPress export may belong to. */
export type WordpressNamespace = 'rss' | 'wp' | 'excerpt' | 'content' | 'other';

const WP = /^https?:\/\/wordpress\.org\/export\/[0-9.]{1,10}\/(excerpt\/)?$/;
const CONTENT = /^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/;

interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
}

/**
 * The namespaces of the elements that are open. Prefixes are only names: an export may call `wp` by another, and another
 * thing `wp`.
 */
export class NamespaceScopes {
  readonly #scopes: Scope[] = [{ prefixes: new Map() }];

  /** Opens an element, and says what its name belongs to, without its prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): { space: WordpressNamespace; local: string } {
    this.#scopes.push(this.#scopeOf(attributes));
    const colon = name.indexOf(':');
    const uri = this.#current.prefixes.get(name.slice(0, Math.max(colon, 0))) ?? '';
    return { space: colon === -1 && uri === '' ? 'rss' : spaceOf(uri), local: name.slice(colon + 1) };
  }

  close(): void {
    this.#scopes.pop();
  }

  get #current(): Scope {
    return this.#scopes.at(-1) ?? { prefixes: new Map() };
  }

  #scopeOf(attributes: Readonly<Record<string, string>>): Scope {
    const declared = Object.entries(attributes).filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
    if (declared.length === 0) return this.#current;
    const prefixes = new Map(this.#current.prefixes);
    for (const [key, uri] of declared) prefixes.set(key.slice('xmlns:'.length), uri);
    return { prefixes };
  }
}

function spaceOf(uri: string): WordpressNamespace {
  const match = WP.exec(uri);
  if (match !== null) return match[1] === undefined ? 'wp' : 'excerpt';
  return CONTENT.test(uri) ? 'content' : 'other';
}
