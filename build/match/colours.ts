import { startsAt } from './name-words.ts';
import { PHONES } from './phone-lists.ts';

const COLOURS: ReadonlySet<string> = new Set(PHONES.colours);
/** The words of colours that may stand next to each other: `phantom black`. */
const COLOUR_PARTS: ReadonlySet<string> = new Set([...COLOURS, ...PHONES.colourModifiers]);
const COLOUR_PHRASES = PHONES.colourPhrases.map((phrase) => phrase.split(' '));
const COLOUR_WORDS: ReadonlySet<string> = new Set([...COLOUR_PARTS, ...COLOUR_PHRASES.flat()]);

export function isColour(word: string): boolean {
  return COLOURS.has(word);
}

/** Whether the word may be part of the name of a known colour. */
export function isColourWord(word: string): boolean {
  return COLOUR_WORDS.has(word);
}

const PLAIN_COLOURS: ReadonlySet<string> = new Set(PHONES.plainColours);

/** Whether the stated `colour` clearly differs from all colours in the name. */
export function isOtherColour(colour: string, named: readonly string[]): boolean {
  const plain = (words: readonly string[]): readonly string[] =>
    words.map((word) => (word === 'gray' ? 'grey' : word)).filter((word) => PLAIN_COLOURS.has(word));
  const stated = plain(colour.toLowerCase().split(/[^a-z]+/));
  const said = plain(named);
  return stated.length > 0 && said.length > 0 && !said.some((word) => stated.includes(word));
}

/** The positions in `words` that are part of a known colour: `phantom black` is one, `phantom` alone is none. */
export function findColourPositions(words: readonly string[]): ReadonlySet<number> {
  const positions = new Set<number>();
  for (let i = 0; i < words.length;) {
    const end = endOfColour(words, i);
    for (let position = i; position < end; position++) positions.add(position);
    i = Math.max(end, i + 1);
  }
  return positions;
}

/** The end of the colour that begins at `start`; `start` itself when no colour begins there. */
function endOfColour(words: readonly string[], start: number): number {
  const phrase = COLOUR_PHRASES.find((candidate) => startsAt(words, start, candidate));
  if (phrase !== undefined) return start + phrase.length;
  const length = words.slice(start).findIndex((word) => !COLOUR_PARTS.has(word));
  const end = length === -1 ? words.length : start + length;
  return words.slice(start, end).some((word) => isColour(word)) ? end : start;
}
