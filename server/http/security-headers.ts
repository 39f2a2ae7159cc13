/** On every answer: a browser takes it for what its `Content-Type` says, and for nothing else. */
export const NO_SNIFF = { name: 'X-Content-Type-Options', value: 'nosniff' } as const;

/** What every page forbids: other bases, other sites' frames, and forms that are sent anywhere. */
const NEVER = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every page has beside its policy: nobody is told where a reader came from. */
const DISCREET = { 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin' } as const;

/** On pages, which hold no script, and one icon and one style sheet of our own: whatever gets into one does nothing. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self'; ${NEVER}`,
  ...DISCREET,
} as const;

/**
 * On pages that ask this server and show what it answers, by modules of this server alone. None of them parses HTML: a
 * browser that knows trusted types refuses to, so a text of a feed stays a text.
 */
export const MODULE_PAGE_HEADERS = {
  'Content-Security-Policy': describeModulePolicy("'self'"),
  ...DISCREET,
} as const;

/**
 * On the page that shows the catalogue. A picture that the CMS keeps by URL lies on another host, and the page of a
 * catalogue without its pictures would be of no use; that host is told nothing but that somebody looks. Pictures over
 * plain HTTP are kept out: anybody on the way could change them.
 */
export const CATALOGUE_PAGE_HEADERS = {
  'Content-Security-Policy': describeModulePolicy("'self' https:"),
  ...DISCREET,
} as const;

/** On pictures, which are there for the pages of other sites. */
export const PICTURE_HEADERS = { 'Cross-Origin-Resource-Policy': 'cross-origin' } as const;

function describeModulePolicy(pictures: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${pictures}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    NEVER,
  ].join('; ');
}
