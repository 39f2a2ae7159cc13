import type { Notice } from '../../data/report/notice.ts';

/** How a record fits what is asked for: it is that, or contains it. */
export type Fit = 'exact' | 'part';

/** Shorter words are a part of nearly every name. */
const MIN_PART_LENGTH = 3;
/** Short numbers are a part of many keys. */
const MIN_KEY_PART_LENGTH = 5;

/** `feeds/house.csv:12`, or `cms/site.json networks (item 12)` of a JSON export, where the list may be missing. */
const LINE = /^(.+):([1-9][0-9]{0,14})$/s;
const ITEM =
  /^(.+?)(?: (products|giftCategories|gifts|networks|retailers|manufacturers|entries))? \(item ([1-9][0-9]{0,14})\)$/s;

type Location = Pick<Notice, 'file' | 'line' | 'list'>;

/** What a person asks about: an id, key, slug, name or code, or words of one, or a place in a file. */
export class Words {
  readonly text: string;
  readonly folded: string;
  readonly location: Location | undefined;
  readonly #words: readonly string[];

  constructor(text: string) {
    this.text = text.trim();
    this.folded = fold(text);
    this.#words = this.folded.split(' ');
    this.location = parseLocation(this.text);
  }

  /** How a name or slug fits, regardless of case and spacing. A part has every word. */
  fitName(name: string): Fit | undefined {
    return this.#fit(fold(name), MIN_PART_LENGTH);
  }

  /** How an id or the key of a deal fits. */
  fitKey(key: string): Fit | undefined {
    return this.#fit(key.toLowerCase(), MIN_KEY_PART_LENGTH);
  }

  fitLocation({ file, line, list }: Location): Fit | undefined {
    const { location } = this;
    if (location?.line === undefined || location.line !== line || location.file !== file) return undefined;
    return location.list === undefined || list === undefined || location.list === list ? 'exact' : undefined;
  }

  #fit(folded: string, minLength: number): Fit | undefined {
    if (folded === this.folded) return 'exact';
    if (this.folded.length < minLength) return undefined;
    return this.#words.every((word) => folded.includes(word)) ? 'part' : undefined;
  }
}

/** The best of several fits. */
export function bestFit(fits: Iterable<Fit | undefined>): Fit | undefined {
  let best: Fit | undefined;
  for (const fit of fits) {
    if (fit === 'exact') return fit;
    best ??= fit;
  }
  return best;
}

function parseLocation(text: string): Location | undefined {
  const [, lineFile, line] = LINE.exec(text) ?? [];
  if (lineFile !== undefined) return { file: lineFile, line: Number(line) };
  const [, file, list, item] = ITEM.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(item), ...(list === undefined ? {} : { list }) };
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}
