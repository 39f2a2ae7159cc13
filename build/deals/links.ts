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

/** A host needs this many links for each template on average; otherwise its links are split behind the host. */
const MIN_LINKS_PER_TEMPLATE = 8;

/** With more templates than this, the links of a host are split behind the host, and no more templates are stored. */
const MAX_TEMPLATES_PER_HOST = 65_536;

const ORIGIN_PATTERN = /^[a-z]+:\/\/([^/?#]*)/i;
const TOKEN_PATTERN = /[^/?#&=;]+/g;

/**
 * Splits a link around its longest parameter value or path segment that holds a digit, the last of several: an id of the
 * deal. `https://www.awin1.com/pclick.php?p=13304516721&a=1&m=2` splits around `13304516721`.
 */
export function splitLink(link: string): SplitLink {
  const start = endOfOrigin(link);
  let from = start;
  let to = start;
  for (const { 0: text, index } of link.slice(start).matchAll(TOKEN_PATTERN)) {
    if (text.length < to - from || !/[0-9]/.test(text)) continue;
    from = start + index;
    to = from + text.length;
  }
  // Without such a part, everything after the host is the deal's own.
  if (from === to) to = link.length;
  return { prefix: link.slice(0, from), part: link.slice(from, to), suffix: link.slice(to) };
}

/** The links of a feed to one host. */
interface FeedHost {
  readonly origin: string;
  linkCount: number;
  /** The code of each template. */
  readonly codes: Map<string, number>;
}

/** A template as a feed has it. */
export interface FeedTemplate extends LinkTemplate {
  readonly host: FeedHost;
}

/**
 * Adds the templates of the links of one feed to those of all feeds. When the links of a host vary in more than one part
 * (fewer than eight links for each template), they are published as split behind the host, so that templates stay few.
 * This depends on the links of the feed alone, not on their order.
 */
export class FeedLinks {
  readonly #templates: FeedTemplate[];
  readonly #hosts = new Map<string, FeedHost>();

  constructor(templates: FeedTemplate[]) {
    this.#templates = templates;
  }

  /** Adds a link, and returns the code of its template and the deal's own part. */
  add(link: string): { readonly template: number; readonly part: string } {
    const origin = link.slice(0, endOfOrigin(link));
    let host = this.#hosts.get(origin);
    if (host === undefined) {
      host = { origin, linkCount: 0, codes: new Map() };
      this.#hosts.set(origin, host);
    }
    host.linkCount++;
    const { prefix, part, suffix } =
      host.codes.size > MAX_TEMPLATES_PER_HOST
        ? { prefix: origin, part: link.slice(origin.length), suffix: '' }
        : splitLink(link);
    const key = `${prefix.length} ${prefix}${suffix}`;
    let template = host.codes.get(key);
    if (template === undefined) {
      template = this.#templates.push({ prefix, suffix, host }) - 1;
      host.codes.set(key, template);
    }
    return { template, part };
  }
}

/** How links of a template are published: their own part gets `lead` before it and `tail` after it. */
export interface PublishedTemplate extends LinkTemplate {
  readonly lead: string;
  readonly tail: string;
}

/** Call it after every link of the feed has been added. */
export function publishTemplate({ prefix, suffix, host }: FeedTemplate): PublishedTemplate {
  const { origin, linkCount, codes } = host;
  const isTemplated = codes.size <= MAX_TEMPLATES_PER_HOST && codes.size * MIN_LINKS_PER_TEMPLATE <= linkCount;
  return isTemplated
    ? { prefix, suffix, lead: '', tail: '' }
    : { prefix: origin, suffix: '', lead: prefix.slice(origin.length), tail: suffix };
}

function endOfOrigin(link: string): number {
  return ORIGIN_PATTERN.exec(link)?.[0].length ?? 0;
}

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
  const host = ORIGIN_PATTERN.exec(link)?.[1]?.toLowerCase() ?? '';
  const [, account] = AFFILIATE_ACCOUNTS.find(([hosts]) => hosts.test(host)) ?? [];
  const named = account?.exec(link)?.[1];
  return named === undefined ? host : `${host} ${named}`;
}
