/** A key of an answer, from whose table its schema, the description of the interface and the READMEs are made. */
export interface Field {
  readonly key: string;
  readonly meaning: string;
  /** Of the value, or of the number in its text; absent where it has none. */
  readonly unit?: string;
  /** A value as it may come. */
  readonly example: string | number | boolean;
}

/** Of money: the currency of the catalogue, whose symbol is `currencyLabel` of `cheapestDeal`. */
export const CURRENCY = 'currency of the catalogue';

/** What a field means, in one sentence. */
export function describeField({ meaning, unit }: Pick<Field, 'meaning' | 'unit'>): string {
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  return unit === undefined ? sentence : `${sentence} Unit: ${unit}.`;
}
