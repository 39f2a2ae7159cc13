import { z } from 'zod';
import { isDeadLink, isMarkup, type CmsEntry } from './cms-value.ts';
import { parseCmsPath, readCmsPath, type CmsPath } from './cms-path.ts';
import { parseJoinedText, type JoinedText } from './joined-text.ts';
import { hashToDigits } from './slug.ts';

const pathSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parseCmsPath(text) !== undefined);

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
    .refine((text) => parseJoinedText(text)?.names.every((name) => parseCmsPath(name) !== undefined) === true),
});

type SlugSetting = z.infer<typeof slugSettingSchema>;

/** How a mapping says where a field comes from; null is nowhere. */
export type FieldRuleSetting = z.infer<typeof settingSchema> | SlugSetting | null;

/** One sentence for all faults of a rule: an alternative of a union would speak of one of them only. */
const RULES =
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"}';

export const fieldRuleSchema = ruleSchema('fieldRule', settingSchema.nullable(), `${RULES} or null`);

/** Of a field that is a slug. */
export const slugRuleSchema = ruleSchema(
  'slugRule',
  z.union([settingSchema, slugSettingSchema]).nullable(),
  `${RULES}, {"slugOf": "name"}, {"slugOf": "{name} {storage}"} or null`,
);

/** @param id what JSON Schemas call it */
function ruleSchema(id: string, schema: z.ZodType, expected: string): z.ZodType<FieldRuleSetting> {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' });
  return z.custom<FieldRuleSetting>((value) => schema.safeParse(value).success, expected).meta({ id, ...shape });
}

/** A rule, ready to be applied. */
export interface FieldRule {
  readonly paths: readonly CmsPath[];
  /** The paths as the configuration writes them. */
  readonly texts: readonly string[];
  readonly constant: string | readonly string[] | undefined;
  /** What a text means, by the text in lower case. */
  readonly values: ReadonlyMap<string, string>;
  readonly isHashed: boolean;
  /** The text of which a slug is made, and the rules of what is joined in it. */
  readonly slug: { readonly text: JoinedText; readonly rules: ReadonlyMap<string, FieldRule> } | undefined;
}

/** What a rule finds in an entry. */
export interface RuleResult {
  /** Undefined when there is nothing. */
  readonly value: unknown;
  /** The targets of links that lead nowhere, on the way to what was found. */
  readonly deadLinks: readonly string[];
}

/** @param ruleOf the rule of another field of ours, of which a slug may be made */
export function compileFieldRule(
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
  const paths = texts.flatMap((text) => [parseCmsPath(text) ?? []]);
  return { paths, texts, constant: undefined, values: new Map(), isHashed: false, slug: undefined };
}

/**
 * Reads the first path that leads to something; of a slug the text of which it is to be made.
 *
 * @param isProse the field is a text for people: a markup becomes plain text, and stays as it is elsewhere
 */
export function applyFieldRule(rule: FieldRule, entry: CmsEntry, isProse = false): RuleResult {
  if (rule.constant !== undefined) return { value: rule.constant, deadLinks: [] };
  if (rule.slug !== undefined) return { value: joinTexts(rule.slug, entry), deadLinks: [] };
  const deadLinks: string[] = [];
  for (const path of rule.paths) {
    const value = withoutDeadLinks(readCmsPath(entry, path), deadLinks);
    if (value !== undefined) return { value: translate(rule, readMarkup(value, isProse)), deadLinks };
  }
  return { value: undefined, deadLinks };
}

function joinTexts({ text, rules }: NonNullable<FieldRule['slug']>, entry: CmsEntry): string | undefined {
  return text.fill((name) => {
    const rule = rules.get(name);
    const { value } = rule === undefined ? { value: undefined } : applyFieldRule(rule, entry);
    const texts = [value].flat().filter((item) => typeof item === 'string' || typeof item === 'number');
    return texts.length === 0 ? undefined : texts.join(' ');
  });
}

function readMarkup(value: unknown, isProse: boolean): unknown {
  const read = (item: unknown): unknown => {
    if (!isMarkup(item)) return item;
    return isProse ? item.toPlain() : item.raw;
  };
  return Array.isArray(value) ? value.map(read) : read(value);
}

function withoutDeadLinks(value: unknown, deadLinks: string[]): unknown {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (!items.some(isDeadLink)) return value;
  const alive = items.filter((item) => !isDeadLink(item));
  deadLinks.push(...items.filter(isDeadLink).map(({ target }) => target));
  return alive.length === 0 ? undefined : alive;
}

function translate(rule: FieldRule, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => translateOne(rule, item));
  return translateOne(rule, value);
}

function translateOne(rule: FieldRule, value: unknown): unknown {
  if (rule.isHashed)
    return typeof value === 'string' || typeof value === 'number' ? hashToDigits(String(value)) : value;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (isText ? rule.values.get(String(value).trim().toLowerCase()) : undefined) ?? value;
}
