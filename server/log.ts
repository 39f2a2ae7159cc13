import { isWellFormedKey } from './keys/api-key.ts';

/** One thing that happened, as a flat object. Never holds a key: what comes from outside goes through `redactKeys`. */
export type LogEntry = { readonly event: string } & Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (entry: LogEntry) => void;

/** What went wrong, for the log: the stack of a bug, the sentence of anything else. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactKeys(String(error));
  return redactKeys(error.name === 'Error' || error.stack === undefined ? error.message : error.stack);
}

const REDACTED = 'deals_[hidden]';
/** With the lines of those that follow at once. */
const PREFIXED_KEY = /deals(?:_|%5[Ff])\w{8,}/g;
/** What a key has behind its prefix, which may be left out where one is pasted. */
const BARE_KEY = /(?<![0-9A-Za-z])[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/** No shorter text is searched: most parameters are. */
const MIN_KEY_CHARACTERS = 'deals_'.length + 8;

/**
 * A text from outside, without the keys in it: a client may send its key in a path or a parameter, from where it would get
 * into the log or into the body of an error (D16). Also a key with a slip, which is one to whoever finds the slip.
 */
export function redactKeys(text: string): string {
  if (text.length < MIN_KEY_CHARACTERS) return text;
  return text
    .replaceAll(PREFIXED_KEY, REDACTED)
    .replaceAll(BARE_KEY, (found) => (isWellFormedKey(`deals_${found}`) ? REDACTED : found));
}
