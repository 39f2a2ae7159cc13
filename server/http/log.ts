import { hideKeys } from '../key/hide-keys.ts';

/** One thing that happened, as a flat object. Never holds a key: what comes from outside goes through `hideKeys`. */
export type LogEntry = { readonly event: string } & Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (entry: LogEntry) => void;

/** What went wrong, for the log: the stack of a bug, the sentence of anything else. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return hideKeys(String(error));
  return hideKeys(error.name === 'Error' || error.stack === undefined ? error.message : error.stack);
}
