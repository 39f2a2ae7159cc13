import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Phones of 2016 to 2026, written from memory: maker, series, model, sizes as `RAM/storage` or storage alone (T is 1024 GB).
 * `^` marks a model that was only ever sold with 5G. A model that ends in `5G` is another phone than the one without.
 */
const PHONES = readFileSync(join(import.meta.dirname, 'fixture', 'phones.txt'), 'utf8');

/** A model of a maker, by what its name says of it. */
export interface Phone {
  readonly maker: string;
  /** The word that may stand for the maker, `''` where the maker has none. */
  readonly series: string;
  /** As the maker writes it, without maker, series and `5G`. */
  readonly model: string;
  /** Models that are written alike but for spaces and `Plus` for `+` share it. */
  readonly words: string;
  readonly is5gForm: boolean;
  readonly is5gOnly: boolean;
  readonly sizes: readonly Size[];
}

export interface Size {
  readonly ram?: number;
  readonly storage: number;
}

/** All phones there are. */
export const PHONE_LIST: readonly Phone[] = readPhones();

/** The model's words without spaces and brackets, with `plus` for `+`. */
export function squeeze(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replaceAll(/[^a-z0-9.]/g, '');
}

function readPhones(): Phone[] {
  const phones: Phone[] = [];
  let maker = '';
  let series = '';
  for (const line of PHONES.trim().split('\n')) {
    const heading = /^([A-Za-z]+)\/(.+)$/.exec(line);
    if (heading !== null && !/\d/.test(line)) {
      [, maker = '', series = ''] = heading;
      if (series === '-') series = '';
      continue;
    }
    for (const entry of line.split('; ')) phones.push(readPhone(maker, series, entry));
  }
  return phones;
}

function readPhone(maker: string, series: string, entry: string): Phone {
  const words = entry.replace('^', '').split(' ');
  const at = words.findIndex(
    (word, index) => index > 0 && /^(\d+\/)?\d+T?$/.test(word) && words.slice(index).every(isSize),
  );
  const is5gForm = words[at - 1] === '5G' && at > 1;
  // `Nord~`: the series by itself is a model.
  const model = words
    .slice(0, is5gForm ? at - 1 : at)
    .join(' ')
    .replace(/^(\S+)~ ?/, '');
  return {
    maker,
    series,
    model,
    words: squeeze(model),
    is5gForm,
    is5gOnly: entry.startsWith('^'),
    sizes: words.slice(at).map(readSize),
  };
}

function isSize(word: string): boolean {
  return /^(\d+\/)?(16|32|64|128|256|512|1T)$/.test(word);
}

function readSize(text: string): Size {
  const [last = '', ram] = text.split('/').toReversed();
  const storage = last === '1T' ? 1024 : Number(last);
  return ram === undefined ? { storage } : { ram: Number(ram), storage };
}
