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

/** A place in a source; that of a notice may be unknown. */
type Place = Pick<Notice, 'file' | 'line' | 'list'>;

/** What a record is called, and where it was read. */
interface Called {
  /** Texts that are only found whole. */
  readonly exact?: readonly (string | undefined)[];
  readonly key?: string | undefined;
  /** Found by some of their words, regardless of case and spacing. */
  readonly names?: readonly string[];
  readonly place?: Place;
}

/** What a person asks about: an id, key, slug, name or code, or words of one, or a place in a file. */
export class Words {
  readonly text: string;
  readonly #folded: string;
  readonly #words: readonly string[];
  readonly #location: Place;

  constructor(text: string) {
    this.text = text.trim();
    this.#folded = fold(text);
    this.#words = this.#folded.split(' ');
    this.#location = parseLocation(this.text);
  }

  /** How a record fits. */
  fit({ exact = [], key, names = [], place = {} }: Called): Fit | undefined {
    // An empty text is a part of every name.
    if (this.text === '') return undefined;
    if (exact.includes(this.text) || this.#isAt(place)) return 'exact';
    const fits = names.map((name) => this.#fitText(fold(name), MIN_PART_LENGTH));
    if (key !== undefined) fits.push(this.#fitText(key.toLowerCase(), MIN_KEY_PART_LENGTH));
    return fits.find((fit) => fit === 'exact') ?? fits.find((fit) => fit !== undefined);
  }

  #isAt({ file, line, list }: Place): boolean {
    const asked = this.#location;
    if (asked.line === undefined || asked.line !== line || asked.file !== file) return false;
    return asked.list === undefined || list === undefined || asked.list === list;
  }

  #fitText(folded: string, minLength: number): Fit | undefined {
    if (folded === this.#folded) return 'exact';
    if (this.#folded.length < minLength) return undefined;
    return this.#words.every((word) => folded.includes(word)) ? 'part' : undefined;
  }
}

function parseLocation(text: string): Place {
  const [, lineFile, line] = LINE.exec(text) ?? [];
  if (lineFile !== undefined) return { file: lineFile, line: Number(line) };
  const [, file, list, item] = ITEM.exec(text) ?? [];
  return file === undefined ? {} : { file, line: Number(item), list };
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}
