import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseJoinedText, type JoinedText } from '../feed/text-pattern.ts';
import { markdownToText } from '../source/clean-text.ts';
import { BrokenReference, CmsEntry, CmsMarkup } from './adapter.ts';
import { CMS_FIELDS, ENTITY_NOUNS, ENTITY_TYPES, SLUG_FIELDS, type CmsFieldKind, type EntityType } from './fields.ts';

const pathSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parsePath(text) !== undefined);

const pathsSchema = z.union([pathSchema, z.array(pathSchema).min(1).max(20)]);
const constantSchema = z.string().min(1).max(1_000);

const settingSchema = z.union([
  pathsSchema,
  z.strictObject({ constant: z.union([constantSchema, z.array(constantSchema).max(1_000)]) }),
  z.strictObject({ hashed: pathSchema }),
  z.strictObject({ from: pathsSchema, values: z.record(z.string().max(1_000), z.string().max(1_000)) }),
]);

const slugSettingSchema = z.strictObject({
  slugOf: z
    .string()
    .min(1)
    .max(500)
    .refine((text) => parseJoinedText(text)?.names.every((name) => parsePath(name) !== undefined) === true),
});

/** The setting that says where a field comes from; null leaves it empty. */
type FieldRuleSetting = z.infer<typeof settingSchema> | z.infer<typeof slugSettingSchema> | null;

/** One message for all errors of a rule: that of a union names one alternative only. */
const RULE_FORMS =
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"}';

const fieldRuleSchema = ruleSchema('fieldRule', settingSchema.nullable(), `${RULE_FORMS} or null`);

/** The rule of a field that is a slug. */
const slugRuleSchema = ruleSchema(
  'slugRule',
  z.union([settingSchema, slugSettingSchema]).nullable(),
  `${RULE_FORMS}, {"slugOf": "name"}, {"slugOf": "{name} {storage}"} or null`,
);

/** @param id the name in JSON Schemas */
function ruleSchema(id: string, schema: z.ZodType, expected: string): z.ZodType<FieldRuleSetting> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return z.custom<FieldRuleSetting>((value) => schema.safeParse(value).success, expected).meta({ id, ...shape });
}

/** The mapping of a list, as the configuration writes it. */
interface ListSettings {
  readonly type?: string | undefined;
  readonly fields: Readonly<Record<string, FieldRuleSetting | undefined>>;
  readonly feedIds?: Readonly<Record<string, FieldRuleSetting>> | undefined;
}

export type MappingSettings = Readonly<Partial<Record<EntityType, ListSettings | undefined>>>;

/** The rules of the fields of each list: one definition in JSON Schemas for all adapters. */
const fieldSettings = Object.fromEntries(
  ENTITY_TYPES.map((list) => {
    const rules = [...CMS_FIELDS[list].keys()].map((name) => {
      const rule = SLUG_FIELDS.includes(name) ? slugRuleSchema : fieldRuleSchema;
      return [name, rule.optional()] as const;
    });
    return [list, z.strictObject(Object.fromEntries(rules)).meta({ id: `${list}Fields` })];
  }),
);

/**
 * The setting `mapping` of an adapter.
 *
 * @param type the name of a content type
 * @param products an example
 */
export function mappingSchema(products: object, type = z.string().min(1).max(200)) {
  const lists = ENTITY_TYPES.map((list) => {
    const mapped = { type: type.optional(), fields: (fieldSettings[list] as z.ZodObject).prefault({}) };
    const feedIds = z.record(z.string().max(50), fieldRuleSchema).optional();
    return [list, z.strictObject(list === 'manufacturers' ? mapped : { ...mapped, feedIds }).optional()];
  });
  const schema = z
    .strictObject(Object.fromEntries(lists) as Readonly<Record<EntityType, z.ZodType>>)
    .refine((mapping) => Object.values(mapping).some((list) => list !== undefined), {
      error: `at least one of ${ENTITY_TYPES.join(', ')}`,
    })
    .meta({
      description:
        'the lists that are read, each with its type in the CMS, and the fields that convention does not find',
      examples: [{ products }],
    });
  // The lists have one type, although manufacturers lack `feedIds`.
  return schema as z.ZodType<MappingSettings>;
}

/** The example of a mapping for a CMS without numeric ids. */
export const MAPPING_EXAMPLE = { type: 'phone', fields: { id: { hashed: 'sys.id' } } };

/** Ids are decimal digits that never change. WordPress has such ids; for other CMSs a mapping must name the field. */
export function checkMappedIds(settings: { readonly mapping: MappingSettings }, check: z.core.$RefinementCtx): void {
  for (const list of ENTITY_TYPES) {
    const fields = settings.mapping[list]?.fields;
    if (fields === undefined || list === 'manufacturers' || fields['id'] !== undefined) continue;
    check.addIssue({
      code: 'custom',
      path: ['mapping', list, 'fields', 'id'],
      message:
        'the field that holds decimal digits which never change, such as "sku", or {"hashed": "slug"} for a number made of a text that never changes',
      input: undefined,
    });
  }
}

