import { redactKeys } from './keys/api-key.ts';

/** A log line as a flat object. Never holds a key: texts from outside go through `redactKeys`. */
export type LogEntry = { readonly event: string } & Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = (entry: LogEntry) => void;

/** An error for the log: the stack of a bug, the message of any other error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return redactKeys(String(error));
  return redactKeys(error.name === 'Error' || error.stack === undefined ? error.message : error.stack);
}
