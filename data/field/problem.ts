import type { Field } from './field.ts';

/** The keys of every refusal (RFC 9457, D17). */
export const PROBLEM_FIELDS = [
  { key: 'type', meaning: 'path of a page that explains the code', example: '/problems/unknown-value' },
  { key: 'title', meaning: 'what the code means', example: 'A word is not one of those allowed' },
  { key: 'status', meaning: 'the status of the answer', example: 400 },
  {
    key: 'detail',
    meaning: 'what is wrong with this request, in one sentence, which may change',
    example: 'filter[condition]: expected one of new, refurbished, got "New"; did you mean "new"?',
  },
  { key: 'instance', meaning: 'the request id, as in `X-Request-Id` and in the log', example: '5f0c2a91-4k' },
  { key: 'code', meaning: 'which error it is; a code never changes', example: 'unknown-value' },
] as const satisfies readonly Field[];

/** The keys of each entry of `errors` (D17). */
export const FAULT_FIELDS = [
  { key: 'parameter', meaning: 'the parameter as sent, or `id` for that of the path', example: 'filter[condition]' },
  { key: 'code', meaning: 'what is wrong with it', example: 'unknown-value' },
  {
    key: 'detail',
    meaning: 'what was expected and what arrived, in one sentence, which may change',
    example: 'filter[condition]: expected one of new, refurbished, got "New"; did you mean "new"?',
  },
  { key: 'value', meaning: 'what arrived: the whole value, or the one bad word', example: 'New' },
  { key: 'suggestion', meaning: 'the word that was probably meant, where there is one', example: 'new' },
] as const satisfies readonly Field[];

/** Of `errors`, and of the words in one. */
export const ERRORS_MEANING = 'Every fault of the request; empty where no parameter is to blame.';
export const ALLOWED_MEANING = 'The words that are allowed, where they are a list.';
