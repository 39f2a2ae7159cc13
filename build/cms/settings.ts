import { z } from 'zod';
import { isWebUrl } from '../../data/record/product.ts';
import { parseJoinedText } from '../feed/text-pattern.ts';
import { DELIMITERS, type Delimiter } from '../source/table.ts';
import { CMS_FIELDS, ENTITY_TYPES, SLUG_FIELDS, type EntityType } from './fields.ts';
import { parseCmsPath } from './mapping.ts';

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

/** The setting that says where a field comes from; null leaves it empty. */
export type FieldRuleSetting = z.infer<typeof settingSchema> | z.infer<typeof slugSettingSchema> | null;

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

/** The mapping of one list, as the configuration writes it. */
interface EntitySettings {
  readonly type?: string | undefined;
  readonly fields: Readonly<Record<string, FieldRuleSetting | undefined>>;
  readonly feedIds?: Readonly<Record<string, FieldRuleSetting>> | undefined;
}

export type MappingSettings = Readonly<Partial<Record<EntityType, EntitySettings | undefined>>>;

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

/** Only the site's own content types, so never its users. */
const strapiTypeSchema = z
  .string()
  .max(200)
  .regex(/^api::[a-z0-9_-]+\.[a-z0-9_-]+$/, 'a content type such as "api::phone.phone"');

const typeSchema = z.string().min(1).max(200);
const localeSchema = z.string().min(1).max(50);

export const strapiSettings = {
  mapping: mappingSchema(strapiTypeSchema, { type: 'api::phone.phone', fields: { id: 'sku' } }),
  locale: localeSchema.default('en').describe('rows of this locale, and of none, are read'),
  assetsUrl: z
    .string()
    .refine((text) => isWebUrl(text), 'an http or https URL')
    .optional()
    .meta({
      description: 'where the pictures of /uploads/ are served, for an export without them',
      examples: ['https://cms.example.com'],
    }),
};

const EXAMPLE = { type: 'phone', fields: { id: { hashed: 'sys.id' } } };

export const contentfulSettings = {
  mapping: mappingSchema(typeSchema, EXAMPLE),
  locale: localeSchema.optional().meta({ description: "the space's own default if absent", examples: ['en-GB'] }),
};

export const wordpressSettings = { mapping: mappingSchema(typeSchema, EXAMPLE) };

export const sheetSettings = {
  mapping: mappingSchema(typeSchema)
    .optional()
    .meta({
      description: 'the lists that are read, and columns that are not called as our fields',
      examples: [{ products: { type: 'phones', fields: { name: 'Handset', slug: { slugOf: 'name' } } } }],
    }),
  delimiter: z
    .enum(Object.keys(DELIMITERS) as [Delimiter, ...Delimiter[]])
    .optional()
    .meta({ description: 'what separates the cells; the most frequent sign of the header if absent', examples: [';'] }),
  headerLine: z.number().int().min(1).max(1_000).default(1).describe('the line with the names of the columns'),
};

/** The parsed settings of an adapter. */
type Settings<Shape extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<Shape>>>;

export type StrapiSettings = Settings<typeof strapiSettings>;
export type ContentfulSettings = Settings<typeof contentfulSettings>;
export type WordpressSettings = Settings<typeof wordpressSettings>;
export type SheetSettings = Settings<typeof sheetSettings>;

function mappingSchema(type: z.ZodString, products?: object) {
  const lists = Object.fromEntries(ENTITY_TYPES.map((list) => [list, entitySchema(list, type).optional()]));
  return z
    .strictObject(lists as Record<EntityType, z.ZodOptional<ReturnType<typeof entitySchema>>>)
    .refine((mapping) => Object.values(mapping).some((list) => list !== undefined), {
      error: `at least one of ${ENTITY_TYPES.join(', ')}`,
    })
    .meta({
      description:
        'the lists that are read, each with its type in the CMS, and the fields that convention does not find',
      examples: [{ products }],
    });
}

function entitySchema(list: EntityType, type: z.ZodString) {
  const mapped = { type: type.optional(), fields: (fieldSettings[list] as z.ZodObject).prefault({}) };
  // The cast gives all lists one type; manufacturers lack `feedIds`.
  return z.strictObject(
    list !== 'manufacturers'
      ? { ...mapped, feedIds: z.record(z.string().max(50), fieldRuleSchema).optional() }
      : mapped,
  ) as z.ZodType<EntitySettings>;
}

/** Ids are decimal digits that never change. WordPress has such ids; for other CMSs a mapping must name the field. */
export function checkMappedIds(
  settings: { readonly mapping: MappingSettings },
  check: { addIssue(issue: { code: 'custom'; path: string[]; message: string; input: unknown }): void },
): void {
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
