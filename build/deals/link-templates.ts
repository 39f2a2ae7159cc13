import type { Dictionaries } from '../../data/snapshot/format.ts';

/** What is before and after the deal's own part of a link. */
export type LinkTemplate = Dictionaries['linkTemplates'][number];

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
function splitLink(link: string): LinkTemplate {
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
  return { prefix: link.slice(0, from), suffix: link.slice(to) };
}

/** The links of a feed to one host. */
interface FeedHost {
  readonly origin: string;
  linkCount: number;
  /** The code of each template. */
  readonly codes: Map<string, number>;
}

/** The templates of links, and the code of the template of each link. */
interface LinkTemplates {
  readonly templates: readonly LinkTemplate[];
  readonly codes: Uint32Array;
}

/**
 * Finds the templates of the links that are served. When those of a feed to a host vary in more than one part (fewer
 * than eight links for
 * each template), they are split behind the host, so that templates stay few. This depends on the links of the feed alone,
 * not on their order.
 */
export function findTemplates(
  count: number,
  linkAt: (row: number) => string,
  feedOf: (row: number) => string,
): LinkTemplates {
  const hosts = new Map<string, FeedHost>();
  const found: (LinkTemplate & { readonly host: FeedHost })[] = [];
  const codes = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const link = linkAt(row);
    const origin = link.slice(0, endOfOrigin(link));
    const feedHost = `${feedOf(row)} ${origin}`;
    const host = hosts.get(feedHost) ?? { origin, linkCount: 0, codes: new Map<string, number>() };
    hosts.set(feedHost, host);
    host.linkCount++;
    const { prefix, suffix } = host.codes.size > MAX_TEMPLATES_PER_HOST ? behindHost(host) : splitLink(link);
    const key = `${prefix.length} ${prefix}${suffix}`;
    const code = host.codes.get(key) ?? found.push({ prefix, suffix, host }) - 1;
    host.codes.set(key, code);
    codes[row] = code;
  }
  const isTemplated = ({ codes: { size }, linkCount }: FeedHost): boolean =>
    size <= MAX_TEMPLATES_PER_HOST && size * MIN_LINKS_PER_TEMPLATE <= linkCount;
  const templates = found.map(({ prefix, suffix, host }) =>
    isTemplated(host) ? { prefix, suffix } : behindHost(host),
  );
  return { templates, codes };
}

function behindHost({ origin }: FeedHost): LinkTemplate {
  return { prefix: origin, suffix: '' };
}

function endOfOrigin(link: string): number {
  return ORIGIN_PATTERN.exec(link)?.[0].length ?? 0;
}
