import { CMS_FIELDS, SLUG_FIELDS, type CmsFieldKind } from './cms-field.ts';
import type { MappingSettings } from './cms-settings.ts';
import type { Convention } from './conventional-fields.ts';
import { compileFieldRule, type FieldRule } from './field-rule.ts';
import { RECORD_LISTS, type RecordList } from './record-list.ts';

/** A field of our records with the rule that fills it. */
interface MappedField {
  /** `content.heading` */
  readonly name: string;
  readonly kind: CmsFieldKind;
  readonly rule: FieldRule;
}

/** How the entries of one type become the records of one list. */
export interface ListMapping {
  readonly list: RecordList;
  readonly type: string;
  readonly fields: readonly MappedField[];
  /** `matches.feedIds`, or `feedIds` of a network or retailer, by the name of the feed. */
  readonly feedIds: readonly { readonly feed: string; readonly rule: FieldRule }[];
}

/** How the entries of an export become records. */
export interface CmsMapping {
  /** The lists of the configuration. */
  readonly lists: readonly ListMapping[];
  /** What the entries that a gift category, or a product, links to are called: also of lists that are not read. */
  readonly idOfGift: FieldRule | undefined;
  readonly slugOfManufacturer: FieldRule | undefined;
  /** When an entry was made. */
  readonly createdAt: FieldRule | undefined;
}

/** The mapping of a configuration, with what the convention of the CMS adds to it. */
export function compileMapping(settings: MappingSettings, convention: Convention): CmsMapping {
  const ruleOf = (list: RecordList, name: string): FieldRule | undefined => {
    const setting = settings[list]?.fields[name];
    if (setting === null) return undefined;
    const conventional = convention.fields[name];
    if (setting === undefined) return conventional && compileFieldRule([...conventional]);
    return compileFieldRule(setting, (part) => partRule(list, part));
  };
  // A slug is made of fields of ours, which are no slugs themselves, and of paths.
  const partRule = (list: RecordList, name: string): FieldRule | undefined =>
    Object.hasOwn(CMS_FIELDS[list], name) && !SLUG_FIELDS.includes(name) ? ruleOf(list, name) : undefined;
  const lists = RECORD_LISTS.flatMap((list): ListMapping[] => {
    const listSettings = settings[list];
    if (listSettings === undefined) return [];
    const fields = Object.entries(CMS_FIELDS[list]).flatMap(([name, kind]): MappedField[] => {
      const rule = ruleOf(list, name);
      return rule === undefined ? [] : [{ name, kind, rule }];
    });
    const feedIds = Object.entries(listSettings.feedIds ?? {}).flatMap(([feed, setting]) =>
      setting === null ? [] : [{ feed, rule: compileFieldRule(setting) }],
    );
    return [{ list, type: listSettings.type ?? convention.types[list], fields, feedIds }];
  });
  return {
    lists,
    idOfGift: ruleOf('gifts', 'id'),
    slugOfManufacturer: ruleOf('manufacturers', 'slug'),
    createdAt: convention.createdAt === undefined ? undefined : compileFieldRule(convention.createdAt),
  };
}
