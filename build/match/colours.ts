import { startsAt } from './name-words.ts';

/** Colours that stand alone. */
const COLOURS = new Set(
  `amber amethyst anthracite apricot aqua aquamarine aubergine azure beige black blue bluish bronze brown burgundy
  carbon champagne charcoal cherry chocolate chrome cobalt cocoa copper coral cranberry cream crimson cyan ebony
  emerald fuchsia garnet gold golden graphite gray green grey indigo ivory khaki lavender lemon lilac lime magenta
  maroon mauve midnight mint mocha navy obsidian olive onyx opal orange orchid peach pearl pink platinum plum
  porcelain purple raspberry red rose ruby sage salmon sand sandstone sapphire scarlet silver slate starlight tan
  taupe teal terracotta topaz turquoise ultramarine vanilla violet white wine yellow`.split(/\s+/),
);

/** Words that go with a colour, before or after it (`phantom black`, `black titanium`), and are none by themselves. */
const COLOUR_MODIFIERS = new Set(
  `airy alpine aluminium arctic astral aura aurora awesome berry blush bright brilliant burnt ceramic clearly cloud
  cool cosmic crush crystal dark deep denim desert dusk dusty dynamic electric enchanted fine fjord forest frost
  frosted frosty galactic glacier glossy gradient gunmetal haze ice iceberg icy iron jade jet just light lunar marble
  marine matt matte metallic mineral misty moonlight morning mystic natural nebula neon night nordic ocean pacific
  pale pastel phantom pine polar powder prism product pure quite royal satin sea shadow shiny sierra silky sky smoky
  soft solar space stardust starry stealth steel stone stormy sunrise sunset tempered titan titanium translucent
  twilight urban velvet vivid volcanic warm winter`.split(/\s+/),
);

/** Names of colours that hold no colour. */
const COLOUR_PHRASES = [
  'bora purple',
  'cloud navy',
  'desert titanium',
  'kinda coral',
  'natural titanium',
  'not pink',
  'oh so orange',
  'purple ish',
  'sorta sage',
  'sorta seafoam',
  'sorta sunny',
].map((phrase) => phrase.split(' '));

export function isColour(word: string): boolean {
  return COLOURS.has(word);
}

/** Whether the word may be part of the name of a known colour. */
export function isColourWord(word: string): boolean {
  return COLOURS.has(word) || COLOUR_MODIFIERS.has(word) || COLOUR_PHRASES.some((phrase) => phrase.includes(word));
}

/** Colours that no shop confuses. One shop's `Graphite` is another's `Grey`. */
const PLAIN_COLOURS: ReadonlyMap<string, string> = new Map(
  ['black', 'white', 'blue', 'green', 'red', 'yellow', 'orange', 'purple', 'pink', 'silver', 'gold', 'grey', 'brown']
    .map((colour): [string, string] => [colour, colour])
    .concat([['gray', 'grey']]),
);

/** Whether the stated `colour` clearly differs from all colours in the name. */
export function isOtherColour(colour: string, named: readonly string[]): boolean {
  const plain = (words: readonly string[]): readonly string[] => words.flatMap((word) => PLAIN_COLOURS.get(word) ?? []);
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
  let end = start;
  let holdsColour = false;
  for (let word = words[end]; word !== undefined && isPartOfColour(word); word = words[++end]) {
    holdsColour ||= COLOURS.has(word);
  }
  return holdsColour ? end : start;
}

function isPartOfColour(word: string): boolean {
  return COLOURS.has(word) || COLOUR_MODIFIERS.has(word);
}
