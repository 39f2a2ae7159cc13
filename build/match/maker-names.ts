import { isColourWord, isOfModel, type PhoneMaker, PHONES, startsAt, VARIANTS } from './phone-words.ts';
import { parseNameWords } from './name-words.ts';

/** How names spell a maker, and the series that may be missing next to it. */
export interface MakerNames extends Pick<PhoneMaker, 'series' | 'unsaid'> {
  readonly phrases: readonly (readonly string[])[];
  /** The spellings of the parent brand: ignored when the maker itself is named. */
  readonly parentPhrases: readonly (readonly string[])[];
  /** Whether the series may be missing before these words of a model. */
  leavesOutSeries(words: readonly string[]): boolean;
  /** Its models that are sold both with and without 5G. */
  readonly bothForms: readonly BothForms[];
}

/** An entry of `soldInBothForms`. */
interface BothForms {
  readonly words: readonly string[];
  /** The last word may have more letters. */
  readonly isOpen: boolean;
  /** It includes the variants of the model. */
  readonly withVariants: boolean;
}

/** By the slug of the maker. */
const BOTH_FORMS: ReadonlyMap<string, readonly BothForms[]> = new Map(
  Object.entries(PHONES.soldInBothForms).map(([maker, models]) => [
    maker,
    models.map((text) => ({
      words: parseNameWords(text.replace(/[*+].*/, '')).words,
      isOpen: text.includes('*'),
      withVariants: text.endsWith('+'),
    })),
  ]),
);

/** The names of the maker with this slug. An unknown maker has its own name only. */
export function createMakerNames(slug = '', name = slug): MakerNames {
  const known = PHONES.makers.find((maker) => maker.slug === slug.replaceAll('-', ''));
  const parent = PHONES.makers.find((maker) => maker.slug === known?.parent);
  const unsaidModels = new RegExp(known?.unsaidModels ?? '');
  return {
    phrases: toPhrases([name, slug, ...(known?.spellings ?? [])]),
    parentPhrases: toPhrases(parent?.spellings ?? []),
    series: known?.series ?? [],
    unsaid: known?.unsaid,
    leavesOutSeries: (words) => known?.unsaid !== undefined && unsaidModels.test(words.join(' ')),
    bothForms: BOTH_FORMS.get(parent?.slug ?? known?.slug ?? '') ?? [],
  };
}

/** Longest first, so that `one plus` is read before `one`. */
function toPhrases(spellings: readonly string[]): readonly (readonly string[])[] {
  const phrases = [...new Set(spellings)].map((spelling) => parseNameWords(spelling).words);
  return phrases.filter((phrase) => phrase.length > 0).toSorted((a, b) => b.length - a.length);
}

const SERIES: ReadonlySet<string> = new Set(PHONES.makers.flatMap(({ series }) => series));

/** Whether the word tells the maker of a phone by itself: `Galaxy`. */
export function isSeriesWord(word: string): boolean {
  return SERIES.has(word);
}

/** The words of a name without its maker and without a series that may be missing. */
interface MakerlessWords {
  readonly words: readonly string[];
  readonly saysMaker: boolean;
  readonly saysSeries: boolean;
}

/** Removes the maker and the series that may be missing, and says whether they were there. */
export function withoutMaker(words: readonly string[], maker: MakerNames): MakerlessWords {
  const core = withoutPhrases(words, maker.phrases);
  const saysMaker = core.length < words.length;
  const own = saysMaker ? withoutPhrases(core, maker.parentPhrases) : core;
  const others = own.filter((word) => word !== maker.unsaid);
  const saysSeries = others.length < own.length && maker.leavesOutSeries(others);
  return { words: saysSeries ? others : own, saysMaker, saysSeries };
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

/** A later edition of a model is sold in both forms too: `Moto G (2nd gen)`, `Galaxy A13 (2022)`. */
const YEAR_OR_GENERATION = /^(?:202[1-9]|[1-9](?:st|nd|rd|th)|gen)$/;

/** Whether the model is sold both with and without 5G, or is a variant of one that is. */
export function isInBothForms(coreWords: readonly string[], maker: MakerNames): boolean {
  const core = coreWords.filter((word) => isOfModel(word));
  const [brand = []] = maker.phrases;
  // A series that may be missing, or the maker itself, may be a word of the listed model: `Redmi`.
  const spellings = [
    core,
    [...brand, ...core],
    ...(maker.leavesOutSeries(core) ? [[maker.unsaid ?? '', ...core]] : []),
  ];
  return maker.bothForms.some((model) => spellings.some((words) => isVariantOf(words, model)));
}

function isVariantOf(words: readonly string[], { words: named, isOpen, withVariants }: BothForms): boolean {
  const begins = named.every((word, i) => {
    const own = words[i] ?? '';
    return isOpen && i === named.length - 1 ? own.startsWith(word) && !/\p{L}{2}/u.test(own) : own === word;
  });
  const mayFollow = (word: string): boolean =>
    (withVariants && VARIANTS.has(word)) || isColourWord(word) || YEAR_OR_GENERATION.test(word);
  return begins && words.slice(named.length).every(mayFollow);
}
