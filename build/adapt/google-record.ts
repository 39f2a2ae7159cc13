import type { GoogleValues } from './google-item.ts';

/** What one record of a file in Google's format holds, or why it cannot be read. */
export type GoogleRecord =
  | { readonly kind: 'item'; readonly line: number; readonly values: GoogleValues }
  | {
      readonly kind: 'broken';
      readonly line: number;
      readonly expected: string;
      readonly found: string;
      /** The id, if it was read before the fault. */
      readonly id: string | undefined;
    };
