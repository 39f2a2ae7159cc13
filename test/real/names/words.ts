import { readCases } from '../../support/cases.ts';

type WordList =
  | 'accessories'
  | 'editions'
  | 'knownColours'
  | 'namedGrades'
  | 'networkNames'
  | 'notPhones'
  | 'openWords'
  | 'otherGrades'
  | 'shopColours'
  | 'trade'
  | 'modelWords'
  | 'generationWords'
  | 'refurbishedWords'
  | 'ramForms'
  | 'ramFormsWithPlus'
  | 'openRamForms'
  | 'waysBesideColumns'
  | 'waysToNoMatch';

/**
 * Words that shops put into names, by what INPUTS "Matching" says of them: named grades and known colours are in it, open
 * words and other grades are not. `waysToNoMatch` are the ways of writing that mostly end in no match.
 */
export const WORDS = readCases(import.meta.dirname, 'words.json') as Readonly<Record<WordList, readonly string[]>>;
