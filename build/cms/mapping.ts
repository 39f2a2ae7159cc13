import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseJoinedText } from '../feed/text-pattern.ts';
import { valueAt } from '../source/json.ts';
import { BrokenReference, CmsEntry } from './adapter.ts';
import { CMS_FIELDS, ENTITY_NOUNS, ENTITY_TYPES, type CmsFieldKind, type EntityType } from './fields.ts';

const pathSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parsePath(text) !== undefined);

const pathsSchema = z.union([pathSchema, z.array(pathSchema).min(1).max(20)]);
const constantSchema = z.string().min(1).max(1_000);

const slugOfSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parseJoinedText(text)?.names.every((name) => parsePath(name) !== undefined) === true);

const settingSchema = z
  .union([
    pathsSchema,
    z.strictObject({ constant: z.union([constantSchema, z.array(constantSchema).max(1_000)]) }),
    z.strictObject({ from: pathsSchema, values: z.record(z.string().max(1_000), z.string().max(1_000)) }),
    z.strictObject({ hashed: pathSchema }),
    z.strictObject({ slugOf: slugOfSchema }),
  ])
  .nullable();

/** The setting that says where a field comes from; null leaves it empty. */
type FieldRuleSetting = z.infer<typeof settingSchema>;

/** One message for all errors of a rule: that of a union names one alternative only. */
const RULE_FORMS =
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"}, {"slugOf": "{name} {storage}"} or null';

const { $schema: _, ...ruleShape } = z.toJSONSchema(settingSchema, { io: 'input' });

const fieldRuleSchema = z
  .custom<FieldRuleSetting>((value) => settingSchema.safeParse(value).success, RULE_FORMS)
  .meta({ id: 'fieldRule', ...ruleShape });

/** The mapping of a list, as the configuration writes it. */
interface ListSettings {
  readonly type?: string | undefined;
  readonly fields: Readonly<Record<string, FieldRuleSetting | undefined>>;
  readonly feedIds?: Readonly<Record<string, FieldRuleSetting>> | undefined;
}

export type MappingSettings = Readonly<Partial<Record<EntityType, ListSettings | undefined>>>;

const listSettings = ENTITY_TYPES.map((list) => {
  const type = z.string().min(1).max(200).optional();
  const rules = [...CMS_FIELDS[list].keys()].map((name) => [name, fieldRuleSchema.optional()] as const);
  // One definition in JSON Schemas for all adapters.
  const fields = z.strictObject(Object.fromEntries(rules)).meta({ id: `${list}Fields` });
  const mapped = { type, fields: fields.prefault({}) };
  const feedIds = z.record(z.string().max(50), fieldRuleSchema).optional();
  return [list, z.strictObject(list === 'manufacturers' ? mapped : { ...mapped, feedIds }).optional()];
});

/** The setting `mapping` of an adapter. The lists have one type here, although manufacturers lack `feedIds`. */
export const MAPPING_SCHEMA = z
  .strictObject(Object.fromEntries(listSettings) as Readonly<Record<EntityType, z.ZodType>>)
  .refine((mapping) => Object.values(mapping).some((list) => list !== undefined), {
    error: `at least one of ${ENTITY_TYPES.join(', ')}`,
  })
  .meta({
    description: 'the lists that are read, each with its type in the CMS, and the fields that convention does not find',
    examples: [{ products: { fields: { id: 'sku', slug: { slugOf: 'name' } } } }],
  }) as z.ZodType<MappingSettings>;

/** The mapping of a CMS where the configuration does not set it. */
export interface Convention {
  /** The content type of a list, whose records are called `noun`. */
  typeOf(noun: string): string;
  /** The paths of our fields, of any list. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The path of the time of creation; absent where ids increase with each entry. */
  readonly createdAt?: string;
  readonly texts: CmsTexts;
}

/**
 * What the texts of a CMS are: with markup, which a text for people shows as plain text; plain; or the cells of a
 * spreadsheet, where an editor types lists into a cell, and Excel writes `101.0` for an id.
 */
export type CmsTexts = 'markup' | 'plain' | 'cells';

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
  readonly texts: CmsTexts;
}