/** The mapping of a CMS where the configuration does not set it. */
export interface Convention {
  /** The content type of a list, whose records are called `noun`. */
  typeOf(noun: string): string;
  /** The paths of our fields, of any list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The path of the time of creation; absent where ids increase with each entry. */
  readonly createdAt?: string;
  /** An editor types lists into a cell, and Excel writes `101.0` for an id. */
  readonly isSpreadsheet?: boolean;
}

/** How the entries of one type become the records of one list. */
export interface EntityMapping {
  readonly list: EntityType;
  readonly type: string;
  /** Our fields, `content.heading` or `matches.feedIds.awin`, each with the rule that fills it. */
  readonly fields: readonly { readonly name: string; readonly kind: CmsFieldKind; readonly rule: FieldRule }[];
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
    if (setting === undefined) return conventional && pathRule(conventional);
    // The parts of a slug are our fields other than slugs, or paths.
    return compileRule(setting, (part) =>
      CMS_FIELDS[list].has(part) && !SLUG_FIELDS.includes(part) ? ruleOf(list, part) : undefined,
    );
  };
  const lists = ENTITY_TYPES.flatMap((list): EntityMapping[] => {
    const listSettings = settings[list];
    if (listSettings === undefined) return [];
    const fields = [...CMS_FIELDS[list]].flatMap(([name, kind]): EntityMapping['fields'] => {
      const rule = ruleOf(list, name);
      const feeds = kind === 'feedIds' ? Object.entries(listSettings.feedIds ?? {}) : [];
      return [
        ...(rule === undefined ? [] : [{ name, kind, rule }]),
        ...feeds.flatMap(([feed, setting]) =>
          setting === null ? [] : [{ name: `${name}.${feed}`, kind: 'ids' as const, rule: compileRule(setting) }],
        ),
      ];
    });
    return [{ list, type: listSettings.type ?? convention.typeOf(ENTITY_NOUNS[list]), fields }];
  });
  return {
    lists,
    idOfGift: ruleOf('gifts', 'id'),
    slugOfManufacturer: ruleOf('manufacturers', 'slug'),
    createdAt: convention.createdAt === undefined ? undefined : pathRule([convention.createdAt]),
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
function compileRule(
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
  return { texts, paths: texts.map((text) => parsePath(text) ?? []) };
}

/**
 * Reads the first path that has a value; undefined when none has. For a slug the value is the text to make it from.
 *
 * @param isProse the field is a text for people: markup becomes plain text
 * @param onBroken gets the target of each broken reference on the path
 */
export function applyRule(
  rule: FieldRule,
  entry: CmsEntry,
  isProse = false,
  onBroken: (target: string) => void = () => {},
): unknown {
  if (rule.constant !== undefined) return rule.constant;
  if (rule.slug !== undefined) {
    const { text, rules } = rule.slug;
    return text.fill((name) => {
      const part = rules.get(name);
      const values = [part && applyRule(part, entry)].flat();
      return values.filter((item) => typeof item === 'string' || typeof item === 'number').join(' ') || undefined;
    });
  }
  const read = (item: unknown): unknown => {
    if (item instanceof CmsMarkup) return translate(rule, isProse ? markdownToText(item.raw) : item.raw);
    return translate(rule, item);
  };
  for (const path of rule.paths) {
    const found = readPath(entry, path);
    if (!Array.isArray(found) && !(found instanceof BrokenReference)) {
      if (found !== undefined) return read(found);
      continue;
    }
    const alive: unknown[] = [];
    for (const item of [found].flat() as unknown[]) {
      if (item instanceof BrokenReference) onBroken(item.target);
      else alive.push(item);
    }
    if (alive.length > 0) return alive.map(read);
  }
  return undefined;
}

function translate({ isHashed, values }: FieldRule, item: unknown): unknown {
  if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean') return item;
  if (isHashed) return typeof item === 'boolean' ? item : hashToDigits(String(item));
  return values?.get(String(item).trim().toLowerCase()) ?? item;
}

/** The steps of a path into an entry: the name of a field, or an index in a list. */
type CmsPath = readonly (string | number)[];

const PATH_STEP = /(?:^|\.)([^.[\]]{1,200})|\[([0-9]{1,4})\]|(?:^|\.)?\["([^"]{1,200})"\]/y;

/** Parses `seo.metaTitle`, `gallery[0]` or `meta["a.b"]`; undefined when the text is not a path. */
function parsePath(text: string): CmsPath | undefined {
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
function readPath(entry: CmsEntry, path: CmsPath): unknown {
  let value: unknown = entry;
  for (const step of path) {
    if (typeof step === 'string') value = stepInto(value, step);
    else if (Array.isArray(value)) value = value[step];
    else if (step > 0) return undefined;
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

/** Whether an editor has emptied the field. */
function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isBlank(item));
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The first 60 bits of the SHA-256 as a decimal number: an id for a CMS without numeric ids. */
export function hashToDigits(text: string): string {
  return BigInt(`0x${hash('sha256', text).slice(0, 15)}`).toString();
}
