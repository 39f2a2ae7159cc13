import { PRODUCT_FIELDS } from '../../data/field/field.ts';
import { imageKey, type ImageKey } from '../../data/field/image.ts';
import { RESOURCE_WORDS, type ResourceWord } from '../../data/query/endpoint.ts';
import { EXPANSION_WORDS, FIELD_WORDS, IMAGE_WORDS, PREFIXED_EXPANSIONS } from '../../data/query/vocabulary.ts';
import { GROUP_ROWS, type Projection } from './query.ts';
import type { QueryIssues } from './query-issue.ts';
import { tokenize } from './query-string.ts';

const MEANING: ReadonlyMap<string, string> = new Map(PREFIXED_EXPANSIONS.map(({ word, means }) => [word, means]));

/** Reads `expand=` of a resource (spec §4.1). */
export function parseExpand(text: string, resource: ResourceWord, issues: QueryIssues): ReadonlySet<string> {
  const known = EXPANSION_WORDS[resource].map(({ word }) => word);
  const words = parseWords('expand', text, resource, known, issues);
  return new Set(Array.from(words, (word) => MEANING.get(word) ?? word));
}

/** Reads `fields=` of a resource into the chosen attributes of each group (spec §4.2, D7). */
export function parseFields(text: string, resource: ResourceWord, issues: QueryIssues): Projection {
  const known = FIELD_WORDS[resource].map(({ word }) => word);
  const words = parseWords('fields', text, resource, known, issues);
  const choose = <Key>(fields: readonly { readonly word: string; readonly key: Key }[]): readonly Key[] | undefined => {
    const chosen = fields.filter(({ word }) => words.has(word)).map(({ key }) => key);
    return chosen.length === 0 ? undefined : chosen;
  };
  return {
    attributes: choose(PRODUCT_FIELDS),
    ...Object.fromEntries(GROUP_ROWS.map(([group, { fields }]) => [group, choose(fields)])),
    images: selectImages(words, resource, text, issues),
  };
}

/** Views x sizes x formats of the words listed; all three axes or none (spec §4.2). */
function selectImages(
  words: ReadonlySet<string>,
  resource: ResourceWord,
  text: string,
  issues: QueryIssues,
): readonly ImageKey[] | undefined {
  const axes = IMAGE_WORDS[resource];
  const view = axes.view.filter((word) => words.has(word));
  const size = axes.size.filter((word) => words.has(word));
  const format = axes.format.filter((word) => words.has(word));
  const missing = Object.entries({ view, size, format }).filter(([, chosen]) => chosen.length === 0);
  if (missing.length === 3) return undefined;
  if (missing.length > 0) {
    const words = missing.map(([name]) => [name, axes[name as keyof typeof axes] as readonly string[]] as const);
    // The axis is listed: `size` is also a word, that of the dimensions.
    const lists = words.map(([name, of]) => `a ${name} (${of.join(', ')})`);
    const expected = `at least one view, one size and one format for images; missing: ${lists.join(' and ')}`;
    const allowed = words.flatMap(([, of]) => of);
    return issues.add('incomplete-image-selection', 'fields', expected, text, { allowed });
  }
  return view.flatMap((v) => size.flatMap((s) => format.map((f) => imageKey(s, v, f))));
}

/** The whole projection. Where `fields` names an expanded group, it narrows it (D6). */
export function joinProjection(expansions: ReadonlySet<string>, fields: Projection): Projection {
  const groups = GROUP_ROWS.map(([group, { word }]) => [
    group,
    fields[group] ?? (expansions.has(word) ? 'whole' : undefined),
  ]);
  return { attributes: fields.attributes, ...Object.fromEntries(groups) };
}

/**
 * Parses a list of words such as `products(content,images)` (spec §4.1, §4.2). Braces may stand for the parentheses, and the
 * wrapper may be left out (D5). Returns the known words; every other word is an issue.
 */
function parseWords(
  parameter: string,
  text: string,
  resource: ResourceWord,
  known: readonly string[],
  issues: QueryIssues,
): ReadonlySet<string> {
  const expected = `${resource}(<word>,<word>,…)`;
  // A word listed twice counts once, a misspelled one too (D4).
  const words = new Set(openWrapper(parameter, text.trim(), resource, expected, issues));
  const knownWords = new Set(known);
  for (const word of words) {
    if (knownWords.has(word)) continue;
    words.delete(word);
    if (word === '') issues.add('malformed-value', parameter, `${expected} without an empty word`, text);
    else issues.addUnknown('unknown-value', parameter, word, known, `one of the words of ${parameter}`);
  }
  return words;
}

const BRACKET = /[(){}]/;

/** The words between the brackets, or those of a list without wrapper; none when the text is malformed. */
function openWrapper(
  parameter: string,
  text: string,
  resource: ResourceWord,
  expected: string,
  issues: QueryIssues,
): readonly string[] {
  const items = tokenize(text);
  if (items.every((item) => item?.bracket === '')) return items.map((item) => item?.name ?? '');
  const [wrapper, ...others] = items;
  if (wrapper === undefined || others.length > 0 || wrapper.name === '' || BRACKET.test(wrapper.list.join())) {
    issues.add('malformed-value', parameter, expected, text);
    return [];
  }
  const { name, list } = wrapper;
  if (name === resource) return list;
  const only = { allowed: [resource], suggestion: resource };
  issues.add('unknown-value', parameter, `the wrapper ${resource}(…)`, name, only);
  // The words of another resource would only give further issues.
  return (RESOURCE_WORDS as readonly string[]).includes(name) ? [] : list;
}
