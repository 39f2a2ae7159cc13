import { isWellFormedKey } from './keys/api-key.ts';

/** A log line as a flat object. Never holds a key: texts from outside go through `redactKeys`. */
export type LogEntry = { readonly event: string } & Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (entry: LogEntry) => void;

/** An error for the log: the stack of a bug, the message of any other error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactKeys(String(error));
  return redactKeys(error.name === 'Error' || error.stack === undefined ? error.message : error.stack);
}

const REDACTED = 'deals_[hidden]';
/** Keys that follow without a separator match as one. */
const PREFIXED_KEY = /deals(?:_|%5[Ff])\w{8,}/g;
/** A key that was pasted without its prefix. */
const BARE_KEY = /(?<![0-9A-Za-z])[0-9A-Za-z]{38}(?![0-9A-Za-z])/g;

/**
 * Replaces keys in a text from outside: a client may send its key in a path or a parameter, and from there it would get
 * into the log or the body of an error (D16). Also replaces mistyped keys, from which the key can be guessed.
 */
export function redactKeys(text: string): string {
  return text
    .replaceAll(PREFIXED_KEY, REDACTED)
    .replaceAll(BARE_KEY, (found) => (isWellFormedKey(`deals_${found}`) ? REDACTED : found));
}
