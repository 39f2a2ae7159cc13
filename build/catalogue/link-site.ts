import { hashText } from './hash-index.ts';
import { splitLink, type LinkTemplate } from './link-table.ts';

const ORIGIN = /^[a-z]+:\/\/([^/?#]*)/i;

/**
 * Where a link names the account that is paid for its customers, by the host of the affiliate network. A shop that takes
 * part in none may have a parameter of such a name as well.
 */
const ACCOUNTS: readonly (readonly [host: RegExp, account: RegExp])[] = [
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
export function siteOf(link: string): string {
  const host = ORIGIN.exec(link)?.[1]?.toLowerCase() ?? '';
  const [, account] = ACCOUNTS.find(([hosts]) => hosts.test(host)) ?? [];
  const named = account?.exec(link)?.[1];
  return named === undefined ? host : `${host} ${named}`;
}

/** The sites and hashes of links that are in parts, whatever their parts: most templates say it for all of their links. */
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
    return this.#sites[template] ?? siteOf(this.#join(template, part));
  }

  /** The same for a link under a template of its own and under one that stands for its host. */
  hashOf(template: number, part: string): number {
    const seed = this.#seeds[template];
    if (seed !== undefined) return hashText(part, seed);
    const split = splitLink(this.#join(template, part));
    return hashText(split.part, seedOf(split));
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
  return ORIGIN.exec(prefix)?.[0].length === prefix.length;
}

/** Undefined where it depends on the part of each link. */
function findSite(template: LinkTemplate): string | undefined {
  const { prefix, suffix } = template;
  const site = siteOf(`${prefix}0${suffix}`);
  return !isHostAlone(template) && site === siteOf(`${prefix}1${suffix}`) ? site : undefined;
}
