/** On every answer: a browser takes it for what its `Content-Type` says, and for nothing else. */
export const NO_SNIFF = { name: 'X-Content-Type-Options', value: 'nosniff' } as const;

/**
 * On pages, which hold no script, no picture, no form and one style sheet of our own: whatever gets into one does nothing,
 * no other site frames it, and nobody is told where a reader came from.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** On pictures, which are there for the pages of other sites. */
export const PICTURE_HEADERS = { 'Cross-Origin-Resource-Policy': 'cross-origin' } as const;
