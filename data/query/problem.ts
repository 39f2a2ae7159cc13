/**
 * Every error code of the interface with its status, what it means and what to do about it (D17). Codes are permanent,
 * sentences are not.
 */
export const PROBLEMS = {
  'unknown-path': {
    status: 404,
    title: 'There is nothing at this path',
    cause: 'The path is not one of the interface. Paths are in lower case, and %-codes in them are not decoded.',
    cure: 'Use one of the documented paths, such as /deals/v1/products/.',
  },
  'unknown-product': {
    status: 404,
    title: 'No product has this id',
    cause: 'The snapshot being served has no product with this id.',
    cure: 'Take ids from /deals/v1/products/. A product that was withdrawn or quarantined is not served.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The interface is read-only',
    cause: 'The method is not GET, HEAD or OPTIONS.',
    cure: 'Send a GET request.',
  },
  'missing-key': {
    status: 401,
    title: 'The request has no API key',
    cause: 'Every request under /deals/ needs the header x-api-key.',
    cure: 'Send your key in the header x-api-key.',
  },
  'invalid-key': {
    status: 401,
    title: 'The API key is not known',
    cause: 'The key was never issued here, was mistyped, was revoked, or is not valid yet.',
    cure: 'Compare the key with the one that you were given, or ask the operator for a new one.',
  },
  'expired-key': {
    status: 401,
    title: 'The API key has expired',
    cause: 'The key was valid until a date that has passed.',
    cure: 'Ask the operator for a new key.',
  },
  'operator-only': {
    status: 403,
    title: 'The API key is no operator key',
    cause: 'What became of the sources, under /status/, is shown to operator keys only.',
    cure: 'Ask the operator for a key made with deals keys create --operator.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    cause: 'The key has used its share of requests for now.',
    cure: 'Wait as long as Retry-After says.',
  },
  'invalid-request': {
    status: 400,
    title: 'The request has several faults',
    cause: 'More than one thing is wrong with the request; each is listed in errors.',
    cure: 'Mend every fault that errors names.',
  },
  'unknown-parameter': {
    status: 400,
    title: 'A parameter is not known here',
    cause: 'The endpoint does not take a parameter or filter of this name.',
    cure: 'Remove it, or use the name that the answer suggests.',
  },
  'repeated-parameter': {
    status: 400,
    title: 'A parameter was given more than once',
    cause: 'Each parameter may be given once; one filter may be given with several different operators.',
    cure: 'Send it once. A comma stands between the words of expand and fields, and between the values of eq and ne.',
  },
  'malformed-value': {
    status: 400,
    title: 'A value does not follow its grammar',
    cause: 'The text of a parameter cannot be read.',
    cure: 'Write it as errors expects it.',
  },
  'unknown-value': {
    status: 400,
    title: 'A word is not one of those allowed',
    cause: 'The text follows the grammar, and a word in it is not known.',
    cure: 'Use one of the words in allowed, or the one in suggestion.',
  },
  'out-of-range': {
    status: 400,
    title: 'A number is outside its bounds',
    cause: 'The number is smaller or larger than allowed.',
    cure: 'Use a number within the bounds that errors names.',
  },
  'incomplete-image-selection': {
    status: 400,
    title: 'A selection of images needs a view, a size and a format',
    cause: 'fields names some of the words for images and not at least one of each axis.',
    cure: 'Add the axis that errors names, such as front, large or webp.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor does not belong to this request',
    cause: 'The cursor was altered, or comes from another query.',
    cure: 'Follow the links of the Link header as they are, or start again without a cursor.',
  },
  'repeated-header': {
    status: 400,
    title: 'A header was given more than once',
    cause: 'Host and x-api-key may be sent once.',
    cure: 'Send the header once.',
  },
  'too-many-deals': {
    status: 400,
    title: 'The answer would hold too many deals',
    cause: 'The products of this page have more deals than this server sends in one answer.',
    cure: 'Add limit=deals(n), or a smaller page.',
  },
  'snapshot-expired': {
    status: 410,
    title: 'The snapshot of these pages is gone',
    cause: 'A newer snapshot was published and the older one is no longer held.',
    cure: 'Start again from the link with rel="first".',
  },
  'target-too-long': {
    status: 414,
    title: 'The request target is too long',
    cause: 'Path and query together are longer than 8 KiB.',
    cure: 'Ask for less in one request.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    cause: 'A fault of this service. The operator finds its cause in the log under the request id.',
    cure: 'Try again; tell the operator the request id if it stays.',
  },
  'no-snapshot': {
    status: 503,
    title: 'There is no catalogue yet',
    cause: 'No snapshot has been published, or none can be read.',
    cure: 'Wait as long as Retry-After says.',
  },
  'snapshot-not-yet': {
    status: 503,
    title: 'The snapshot of the cursor is not loaded yet',
    cause: 'The cursor comes from another server of this service, which already answers from the next snapshot.',
    cure: 'Wait as long as Retry-After says, and send the same request again.',
  },
  overloaded: {
    status: 503,
    title: 'The server cannot answer at the moment',
    cause: 'More requests arrive than can be answered in time, or the server behind the proxy does not run.',
    cure: 'Wait as long as Retry-After says.',
  },
} as const satisfies Record<string, { status: number; title: string; cause: string; cure: string }>;

export type ProblemCode = keyof typeof PROBLEMS;
