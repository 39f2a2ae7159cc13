import type { Condition } from './product.ts';

/** Words about the condition of a phone, and the condition that they mean, if any (INPUTS "Matching", "Condition"). */
interface ConditionPhrase {
  readonly words: readonly string[];
  readonly says?: Condition;
  /** A grade may be a word of a model's name too: `Note Pristine`. */
  readonly isGrade?: true;
}

/** Grades that state a condition without any other word. */
const GRADES = splitWords('very good, pristine, excellent, good, fair, acceptable, superb, immaculate, flawless');

/** Grades that state one next to `condition` or `grade`. */
const GRADES_BESIDE_CONDITION = splitWords(
  'excellent, very good, good, fair, acceptable, pristine, superb, mint, perfect, great',
);

const NOT_NEW = [
  ...splitWords(`as good as new, good as new, like new, as new, nearly new, almost new, opened never used, pre owned, preowned, pre loved,
    preloved, pre used, second hand, secondhand, 2nd hand, open box, opened box, box opened, ex display, ex demo, ex demonstration,
    ex lease, b stock, refurbished, refurb, refurbed, reconditioned, recertified, remanufactured, renewed, used, cpo`),
  ...splitWords('certified, manufacturer, seller, professionally, fully, apple, approved').flatMap((by) =>
    splitWords('refurbished, renewed, pre owned, used').map((state) => `${by} ${state}`),
  ),
  ...['a', 'b', 'c', 'd'].flatMap((letter) =>
    ['', ' plus', ' minus', '1', '2'].flatMap((sign) => [
      ...['grade', 'graded', 'class'].map((word) => `${word} ${letter}${sign}`),
      ...['grade', 'graded', 'class', 'condition'].map((word) => `${letter}${sign} ${word}`),
    ]),
  ),
  ...GRADES_BESIDE_CONDITION.flatMap((grade) => [`${grade} condition`, `condition ${grade}`, `${grade} grade`]),
];

/** The phrases by their first word; longest first, and grades last. */
const PHRASES_BY_WORD = new Map<string, ConditionPhrase[]>();
for (const phrase of [
  ...NOT_NEW.map((text): ConditionPhrase => ({ words: text.split(' '), says: 'refurbished' })),
  ...splitWords('brand new and sealed, brand new sealed, brand new, new and sealed, new sealed, new').map(
    (text): ConditionPhrase => ({ words: text.split(' '), says: 'new' }),
  ),
  // This word alone means no condition.
  { words: ['condition'] },
  ...GRADES.map((text): ConditionPhrase => ({ words: text.split(' '), says: 'refurbished', isGrade: true })),
].toSorted((a, b) => Number(a.isGrade ?? 0) - Number(b.isGrade ?? 0) || b.words.length - a.words.length)) {
  const [first = ''] = phrase.words;
  const known = PHRASES_BY_WORD.get(first);
  if (known === undefined) PHRASES_BY_WORD.set(first, [phrase]);
  else known.push(phrase);
}

/** Parts of words that say it too: `refurbishment`. */
const NOT_NEW_STEM = /refurb|recondition|remanufactur|recertif/;

/**
 * Whether a title, category or link says that a phone is not new (INPUTS "Matching", "Condition"). A grade counts at the
 * end only (`Galaxy S21 128GB Excellent`): within a title it may be a word of a model's name, or of an offer.
 */
export function saysNotNew(text: string): boolean {
  const lower = text.toLowerCase();
  if (NOT_NEW_STEM.test(lower)) return true;
  const words = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some((word, start) =>
    PHRASES_BY_WORD.get(word)?.some(
      (phrase) =>
        phrase.says === 'refurbished' &&
        phrase.words.every((each, i) => words[start + i] === each) &&
        (phrase.isGrade !== true || start + phrase.words.length === words.length),
    ),
  );
}

const GRADE_WORDS: ReadonlySet<string> = new Set(GRADES.flatMap((grade) => grade.split(' ')));

/** Whether the word is a grade that some model may have in its name. */
export function isGrade(word: string): boolean {
  return GRADE_WORDS.has(word);
}

/** The longest phrase about a condition that begins at `position` of `words`. */
export function findConditionAt(
  words: readonly string[],
  position: number,
  isModelGrade: (grade: string, words: readonly string[]) => boolean,
): ConditionPhrase | undefined {
  return PHRASES_BY_WORD.get(words[position] as string)?.find(
    (phrase) =>
      phrase.words.every((word, i) => words[position + i] === word) &&
      !(phrase.isGrade === true && phrase.words.some((grade) => isModelGrade(grade, words))),
  );
}

function splitWords(text: string): readonly string[] {
  return text.split(/,\s+/);
}
