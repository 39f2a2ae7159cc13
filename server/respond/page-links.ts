import { parsePairs } from '../query/split-target.ts';

interface PageLinks {
  /** The first page of the current snapshot: the request without its cursor. */
  first(): string;
  /** The value of `Link` (RFC 8288) for the page that begins at `offset` (D15). */
  header(offset: number, pageLimit: number, totalCount: number): string;
}

/** Links to the other pages of a request: the request as it was sent, with another cursor. */
export function createPageLinks(
  request: { readonly path: string; readonly query: string },
  cursorAt: (offset: number) => string = () => '',
): PageLinks {
  const rest = parsePairs(request.query, [])
    .filter(({ name }) => name !== 'cursor')
    .map(({ raw }) => encodeForLink(raw));
  const to = (...more: readonly string[]): string => {
    const query = [...rest, ...more].join('&');
    return query === '' ? request.path : `${request.path}?${query}`;
  };
  return {
    first: () => to(),
    header: (offset, pageLimit, totalCount) => {
      // A walk whose limit changed on the way need not begin at a multiple of it; its last page is found from here.
      const phase = offset % pageLimit;
      const last = phase + Math.floor(Math.max(0, totalCount - 1 - phase) / pageLimit) * pageLimit;
      const targets: readonly (readonly [string, number | undefined])[] = [
        ['first', 0],
        ['prev', offset > 0 ? Math.max(0, offset - pageLimit) : undefined],
        ['next', offset + pageLimit < totalCount ? offset + pageLimit : undefined],
        ['last', last],
      ];
      return targets
        .flatMap(([rel, target]) =>
          target === undefined ? [] : [`<${to(`cursor=${cursorAt(target)}`)}>; rel="${rel}"`],
        )
        .join(', ');
    },
  };
}

/** Percent-encodes what may not stand in a URI, such as the brackets of `filter[…]=eq{…}`, which may arrive raw (D4). */
function encodeForLink(raw: string): string {
  return raw.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/g, (character) => encodeURIComponent(character));
}
