import { hash } from 'node:crypto';
import { parseJoinedText, type JoinedText } from '../feed/text-pattern.ts';
import { BrokenReference, CmsEntry, CmsMarkup } from './adapter.ts';
import {
  CMS_FIELDS,
  ENTITY_NOUNS,
  ENTITY_TYPES,
  SLUG_FIELDS,
  type CmsFieldKind,
  type Convention,
  type EntityType,
} from './fields.ts';
import type { FieldRuleSetting, MappingSettings } from './settings.ts';

/** A field of our records with the rule that fills it. */
interface MappedField {
  /** `content.heading`, `matches.feedIds.awin` */
  readonly name: string;
  readonly kind: CmsFieldKind;
  readonly rule: FieldRule;
}

/** How the entries of one type become the records of one list. */
export interface EntityMapping {
  readonly list: EntityType;
  readonly type: string;
  readonly fields: readonly MappedField[];
}

/** How the entries of an export become records. */
export interface CmsMapping {
  readonly lists: readonly EntityMapping[];
  /** The rules for linked entries, also when their list is not read. */
  readonly idOfGift: FieldRule | undefined;
  readonly slugOfManufacturer: FieldRule | undefined;
  /** The time of creation. */
  readonly createdAt: FieldRule | undefined;
  readonly isSpreadsheet: boolean;
}

/** Compiles the mapping of a configuration; the convention of the CMS fills the gaps. */
export function compileMapping(settings: MappingSettings, convention: Convention): CmsMapping {
  const ruleOf = (list: EntityType, name: string): FieldRule | undefined => {
    const setting = settings[list]?.fields[name];
    if (setting === null) return undefined;
    const conventional = convention.fields[name];
    if (setting === undefined) return conventional && compileFieldRule([...conventional]);
    return compileFieldRule(setting, (part) => partRule(list, part));
  };
  // The parts of a slug are our fields other than slugs, or paths.
  const partRule = (list: EntityType, name: string): FieldRule | undefined =>
    CMS_FIELDS[list].has(name) && !SLUG_FIELDS.includes(name) ? ruleOf(list, name) : undefined;
  const lists = ENTITY_TYPES.flatMap((list): EntityMapping[] => {
    const listSettings = settings[list];
    if (listSettings === undefined) return [];
    const fields = [...CMS_FIELDS[list]].flatMap(([name, kind]): MappedField[] => {
      const rule = ruleOf(list, name);
      const feeds = kind === 'feedIds' ? Object.entries(listSettings.feedIds ?? {}) : [];
      return [
        ...(rule === undefined ? [] : [{ name, kind, rule }]),
        ...feeds.flatMap(([feed, setting]): MappedField[] =>
          setting === null ? [] : [{ name: `${name}.${feed}`, kind: 'ids', rule: compileFieldRule(setting) }],
        ),
      ];
    });
    return [{ list, type: listSettings.type ?? convention.typeOf(ENTITY_NOUNS[list]), fields }];
  });
  return {
    lists,
    idOfGift: ruleOf('gifts', 'id'),
    slugOfManufacturer: ruleOf('manufacturers', 'slug'),
    createdAt: convention.createdAt === undefined ? undefined : compileFieldRule(convention.createdAt),
    isSpreadsheet: convention.isSpreadsheet === true,
  };
}

export interface FieldRule {
  /** The paths as the configuration writes them, and their steps. */
  readonly texts: readonly string[];
  readonly paths: readonly CmsPath[];
  readonly constant?: string | readonly string[];
  /** The meaning of a text, by the text in lower case. */
  readonly values?: ReadonlyMap<string, string>;
  readonly isHashed?: true;
  /** The text to make a slug from, and the rules of its parts. */
  readonly slug?: { readonly text: JoinedText; readonly rules: ReadonlyMap<string, FieldRule> };
}

