import { startsAt } from './name-words.ts';

/** Colours that stand alone. */
const COLOURS = new Set(
  `aloe amber amethyst anthracite apricot aqua aquamarine aubergine azure beige black blue blueblack bluish bronze
  brown burgundy carbon chalk champagne charcoal cherry chocolate chrome cobalt cocoa copper coral coralred
  cornflower cranberry cream crimson cyan ebony eclipse emerald fjord fuchsia garnet gold golden graphite gray
  graygreen green grey hazel iceblue indigo iris ivory jetblack khaki lavender lemon lemongrass lightgreen
  lightviolet lilac lime magenta magnolia maroon mauve midnight mint mocha moonstone navy oat obsidian ochre olive
  onyx opal orange orchid peach pearl peony pink pinkgold platinum plum porcelain purple raspberry red rose rosegold
  ruby saffron sage salmon sand sandstone sapphire scarlet silver silverblue slate snow stardust starlight tan
  tangerine taupe teal terracotta topaz turquoise ultramarine vanilla violet white whitesilver wine wintergreen
  yellow`.split(/\s+/),
);

/** Words that go with a colour, before or after it (`phantom black`, `black titanium`), and are none by themselves. */
const COLOUR_MODIFIERS = new Set(
  `airy alpine aluminium arabian arctic astral aura aurora awesome basalt berry blush bordeaux breathing bright
  brilliant burnt caneel celadon ceramic chromatic citrus classy clearly cloud cool cosmic cotton crush crystal cyber
  dark dawn dawnlight deep denim desert diamond dreamland dusk dusty dynamic electric enchanted eternal
  feather fine fjord flowy fluid forest fresh frost frosted frosty fuzz galactic glacial glacier glossy glowing
  gradient granite gunmetal haze honey horizon hot hyperspace ice iceberg icy infinite interstellar iron island jade
  jet just koala lagoon lake light luminous lunar luxe marble marine marshmallow matt matte meadow mercurial metallic
  meteor meteorite mineral mirage mirror misty moonlight moonlit morning moss mossy mystic natural nebula neon night
  nordic oasis ocean pacific pale pastel peacock pebble petal phantom pine polar polished powder prism product pure
  quite raven ripple rock royal satin sea shadow shimmer shiny sierra silky sky smoke smoky soft solar space
  sparkling spring stardust stargaze starry stealth steel stone stormy submarine summer sunny sunrise sunset sunshine
  supernova tempered tempest tidal titan titanium translucent tropical twilight urban velvet viva vivid
  volcanic warm wave winter woodland`.split(/\s+/),
);

/** Names of colours that hold no colour. */
const COLOUR_PHRASES = [
  'arctic dawn',
  'aura glow',
  'black beauty',
  'bora purple',
  'caneel bay',
  'celadon marble',
  'cloud navy',
  'desert titanium',
  'kinda coral',
  'natural titanium',
  'mocha mousse',
  'not pink',
  'oh so orange',
  'polar night',
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
