import type { QueryPair } from '../query/split-target.ts';

const NOT_IN_URI = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/;

interface PageLinks {
  /** The first page of the current snapshot: the request without its cursor. */
  first(): string;
  /** The value of `Link` (RFC 8288) for the page that begins at `offset` (D15). */
  header(offset: number, pageLimit: number, totalCount: number): string;
}

/** Links to the other pages of a request: the request as it was sent, with another cursor. */
export function createPageLinks(
  path: string,
  pairs: readonly QueryPair[],
  cursorAt: (offset: number) => string = () => '',
): PageLinks {
  let rest = '';
  for (const { name, raw } of pairs) {
    if (name !== 'cursor') rest += rest === '' ? raw : `&${raw}`;
  }
  rest = encodeForLink(rest);
  return {
    first: () => (rest === '' ? path : `${path}?${rest}`),
    header: (offset, pageLimit, totalCount) => {
      // A walk whose limit changed on the way need not begin at a multiple of it; its last page is found from here.
      const phase = offset % pageLimit;
      const last = phase + Math.floor(Math.max(0, totalCount - 1 - phase) / pageLimit) * pageLimit;
      const target = rest === '' ? `${path}?cursor=` : `${path}?${rest}&cursor=`;
      const to = (at: number, relation: string): string => `<${target}${cursorAt(at)}>; rel="${relation}"`;
      let header = to(0, 'first');
      if (offset > 0) header += `, ${to(Math.max(0, offset - pageLimit), 'prev')}`;
      if (offset + pageLimit < totalCount) header += `, ${to(offset + pageLimit, 'next')}`;
      return `${header}, ${to(last, 'last')}`;
    },
  };
}

/**
 * Percent-encodes what may not stand in a URI, such as the brackets of `filter[…]=eq{…}`, which may arrive raw (D4).
 * `encodeURI` does that but for two characters: it leaves `#` alone, and encodes the `%` of what is encoded already. One
 * call for the whole text: 2.5x over one for each bracket.
 */
function encodeForLink(raw: string): string {
  return NOT_IN_URI.test(raw) ? encodeURI(raw).replaceAll('%25', '%').replaceAll('#', '%23') : raw;
}
