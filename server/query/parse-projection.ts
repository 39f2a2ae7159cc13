import { CONTENT_FIELDS, META_DATA_FIELDS, PRODUCT_FIELDS } from '../../data/field/field.ts';
import { imageKey, type ImageKey } from '../../data/field/image.ts';
import { SPEC_FIELDS } from '../../data/field/spec.ts';
import { RESOURCE_WORDS, type ResourceWord } from '../../data/query/endpoint.ts';
import {
  FIELD_WORDS,
  GIFT_CATEGORY_EXPANSIONS,
  IMAGE_WORDS,
  PREFIXED_EXPANSIONS,
  PRODUCT_EXPANSIONS,
  type GiftCategoryExpansion,
  type ImageWords,
  type ProductExpansion,
} from '../../data/query/vocabulary.ts';
import type { QueryIssues } from './query-issue.ts';
import { GROUP_WORDS, GROUPS, type Projection } from './query.ts';
import { tokenize } from './tokenize.ts';

type Expansion = ProductExpansion | GiftCategoryExpansion;

/** What each word of `expand` means. */
const EXPANSIONS: Readonly<Record<'products' | 'giftcategories', ReadonlyMap<string, Expansion>>> = {
  products: new Map<string, Expansion>([
    ...PRODUCT_EXPANSIONS.map(({ word }) => [word, word] as const),
    ...PREFIXED_EXPANSIONS.map(({ word, means }) => [word, means] as const),
  ]),
  giftcategories: new Map(GIFT_CATEGORY_EXPANSIONS.map(({ word }) => [word, word])),
};

/** Reads `expand=` of a resource (spec §4.1). */
export function parseExpand(
  text: string,
  resource: 'products' | 'giftcategories',
  issues: QueryIssues,
): ReadonlySet<Expansion> {
  return parseWords('expand', text, resource, EXPANSIONS[resource], issues);
}

const FIELDS = Object.fromEntries(
  Object.entries(FIELD_WORDS).map(([resource, words]) => [resource, new Map(words.map(({ word }) => [word, word]))]),
) as unknown as Readonly<Record<ResourceWord, ReadonlyMap<string, string>>>;

/** Reads `fields=` of a resource into the chosen attributes of each group (spec §4.2, D7). */
export function parseFields(text: string, resource: ResourceWord, issues: QueryIssues): Projection {
  const words = parseWords('fields', text, resource, FIELDS[resource], issues);
  const choose = <Key>(fields: readonly { readonly word: string; readonly key: Key }[]): readonly Key[] | undefined => {
    const chosen = fields.filter(({ word }) => words.has(word)).map(({ key }) => key);
    return chosen.length === 0 ? undefined : chosen;
  };
  return {
    attributes: choose(PRODUCT_FIELDS),
    content: choose(CONTENT_FIELDS),
    metaData: choose(META_DATA_FIELDS),
    specs: choose(SPEC_FIELDS),
    images: selectImages(words, IMAGE_WORDS[resource], text, issues),
  };
}

/** Views x sizes x formats of the words listed; all three axes or none (spec §4.2). */
function selectImages(
  words: ReadonlySet<string>,
  known: ImageWords,
  text: string,
  issues: QueryIssues,
): readonly ImageKey[] | undefined {
  const views = known.view.filter((view) => words.has(view));
  const sizes = known.size.filter((size) => words.has(size));
  const formats = known.format.filter((format) => words.has(format));
  const axes = [
    { name: 'view', chosen: views, all: known.view },
    { name: 'size', chosen: sizes, all: known.size },
    { name: 'format', chosen: formats, all: known.format },
  ] as const;
  const missing = axes.filter(({ chosen }) => chosen.length === 0);
  if (missing.length === axes.length) return undefined;
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(' and ');
    const expected = `at least one view, one size and one format for images; missing: ${names}`;
    const allowed = missing.flatMap(({ all }): readonly string[] => all);
    return issues.add('incomplete-image-selection', 'fields', expected, text, allowed);
  }
  return views.flatMap((view) => sizes.flatMap((size) => formats.map((format) => imageKey(size, view, format))));
}

/**
 * The whole projection, in the order in which groups are written. Where `fields` names an expanded group, it narrows it
 * (D6).
 */
export function joinProjection(expansions: ReadonlySet<Expansion>, fields: Projection): Projection {
  const { attributes } = fields;
  const groups = GROUPS.map((group) => [
    group,
    fields[group] ?? (expansions.has(GROUP_WORDS[group]) ? 'whole' : undefined),
  ]);
  return { attributes, ...(Object.fromEntries(groups) as Omit<Projection, 'attributes'>) };
}

/**
 * Parses a list of words such as `products(content,images)` (spec §4.1, §4.2). Braces may stand for the parentheses, and the
 * wrapper may be left out (D5). Returns what the known words mean; every other word is an issue.
 */
function parseWords<Meaning extends string>(
  parameter: string,
  text: string,
  resource: ResourceWord,
  vocabulary: ReadonlyMap<string, Meaning>,
  issues: QueryIssues,
): ReadonlySet<Meaning> {
  const found = new Set<Meaning>();
  const expected = `${resource}(<word>,<word>,…)`;
  const list = openWrapper(parameter, text.trim(), resource, expected, issues);
  const unknown = new Set<string>();
  for (const word of list) {
    const meaning = vocabulary.get(word);
    // A word listed twice counts once, a misspelled one too (D4).
    if (meaning === undefined) unknown.add(word);
    else found.add(meaning);
  }
  for (const word of unknown) {
    if (word === '') issues.add('malformed-value', parameter, `${expected} without an empty word`, text);
    else issues.addUnknown(parameter, word, [...vocabulary.keys()], `one of the words of ${parameter}`);
  }
  return found;
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
  if (wrapper.name === resource) return wrapper.list;
  issues.addOther(parameter, wrapper.name, resource, `the wrapper ${resource}(…)`);
  // The words of another resource would only give further issues.
  return (RESOURCE_WORDS as readonly string[]).includes(wrapper.name) ? [] : wrapper.list;
}
