import type { IncomingMessage } from 'node:http';

/** How often a header was sent: Node joins or drops repeats, and two of some are two meanings. */
export function countHeader(req: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]?.toLowerCase() === name) count++;
  }
  return count;
}

/** The path and query of an absolute-form target, which a server must accept (RFC 9112 §3.2.2); any other as it is. */
export function toOriginForm(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target);
  if (authority === null) return target;
  const rest = target.slice(authority[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
