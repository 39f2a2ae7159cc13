/** The relations of a Link header and their targets. */
export function linksOf(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z]+)"?/g);
  return Object.fromEntries(Array.from(links, ([, target = '', relation = '']) => [relation, target]));
}
