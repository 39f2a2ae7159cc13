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

const HOST_PATTERN = /^[a-z]+:\/\/([^/?#]*)/i;

/** The host of a link, and the account that it names. */
export function linkSiteOf(link: string): string {
  const host = HOST_PATTERN.exec(link)?.[1]?.toLowerCase() ?? '';
  const [, account] = AFFILIATE_ACCOUNTS.find(([hosts]) => hosts.test(host)) ?? [];
  const named = account?.exec(link)?.[1];
  return named === undefined ? host : `${host} ${named}`;
}
