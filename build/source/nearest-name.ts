import { findNearestWord } from '../../data/query/edit-distance.ts';
import type { Notice } from '../../data/report/notice.ts';
import { quote } from './quote.ts';

/** The usual names of a field in the files of others. */
export type UsualNames = (field: string) => readonly string[];

/**
 * Suggests one of `names` for `name`: a usual header of it, a field that it is a usual header of, or a misspelling.
 * Undefined when two are equally near.
 */
export function findNearestName(
  name: string,
  names: readonly string[],
  usualNames: UsualNames = () => [],
): string | undefined {
  const isUsual = (field: string, header: string): boolean =>
    usualNames(field).some((usual) => foldName(usual) === foldName(header));
  const same = names.find((each) => foldName(each) === foldName(name));
  if (same !== undefined) return same;
  const usual = names.filter((each) => isUsual(each, name) || isUsual(name, each));
  if (usual.length > 0) return usual.length === 1 ? usual[0] : undefined;
  return findNearestWord(name, names);
}

/** `Monthly cost (£)`, `monthly_cost` and `Telcos:monthly_cost` are one name: `monthlycost`. */
export function foldName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/^[a-z]{1,20}:(?=.)/, '')
    .replace(/\([^()]*\)$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The end of a sentence about an unknown word: the known one that was probably meant, or all of them. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = findNearestWord(word, known);
  return nearest === undefined ? `; expected one of ${known.join(', ')}` : `; did you mean ${quote(nearest)}?`;
}

/** The facts of a notice about a column or key that is not read. */
export function unreadName(
  name: string,
  nearest: string | undefined,
  expected?: string,
): Pick<Notice, 'field' | 'expected' | 'remedy'> {
  const field = name.slice(0, 200);
  if (nearest === undefined) return { field, ...(expected !== undefined && { expected }) };
  return { field, expected: `perhaps ${nearest}`, remedy: `if it should be read, call it ${quote(nearest)}` };
}
