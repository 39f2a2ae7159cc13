import { isColourWord } from './colours.ts';
import { isOfModel, parseNameWords, startsAt, VARIANTS } from './name-words.ts';
import { MODELS_WITH_AND_WITHOUT_5G, PHONE_MAKERS } from './phone-makers.ts';

/** Words that tell the maker of a phone by themselves. */
const SERIES: ReadonlySet<string> = new Set(PHONE_MAKERS.flatMap(({ series }) => series));

/** How names spell a maker, and the series that may be missing next to it. */
export interface MakerNames {
  readonly phrases: readonly (readonly string[])[];
  /** The spellings of the parent brand: ignored when the maker itself is named. */
  readonly parentPhrases: readonly (readonly string[])[];
  /** `galaxy`, for Samsung. */
  readonly unsaid: string | undefined;
  readonly unsaidModels: RegExp | undefined;
  /** Words that tell the maker by themselves. */
  readonly series: readonly string[];
  /** The key of the maker in `MODELS_WITH_AND_WITHOUT_5G`. */
  readonly listed: string | undefined;
}

/** The words of a name without its maker and without a series that may be missing. */
export interface MakerlessWords {
  readonly words: readonly string[];
  readonly saysMaker: boolean;
  readonly saysSeries: boolean;
}

/** The names of the maker with this slug; an unknown maker has none. */
export function createMakerNames(slug = '', name = slug): MakerNames {
  const known = PHONE_MAKERS.find((maker) => maker.slug === slug.replaceAll('-', ''));
  const parent = PHONE_MAKERS.find((maker) => maker.slug === known?.parent);
  return {
    phrases: toPhrases([name, slug, ...(known?.spellings ?? [])]),
    parentPhrases: toPhrases(parent?.spellings ?? []),
    unsaid: known?.unsaid,
    unsaidModels: known?.unsaidModels,
    series: known?.series ?? [],
    listed: known?.parent ?? known?.slug,
  };
}

/** Whether the word tells the maker of a phone by itself: `Galaxy`. */
export function isSeriesWord(word: string): boolean {
  return SERIES.has(word);
}

/** Removes the maker and the series that may be missing, and says whether they were there. */
export function withoutMaker(
  words: readonly string[],
  { phrases, parentPhrases, unsaid, unsaidModels }: MakerNames,
): MakerlessWords {
  const core = withoutPhrases(words, phrases);
  const saysMaker = core.length < words.length;
  const ownCore = saysMaker && parentPhrases.length > 0 ? withoutPhrases(core, parentPhrases) : core;
  const others = unsaid === undefined ? ownCore : ownCore.filter((word) => word !== unsaid);
  const bare = unsaidModels === undefined || unsaidModels.test(others.join(' ')) ? others : ownCore;
  return { words: bare, saysMaker, saysSeries: bare.length < ownCore.length };
}

function withoutPhrases(words: readonly string[], phrases: readonly (readonly string[])[]): readonly string[] {
  const left: string[] = [];
  for (let i = 0; i < words.length;) {
    const phrase = phrases.find((candidate) => startsAt(words, i, candidate));
    if (phrase === undefined) left.push(words[i++] as string);
    else i += phrase.length;
  }
  return left;
}

/** Longest first, so that `one plus` is read before `one`. */
function toPhrases(spellings: readonly string[]): readonly (readonly string[])[] {
  const phrases = [...new Set(spellings)].map((spelling) => parseNameWords(spelling).words);
  return phrases.filter((phrase) => phrase.length > 0).toSorted((a, b) => b.length - a.length);
}

const DUAL_FORMS: ReadonlyMap<string, readonly DualForm[]> = new Map(
  Object.entries(MODELS_WITH_AND_WITHOUT_5G).map(([maker, models]) => [
    maker,
    models.map((model) => readDualForm(model)),
  ]),
);

/** A later edition of a model is sold in both forms too: `Moto G (2nd gen)`, `Galaxy A13 (2022)`. */
const YEAR_OR_GENERATION = /^(?:202[1-9]|[1-9](?:st|nd|rd|th)|gen)$/;

/** An entry of `MODELS_WITH_AND_WITHOUT_5G`. */
interface DualForm {
  readonly words: readonly string[];
  /** The last word may have more letters. */
  readonly isOpen: boolean;
  /** It includes the variants of the model. */
  readonly withVariants: boolean;
}

function readDualForm(text: string): DualForm {
  const [model = ''] = text.split(/[*+]/, 1);
  return { words: parseNameWords(model).words, isOpen: text.includes('*'), withVariants: text.endsWith('+') };
}

/** Whether the model is one of the list, or a variant of one. */
export function isInBothForms(
  coreWords: readonly string[],
  { listed, phrases, unsaid, unsaidModels }: MakerNames,
): boolean {
  if (listed === undefined) return false;
  const core = coreWords.filter((word) => isOfModel(word));
  const [brand = []] = phrases;
  const leavesOutSeries = unsaid !== undefined && unsaidModels?.test(core.join(' ')) !== false;
  // A series that may be missing, or the maker itself, may be a word of the listed model: `Redmi`.
  const spellings = [core, [...brand, ...core], ...(leavesOutSeries ? [[unsaid, ...core]] : [])];
  return (DUAL_FORMS.get(listed) ?? []).some((model) => spellings.some((words) => isVariantOf(words, model)));
}

function isVariantOf(words: readonly string[], { words: named, isOpen, withVariants }: DualForm): boolean {
  const begins = named.every((word, i) => {
    const own = words[i] ?? '';
    return isOpen && i === named.length - 1 ? own.startsWith(word) && !/\p{L}{2}/u.test(own) : own === word;
  });
  return (
    begins &&
    words
      .slice(named.length)
      .every((word) => (withVariants && VARIANTS.has(word)) || isColourWord(word) || YEAR_OR_GENERATION.test(word))
  );
}
