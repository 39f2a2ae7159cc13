import { z } from 'zod';
import { isWebUrl } from '../../../data/record/product.ts';
import { CMS_FIELDS, ENTITY_TYPES, SLUG_FIELDS, type EntityType } from './cms-fields.ts';
import { fieldRuleSchema, slugRuleSchema, type FieldRuleSetting } from './field-rule.ts';

/** The mapping of one list, as the configuration writes it. */
interface EntitySettings {
  readonly type?: string | undefined;
  readonly fields: Readonly<Record<string, FieldRuleSetting | undefined>>;
  readonly feedIds?: Readonly<Record<string, FieldRuleSetting>> | undefined;
}

/** Only the site's own content types, so never its users. */
const strapiTypeSchema = z
  .string()
  .max(200)
  .regex(/^api::[a-z0-9_-]+\.[a-z0-9_-]+$/, 'a content type such as "api::phone.phone"');

const typeSchema = z.string().min(1).max(200);
const localeSchema = z.string().min(1).max(50);

const mappingMeaning =
  'the lists that are read, each with its type in the CMS, and fields that are not where convention is';

const mappingMeta = {
  description: mappingMeaning,
  examples: [{ products: { type: 'phone', fields: { id: { hashed: 'sys.id' } } } }],
};

export const strapiSettings = {
  mapping: mappingSchema(strapiTypeSchema).meta({
    description: mappingMeaning,
    examples: [{ products: { type: 'api::phone.phone', fields: { id: 'sku' } } }],
  }),
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

export const contentfulSettings = {
  mapping: mappingSchema(typeSchema).meta(mappingMeta),
  locale: localeSchema.optional().meta({ description: "the space's own default if absent", examples: ['en-GB'] }),
};

export const wordpressSettings = { mapping: mappingSchema(typeSchema).meta(mappingMeta) };

export type MappingSettings = z.infer<ReturnType<typeof mappingSchema>>;
/** The parsed settings of an adapter. */
type Settings<Shape extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<Shape>>>;

export type StrapiSettings = Settings<typeof strapiSettings>;
export type ContentfulSettings = Settings<typeof contentfulSettings>;
export type WordpressSettings = Settings<typeof wordpressSettings>;

function mappingSchema(type: z.ZodString) {
  const lists = Object.fromEntries(ENTITY_TYPES.map((list) => [list, entitySchema(list, type).optional()]));
  return z
    .strictObject(lists as Record<EntityType, z.ZodOptional<ReturnType<typeof entitySchema>>>)
    .refine((mapping) => Object.values(mapping).some((list) => list !== undefined), {
      error: `at least one of ${ENTITY_TYPES.join(', ')}`,
    });
}

function entitySchema(list: EntityType, type: z.ZodString) {
  const fields = Object.fromEntries(
    Object.keys(CMS_FIELDS[list]).map((name) => [
      name,
      (SLUG_FIELDS.includes(name) ? slugRuleSchema : fieldRuleSchema).optional(),
    ]),
  );
  const mapped = { type: type.optional(), fields: z.strictObject(fields).prefault({}) };
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
