import { PREFLIGHT_HEADERS } from '../../data/query/header.ts';
import { MAX_TARGET_BYTES } from '../../data/query/limit.ts';
import type { ServerSettings } from '../settings.ts';

/** What holds for every request: how to ask, what comes back, how to go on from there. */
export function writeIntroduction({ maxDealsPerAnswer, graceSeconds }: ServerSettings): string {
  return `A read-only catalogue of phones, their contract deals and the gifts that come with them.

## Asking

Every request under \`/deals/\` is a GET with a key in the header \`x-api-key\`. HEAD gets the same status and headers
without the body. OPTIONS gets 204 with \`Allow\`, needs no key, and from a page of an origin that the operator allows also
${PREFLIGHT_HEADERS.map((name) => `\`${name}\``).join(', ')}. The last slash of a path may be missing; otherwise paths are
compared as sent. Path and query together have at most ${MAX_TARGET_BYTES} bytes.

Brackets, braces, parentheses and commas may be sent as they are or percent-encoded, and \`+\` is a space. Spaces around
values do not count. Nothing is ignored: an unknown, repeated, empty or misspelled parameter is a 400 that lists every fault
of the request, with the word that was probably meant. A filter alone may be repeated, with another operator each time.

## Pages

A list of products comes in pages. \`X-Total-Count\` is how many there are on all pages, and \`Link\` has the \`first\`,
\`prev\`, \`next\` and \`last\` one: follow them as they are. A walk through pages goes on in the snapshot it began with, for
${graceSeconds} seconds after a newer one, unless still another has come; then it gets 410 with a link to begin again. Gifts
and lists come whole.${
    maxDealsPerAnswer === undefined
      ? ''
      : ` An answer holds at most ${maxDealsPerAnswer} deals; \`limit=deals(n)\` asks for fewer.`
  }

## Answers

Money is text with two decimals in deals and a number in \`cheapestDeal\`. An allowance of 999999 is unlimited. What a
record lacks is absent, never null. Keys may be added; those there are stay what they are as long as the path says \`v1\`.

An answer has an \`ETag\` by its content. Sent back in \`If-None-Match\` it gets a 304 as long as nothing changed, also when a
new snapshot was published meanwhile. \`X-Snapshot\` names the snapshot of the answer. Bodies are encoded as
\`Accept-Encoding\` prefers, \`br\` or \`gzip\`.

A key may be under a limit: \`RateLimit-Policy\` then says what it may ask, \`RateLimit\` what is left, and 429 comes with
\`Retry-After\` when nothing is.

## Errors

Every refusal is \`application/problem+json\` (RFC 9457). \`code\` says what is wrong and never changes, \`detail\` says it in a
sentence, \`errors\` names every faulty parameter, \`type\` is a page that explains the code and what to do. All of them are
listed at [/problems/](/problems/).`;
}
