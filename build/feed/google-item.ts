import { cleanText, normalizeName } from '../source/clean-text.ts';

/** The value of an attribute: a text, or its sub-attributes by name. */
export type GoogleValue = string | ReadonlyMap<string, string>;

/** The attributes of an item by name; attributes may be repeated. */
export type GoogleValues = ReadonlyMap<string, readonly GoogleValue[]>;

/** The sub-attributes in the order of the text, `month:24:35.00 GBP`. */
export const SUB_ATTRIBUTES = {
  subscription_cost: ['period', 'period_length', 'amount'],
  installment: ['months', 'amount', 'downpayment', 'credit_type'],
  product_detail: ['section_name', 'attribute_name', 'attribute_value'],
} as const;

export type StructuredAttribute = keyof typeof SUB_ATTRIBUTES;

export function isStructuredAttribute(name: string): name is StructuredAttribute {
  return Object.hasOwn(SUB_ATTRIBUTES, name);
}

/** A mapping names a product detail as `product_detail:Data allowance`. */
export const DETAIL_PREFIX = 'product_detail:';

/** Normalises `g:Image Link`, `imageLink` and `image-link` to `image_link`. */
export function attributeName(name: string): string {
  return name
    .trim()
    .replace(/^[A-Za-z][\w.-]*:(?! )/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}

/** An item of product data, from a table, XML or JSON. */
export class GoogleItem {
  readonly line: number;
  readonly #values: GoogleValues;

  constructor(line: number, values: GoogleValues) {
    this.line = line;
    this.#values = values;
  }

  /** The text of an attribute, or of a product detail; undefined when it is blank or absent. */
  readonly text = (name: string): string | undefined => {
    if (name.startsWith(DETAIL_PREFIX)) return this.#detail(name.slice(DETAIL_PREFIX.length));
    for (const value of this.#values.get(name) ?? []) {
      const text = cleanText(typeof value === 'string' ? value : joinParts(value));
      if (text !== undefined) return text;
    }
    return undefined;
  };

  /** The sub-attributes of an attribute; undefined when it is blank or absent. */
  parts(name: StructuredAttribute): ReadonlyMap<string, string> | undefined {
    return this.#listParts(name)[0];
  }

  #detail(name: string): string | undefined {
    const folded = normalizeName(name);
    const details = this.#listParts('product_detail');
    const found = details.find((parts) => normalizeName(parts.get('attribute_name') ?? '') === folded);
    return found?.get('attribute_value');
  }

  #listParts(name: StructuredAttribute): readonly ReadonlyMap<string, string>[] {
    return (this.#values.get(name) ?? [])
      .flatMap((value) => (typeof value === 'string' ? splitValue(name, value) : [cleanParts(value)]))
      .filter((parts) => parts.size > 0);
  }
}

function splitValue(name: StructuredAttribute, value: string): readonly ReadonlyMap<string, string>[] {
  const text = cleanText(value);
  if (text === undefined) return [];
  const texts = name === 'product_detail' ? splitDetails(text) : [text];
  return texts.map((each) => splitParts(SUB_ATTRIBUTES[name], each));
}

/** Details are separated by commas, but values may have commas too: a detail has two colons. */
function splitDetails(text: string): readonly string[] {
  const details: string[] = [];
  for (const part of text.split(',')) {
    const last = details.length - 1;
    if (last >= 0 && part.split(':').length < 3) details[last] += `,${part}`;
    else details.push(part);
  }
  return details;
}

/** The last sub-attribute takes the rest of the text, with its colons. */
function splitParts(names: readonly string[], text: string): ReadonlyMap<string, string> {
  const texts = text.split(':');
  const last = names.length - 1;
  return cleanParts(names.map((name, i) => [name, i === last ? texts.slice(i).join(':') : (texts[i] ?? '')]));
}

function cleanParts(value: Iterable<readonly [string, string]>): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const [name, text] of value) {
    const part = cleanText(text);
    if (part !== undefined) parts.set(name, part);
  }
  return parts;
}

/** Joins a price of value and currency. */
function joinParts(value: ReadonlyMap<string, string>): string {
  const amount = value.get('value') ?? value.get('amount');
  return amount === undefined ? '' : `${amount} ${value.get('currency') ?? ''}`;
}
