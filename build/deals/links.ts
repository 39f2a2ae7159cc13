import type { GrowableTextColumn } from './columns.ts';
import { hashText } from './hash-index.ts';

/** A link split into `prefix`, the deal's own part, and `suffix`. */
export interface SplitLink {
  readonly prefix: string;
  readonly part: string;
  readonly suffix: string;
}

export interface LinkTemplate {
  readonly prefix: string;
  readonly suffix: string;
}

/** The published template of links; their own part gets `lead` before it and `tail` after it. */
export interface PublishedTemplate {
  readonly template: LinkTemplate;
  readonly lead: string;
  readonly tail: string;
}

/** The template of links as the feed has them. */
export function joinTemplate({ template: { prefix, suffix }, lead, tail }: PublishedTemplate): LinkTemplate {
  return { prefix: prefix + lead, suffix: tail + suffix };
}

/** A host needs this many links for each template on average; otherwise its links are split behind the host. */
const MIN_LINKS_PER_TEMPLATE = 8;

/** With more templates than this, the links of a host are split behind the host, and no more templates are stored. */
const MAX_TEMPLATES_PER_HOST = 65_536;

const ORIGIN_PATTERN = /^[a-z]+:\/\/[^/?#]*/i;
const TOKEN_PATTERN = /[^/?#&=;]+/g;

/**
 * Splits a link around its longest parameter value or path segment that holds a digit, the last of several: an id of the
 * deal. `https://www.awin1.com/pclick.php?p=13304516721&a=1&m=2` splits around `13304516721`.
 */
export function splitLink(link: string): SplitLink {
  const start = endOfOrigin(link);
  let from = start;
  let to = start;
  TOKEN_PATTERN.lastIndex = start;
  for (let token = TOKEN_PATTERN.exec(link); token !== null; token = TOKEN_PATTERN.exec(link)) {
    const [text] = token;
    if (text.length < to - from || !/[0-9]/.test(text)) continue;
    from = token.index;
    to = token.index + text.length;
  }
  // Without such a part, everything after the host is the deal's own.
  if (from === to) to = link.length;
  return { prefix: link.slice(0, from), part: link.slice(from, to), suffix: link.slice(to) };
}

/**
 * The templates of the links of one source. When the links of a host vary in more than one part (fewer than eight links
 * for each template), they are split behind the host, so that templates stay few. This depends on the links alone, not
 * on their order.
 */
export class LinkTable {
  readonly #hosts = new Map<string, HostLinks>();
  readonly #templates: { readonly template: LinkTemplate; readonly host: HostLinks }[] = [];

  /** Adds a link, and returns the code of its template and the deal's own part. */
  add(link: string): { readonly template: number; readonly part: string } {
    const origin = link.slice(0, endOfOrigin(link));
    const host = this.#hostOf(origin);
    host.linkCount++;
    if (host.templateCount > MAX_TEMPLATES_PER_HOST) {
      return { template: this.#templateOf(host, origin, ''), part: link.slice(origin.length) };
    }
    const { prefix, part, suffix } = splitLink(link);
    return { template: this.#templateOf(host, prefix, suffix), part };
  }

  /** How links of a template are published. Call it after every link of the source has been added. */
  publish(template: number): PublishedTemplate {
    const { template: own, host } = this.#at(template);
    const isTemplated =
      host.templateCount <= MAX_TEMPLATES_PER_HOST && host.templateCount * MIN_LINKS_PER_TEMPLATE <= host.linkCount;
    if (isTemplated) return { template: own, lead: '', tail: '' };
    return {
      template: { prefix: host.origin, suffix: '' },
      lead: own.prefix.slice(host.origin.length),
      tail: own.suffix,
    };
  }

  get templateCount(): number {
    return this.#templates.length;
  }

  #hostOf(origin: string): HostLinks {
    let host = this.#hosts.get(origin);
    if (host === undefined) {
      host = { origin, linkCount: 0, templateCount: 0, bySuffix: new Map() };
      this.#hosts.set(origin, host);
    }
    return host;
  }

  #templateOf(host: HostLinks, prefix: string, suffix: string): number {
    let byPrefix = host.bySuffix.get(suffix);
    if (byPrefix === undefined) {
      byPrefix = new Map();
      host.bySuffix.set(suffix, byPrefix);
    }
    let number = byPrefix.get(prefix);
    if (number === undefined) {
      number = this.#templates.push({ template: { prefix, suffix }, host }) - 1;
      byPrefix.set(prefix, number);
      host.templateCount++;
    }
    return number;
  }

  #at(template: number): { readonly template: LinkTemplate; readonly host: HostLinks } {
    const entry = this.#templates[template];
    if (entry === undefined)
      throw new RangeError(`expected a template below ${this.#templates.length}, got ${template}`);
    return entry;
  }
}

interface HostLinks {
  readonly origin: string;
  linkCount: number;
  templateCount: number;
  readonly bySuffix: Map<string, Map<string, number>>;
}

function endOfOrigin(link: string): number {
  return ORIGIN_PATTERN.exec(link)?.[0].length ?? 0;
}

const HOST_PATTERN = /^[a-z]+:\/\/([^/?#]*)/i;

/**
 * The parameter with the account that is paid, by host of the affiliate network. Another shop may have a parameter with
 * the same name.
 */
const AFFILIATE_ACCOUNTS: readonly (readonly [host: RegExp, account: RegExp])[] = [
  [/(?:^|\.)(?:awin1|zenaps)\.com$/, /[?&](?:a|awinaffid)=([^&#]*)/i],
  [/(?:^|\.)(?:anrdoezrs|dpbolvw|jdoqocy|kqzyfj|tkqlhce|qksrv|emjcd)\.(?:com|net)$/, /\/click-([0-9]+)-/i],
  [/(?:^|\.)webgains\.(?:com|io)$/, /[?&]wgcampaignid=([^&#]*)/i],
  [/(?:^|\.)linksynergy\.com$/, /[?&]id=([^&#]*)/i],
  [/(?:^|\.)(?:tradedoubler\.com|tradetracker\.net)$/, /[?&)]a[=(]([^&#)]*)/i],
  [/(?:^|\.)(?:pxf\.io|sjv\.io|7eer\.net)$/, /\/c\/([0-9]+)/i],
  [/(?:^|\.)prf\.hn$/, /\/camref:([^/]*)/i],
  [/./, /[?&](?:aff(?:iliate)?_?id|affiliate|publisher(?:_?id)?|partner(?:_?id)?)=([^&#]*)/i],
];

/** The host of a link, and the account that it names. */
export function linkSiteOf(link: string): string {
  const host = HOST_PATTERN.exec(link)?.[1]?.toLowerCase() ?? '';
  const [, account] = AFFILIATE_ACCOUNTS.find(([hosts]) => hosts.test(host)) ?? [];
  const named = account?.exec(link)?.[1];
  return named === undefined ? host : `${host} ${named}`;
}

/** Sites and hashes of split links. Most templates decide both for all of their links. */
export class LinkSites {
  readonly #templates: readonly LinkTemplate[];
  readonly #sites: readonly (string | undefined)[];
  readonly #seeds: readonly (number | undefined)[];

  constructor(templates: readonly LinkTemplate[]) {
    this.#templates = templates;
    this.#sites = templates.map(findSite);
    this.#seeds = templates.map((template) => (isHostAlone(template) ? undefined : seedOf(template)));
  }

  siteOf(template: number, part: string): string {
    return this.#sites[template] ?? linkSiteOf(this.#join(template, part));
  }

  /** The same for a link under its own template and under the template of its host. */
  hashOf(template: number, part: string): number {
    const seed = this.#seeds[template];
    if (seed !== undefined) return hashText(part, seed);
    const split = splitLink(this.#join(template, part));
    return hashText(split.part, seedOf(split));
  }

  /** The `hashOf` of the part at a row. Most parts are hashed without making their text. */
  hashAt(template: number, parts: GrowableTextColumn, row: number): number {
    const seed = this.#seeds[template];
    return seed === undefined ? this.hashOf(template, parts.at(row)) : parts.hash(row, seed);
  }

  /** The `siteOf` the part at a row. */
  siteAt(template: number, parts: GrowableTextColumn, row: number): string {
    return this.#sites[template] ?? this.siteOf(template, parts.at(row));
  }

  #join(template: number, part: string): string {
    const { prefix, suffix } = this.#templates[template] as LinkTemplate;
    return prefix + part + suffix;
  }
}

function seedOf({ prefix, suffix }: LinkTemplate): number {
  return hashText(suffix, hashText(prefix, 0));
}

function isHostAlone({ prefix }: LinkTemplate): boolean {
  return HOST_PATTERN.exec(prefix)?.[0].length === prefix.length;
}

/** Undefined when it depends on the part of each link. */
function findSite(template: LinkTemplate): string | undefined {
  const { prefix, suffix } = template;
  const site = linkSiteOf(`${prefix}0${suffix}`);
  return !isHostAlone(template) && site === linkSiteOf(`${prefix}1${suffix}`) ? site : undefined;
}
