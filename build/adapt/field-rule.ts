import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isDeadLink, type CmsEntry } from './cms-value.ts';
import { parseCmsPath, readCmsPath, type CmsPath } from './cms-path.ts';

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

/** How a mapping says where a field comes from; null is nowhere. */
export type FieldRuleSetting = z.infer<typeof settingSchema> | null;

/** One sentence for whatever is wrong with a rule: an alternative of a union would speak of one of them only. */
export const fieldRuleSchema = z.custom<FieldRuleSetting>(
  (value) => value === null || settingSchema.safeParse(value).success,
  'a path such as "seo.metaTitle" or "gallery[0]", a list of paths, {"constant": "new"}, {"from": "state", "values": {"Used": "refurbished"}}, {"hashed": "documentId"} or null',
);

/** A rule, ready to be applied. */
export interface FieldRule {
  readonly paths: readonly CmsPath[];
  /** The paths as the configuration writes them. */
  readonly texts: readonly string[];
  readonly constant: string | readonly string[] | undefined;
  /** What a text means, by the text in lower case. */
  readonly values: ReadonlyMap<string, string>;
  readonly isHashed: boolean;
}

/** What a rule finds in an entry. */
export interface RuleResult {
  /** Undefined when there is nothing. */
  readonly value: unknown;
  /** The targets of links that lead nowhere, on the way to what was found. */
  readonly deadLinks: readonly string[];
}

export function compileFieldRule(setting: Exclude<FieldRuleSetting, null>): FieldRule {
  if (typeof setting === 'string' || Array.isArray(setting)) return pathRule([setting].flat());
  if ('constant' in setting) return { ...pathRule([]), constant: setting.constant };
  if ('hashed' in setting) return { ...pathRule([setting.hashed]), isHashed: true };
  const values = new Map(Object.entries(setting.values).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  return { ...pathRule([setting.from].flat()), values };
}

function pathRule(texts: readonly string[]): FieldRule {
  const paths = texts.flatMap((text) => [parseCmsPath(text) ?? []]);
  return { paths, texts, constant: undefined, values: new Map(), isHashed: false };
}

/** Reads the first path that leads to something. */
export function applyFieldRule(rule: FieldRule, entry: CmsEntry): RuleResult {
  if (rule.constant !== undefined) return { value: rule.constant, deadLinks: [] };
  const deadLinks: string[] = [];
  for (const path of rule.paths) {
    const value = withoutDeadLinks(readCmsPath(entry, path), deadLinks);
    if (value !== undefined) return { value: translate(rule, value), deadLinks };
  }
  return { value: undefined, deadLinks };
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
  if (rule.isHashed) return hashToDigits(value);
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return (isText ? rule.values.get(String(value).trim().toLowerCase()) : undefined) ?? value;
}

/** The first 60 bits of the SHA-256 as a decimal number: for a CMS that has no number of its own. */
function hashToDigits(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const hash = createHash('sha256').update(String(value)).digest('hex');
  return BigInt(`0x${hash.slice(0, 15)}`).toString();
}