/** Compiles the mapping of a configuration; the convention of the CMS fills the gaps. */
export function compileMapping(settings: MappingSettings, convention: Convention): CmsMapping {
  const ruleOf = (list: EntityType, name: string, isPart = false): FieldRule | undefined => {
    const setting = settings[list]?.fields[name];
    const conventional = convention.fields[name];
    if (setting === undefined) return conventional && pathRule(conventional);
    // A part of a slug is the field of that name, unless that is made of parts, too; else it is a path.
    if (setting === null || (isPart && typeof setting === 'object' && 'slugOf' in setting)) return undefined;
    return compileRule(setting, (part) => (CMS_FIELDS[list].has(part) ? ruleOf(list, part, true) : undefined));
  };
  const lists = ENTITY_TYPES.flatMap((list): EntityMapping[] => {
    const own = settings[list];
    if (own === undefined) return [];
    const fields = [...CMS_FIELDS[list]].flatMap(([name, kind]): EntityMapping['fields'] => {
      const rule = ruleOf(list, name);
      const feeds = kind === 'feedIds' ? Object.entries(own.feedIds ?? {}) : [];
      return [
        ...(rule === undefined ? [] : [{ name, kind, rule }]),
        ...feeds.flatMap(([feed, setting]) =>
          setting === null ? [] : [{ name: `${name}.${feed}`, kind: 'ids' as const, rule: compileRule(setting) }],
        ),
      ];
    });
    return [{ list, type: own.type ?? convention.typeOf(ENTITY_NOUNS[list]), fields }];
  });
  return {
    lists,
    idOfGift: ruleOf('gifts', 'id'),
    slugOfManufacturer: ruleOf('manufacturers', 'slug'),
    createdAt: convention.createdAt === undefined ? undefined : pathRule([convention.createdAt]),
    texts: convention.texts,
  };
}

/** Where the value of a field is found in an entry. */
export interface FieldRule {
  /** The paths that are read. */
  readonly paths: readonly CmsPath[];
  /** The value is the text to make a slug from. */
  readonly isForSlug?: true;
  /**
   * The value of the first path that has one; undefined when none has.
   *
   * @param onBroken gets the target of each broken reference on the path
   */
  readonly read: (entry: CmsEntry, onBroken?: (target: string) => void) => unknown;
}

/** @param ruleOf the rule of another field, as a part of a slug */
function compileRule(
  setting: Exclude<FieldRuleSetting, null>,
  ruleOf: (field: string) => FieldRule | undefined = () => undefined,
): FieldRule {
  if (typeof setting === 'string' || Array.isArray(setting)) return pathRule([setting].flat());
  if ('constant' in setting) return { paths: [], read: () => setting.constant };
  if ('hashed' in setting) return pathRule([setting.hashed], hashToDigits);
  if ('slugOf' in setting) {
    const text = parseJoinedText(setting.slugOf);
    if (text === undefined) throw new Error(`slugOf ${setting.slugOf}: expected braces that fit`);
    const rules = new Map(text.names.map((name) => [name, ruleOf(name) ?? pathRule([name])]));
    const readPart = (name: string, entry: CmsEntry): string | undefined => {
      const values = [rules.get(name)?.read(entry)].flat();
      return values.filter((item) => typeof item === 'string' || typeof item === 'number').join(' ') || undefined;
    };
    const read = (entry: CmsEntry): unknown => text.fill((name) => readPart(name, entry));
    return { paths: [...rules.values()].flatMap(({ paths }) => paths), isForSlug: true, read };
  }
  const values = new Map(Object.entries(setting.values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  return pathRule([setting.from].flat(), (text) => values.get(text.trim().toLowerCase()));
}

/** @param translate the meaning of a text, number or boolean; undefined when it has no other */
function pathRule(
  texts: readonly string[],
  translate: (text: string) => string | undefined = () => undefined,
): FieldRule {
  const paths = texts.map((text): CmsPath => ({ text, steps: parsePath(text) ?? [] }));
  const translateItem = (item: unknown): unknown =>
    ['string', 'number', 'boolean'].includes(typeof item) ? (translate(String(item)) ?? item) : item;
  return {
    paths,
    read: (entry, onBroken = () => {}) => {
      for (const { steps } of paths) {
        const found = readSteps(entry, steps);
        const items: readonly unknown[] = [found].flat();
        const alive = items.filter((item) => item !== undefined && !(item instanceof BrokenReference));
        for (const item of items) if (item instanceof BrokenReference) onBroken(item.target);
        if (alive.length > 0) return Array.isArray(found) ? alive.map(translateItem) : translateItem(found);
      }
      return undefined;
    },
  };
}

/** A path into an entry as it is written, and its steps: the name of a field, or an index in a list. */
interface CmsPath {
  readonly text: string;
  readonly steps: readonly (string | number)[];
}

const PATH_STEP = /(?:^|\.)([^.[\]]{1,200})|\[([0-9]{1,4})\]|(?:^|\.)?\["([^"]{1,200})"\]/y;

/** Parses `seo.metaTitle`, `gallery[0]` or `meta["a.b"]`; undefined when the text is not a path. */
function parsePath(text: string): CmsPath['steps'] | undefined {
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
function readSteps(entry: CmsEntry, steps: CmsPath['steps']): unknown {
  let value: unknown = entry;
  for (const step of steps) {
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
  return valueAt(value, key);
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
