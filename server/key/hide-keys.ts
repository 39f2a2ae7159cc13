import { isWellFormedKey } from './api-key.ts';

const HIDDEN = 'deals_[hidden]';
/** With the lines of those that follow at once. */
const PREFIXED = /deals(?:_|%5[Ff])\w{8,}/g;
/** What a key has behind its prefix, which may be left out where one is pasted. */
const BARE = /(?<![0-9A-Za-z])[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/** No shorter text is searched: most parameters are. */
const MIN_CHARACTERS = 'deals_'.length + 8;

/**
 * A text from outside, without the keys in it: a client may send its key in a path or a parameter, from where it would get
 * into the log or into the body of an error (D16). Also a key with a slip, which is one to whoever finds the slip.
 */
export function hideKeys(text: string): string {
  if (text.length < MIN_CHARACTERS) return text;
  return text
    .replaceAll(PREFIXED, HIDDEN)
    .replaceAll(BARE, (found) => (isWellFormedKey(`deals_${found}`) ? HIDDEN : found));
}
