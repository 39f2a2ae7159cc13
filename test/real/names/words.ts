import words from './fixture/words.json' with { type: 'json' };

/**
 * Words that shops put into names, by what INPUTS "Matching" says of them: named grades and known colours are in it, open
 * words and other grades are not. `waysToNoMatch` are the ways of writing that mostly end in no match.
 */
export const WORDS = words;