/** @param ruleOf the rule of another field, as a part of a slug */
function compileFieldRule(
  setting: Exclude<FieldRuleSetting, null>,
  ruleOf: (field: string) => FieldRule | undefined = () => undefined,
): FieldRule {
  if (typeof setting === 'string' || Array.isArray(setting)) return pathRule([setting].flat());
  if ('constant' in setting) return { ...pathRule([]), constant: setting.constant };
  if ('hashed' in setting) return { ...pathRule([setting.hashed]), isHashed: true };
  if ('slugOf' in setting) {
    const text = parseJoinedText(setting.slugOf);
    if (text === undefined) throw new Error(`slugOf ${setting.slugOf}: expected braces that fit`);
    const rules = new Map(text.names.map((name) => [name, ruleOf(name) ?? pathRule([name])]));
    return { ...pathRule(text.names), slug: { text, rules } };
  }
  const values = new Map(Object.entries(setting.values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  return { ...pathRule([setting.from].flat()), values };
}

function pathRule(texts: readonly string[]): FieldRule {
  return { texts, paths: texts.map((text) => parseCmsPath(text) ?? []) };
}

/**
 * Reads the first path that has a value; undefined when none has. For a slug the value is the text to make it from.
 *
 * @param isProse the field is a text for people: markup becomes plain text
 * @param onBroken gets the target of each broken reference on the path
 */
export function applyFieldRule(
  rule: FieldRule,
  entry: CmsEntry,
  isProse = false,
  onBroken: (target: string) => void = () => {},
): unknown {
  if (rule.constant !== undefined) return rule.constant;
  if (rule.slug !== undefined) return joinTexts(rule.slug, entry);
  for (const path of rule.paths) {
    const value = dropBrokenReferences(readCmsPath(entry, path), onBroken);
    if (value === undefined) continue;
    const read = (item: unknown): unknown => translate(rule, renderMarkup(item, isProse));
    return Array.isArray(value) ? value.map(read) : read(value);
  }
  return undefined;
}

function joinTexts({ text, rules }: NonNullable<FieldRule['slug']>, entry: CmsEntry): string | undefined {
  return text.fill((name) => {
    const rule = rules.get(name);
    const value = rule && applyFieldRule(rule, entry);
    const texts = [value].flat().filter((item) => typeof item === 'string' || typeof item === 'number');
    return texts.length === 0 ? undefined : texts.join(' ');
  });
}

function dropBrokenReferences(value: unknown, onBroken: (target: string) => void): unknown {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const alive = items.filter((item) => !(item instanceof BrokenReference));
  if (alive.length === items.length) return value;
  for (const item of items) if (item instanceof BrokenReference) onBroken(item.target);
  return alive.length === 0 ? undefined : alive;
}

function renderMarkup(item: unknown, isProse: boolean): unknown {
  if (!(item instanceof CmsMarkup)) return item;
  return isProse ? item.toPlain() : item.raw;
}

function translate({ isHashed, values }: FieldRule, item: unknown): unknown {
  if (typeof item === 'string' || typeof item === 'number') {
    return isHashed ? hashToDigits(String(item)) : (values?.get(String(item).trim().toLowerCase()) ?? item);
  }
  return typeof item === 'boolean' ? (values?.get(String(item)) ?? item) : item;
}

/** The steps of a path into an entry: the name of a field, or an index in a list. */
export type CmsPath = readonly (string | number)[];

const PATH_STEP = /(?:^|\.)([^.[\]]{1,200})|\[([0-9]{1,4})\]|(?:^|\.)?\["([^"]{1,200})"\]/y;

/** Parses `seo.metaTitle`, `gallery[0]` or `meta["a.b"]`; undefined when the text is not a path. */
export function parseCmsPath(text: string): CmsPath | undefined {
  const steps: (string | number)[] = [];
  PATH_STEP.lastIndex = 0;
  while (PATH_STEP.lastIndex < text.length) {
    const [, key, index, quoted] = PATH_STEP.exec(text) ?? [];
    const step = key ?? quoted ?? (index === undefined ? undefined : Number(index));
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return typeof steps[0] === 'string' ? steps : undefined;
}

/**
 * The value at a path; undefined when there is none. A name steps into every item of a list, so that `gifts.id` is the
 * list of their ids. Index 0 of a single value is the value: a field with one picture may get several later.
 */
export function readCmsPath(entry: CmsEntry, path: CmsPath): unknown {
  let value: unknown = entry;
  for (const step of path) {
    value = typeof step === 'number' ? itemAt(value, step) : stepInto(value, step);
    if (value === undefined) return undefined;
  }
  return isBlank(value) ? undefined : value;
}

function stepInto(value: unknown, key: string): unknown {
  if (value instanceof BrokenReference) return value;
  if (value instanceof CmsEntry) return value.get(key);
  if (Array.isArray(value)) {
    // Nested lists are skipped: they may have any depth.
    const found = value.flatMap((item) => (Array.isArray(item) ? [] : (stepInto(item, key) ?? [])));
    return found.length === 0 ? undefined : found;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function itemAt(value: unknown, index: number): unknown {
  if (Array.isArray(value)) return value[index];
  return index === 0 ? value : undefined;
}

/** Whether an editor has emptied the field. */
function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isBlank(item));
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The first 60 bits of the SHA-256 as a decimal number: an id for a CMS without numeric ids. */
export function hashToDigits(text: string): string {
  return BigInt(`0x${hash('sha256', text).slice(0, 15)}`).toString();
}
