import { z } from 'zod';
import { DELIMITERS, type Delimiter } from '../source/parse-csv.ts';
import { DATE_FORMATS } from './dates.ts';
import {
  ALLOWANCE_COLUMNS,
  FEED_FIELDS,
  NUMBER_FIELDS,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  type FeedField,
} from './fields.ts';
import { DECIMAL_SIGNS } from './kinds.ts';
import { parseJoinedText, placeholdersOf } from './placeholders.ts';
import { parsePattern } from './text-pattern.ts';

/** The name of a column, or joined columns. */
const columnNameSchema = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => parseJoinedText(text) !== undefined, 'a column, or columns in braces such as "{make} {model}"');

const datesSchema = z.enum(DATE_FORMATS).default('yyyy-mm-dd').describe(DATE_FORMATS.join(', '));

const patternSchema = z
  .string()
  .min(1)
  .max(500)
  .superRefine((text, check) => {
    const parsed = parsePattern(text);
    if (parsed.kind === 'error') check.addIssue({ code: 'custom', message: parsed.expected, input: text });
  });

const patternsSchema = z.array(patternSchema).min(1).max(100).meta({ id: 'patterns' });

/** Patterns without placeholders, which only match or do not. */
const barePatternsSchema = z
  .array(patternSchema.refine((text) => placeholdersOf(text).length === 0, 'no holes but {*}'))
  .min(1)
  .max(100);

/** The texts of records that are out of scope, by notice code. */
const excludePatternsSchema = z.strictObject({
  'sim-only': barePatternsSchema.optional(),
  'not-a-phone': barePatternsSchema.optional(),
  'no-contract': barePatternsSchema.optional(),
});

const columnRuleSchema = z.strictObject({
  column: columnNameSchema,
  strip: z.array(z.string().min(1).max(50)).max(20).default([]),
  unit: z.enum(['GB', 'MB']).default('GB'),
  values: z.record(z.string().max(200), z.string().max(300)).default({}),
});

const columnSchema = z.union([columnNameSchema, columnRuleSchema]).meta({ id: 'column' });
const constantSchema = z.union([z.string().min(1).max(300), z.number()]).meta({ id: 'constant' });

/** `{ dealId?: …, productId?: …, … }`, strict. */
function byField<Value extends z.ZodType>(
  value: Value,
): z.ZodObject<Record<FeedField, z.ZodOptional<Value>>, z.core.$strict> {
  // fromEntries forgets which keys it was given; FEED_FIELDS has all of them.
  const shape = Object.fromEntries(FEED_FIELDS.map((field) => [field, value.optional()]));
  return z.strictObject(shape as Record<FeedField, z.ZodOptional<Value>>);
}

const columnsSchema = byField(columnSchema);
const constantsSchema = byField(constantSchema);

type ColumnSettings = z.infer<typeof columnsSchema>;
type ConstantSettings = z.infer<typeof constantsSchema>;
export type ExcludePatternSettings = z.infer<typeof excludePatternsSchema>;

/** The meaning of a merchant's `search_price`, which the feed does not state. */
const SEARCH_PRICES = ['upfront', 'monthly', 'handset'] as const;

const awinMerchantSchema = z
  .strictObject({
    searchPrice: z.enum(SEARCH_PRICES).optional(),
    patterns: z
      .strictObject({
        product_name: patternsSchema.optional(),
        description: patternsSchema.optional(),
        merchant_deep_link: patternsSchema.optional(),
      })
      .default({}),
    leaveOut: excludePatternsSchema.default({}),
    constants: constantsSchema.default({}),
    missingAllowance: z.enum(['quarantine', 'unlimited']).optional(),
  })
  .superRefine((merchant, check) => {
    const priced = merchant.searchPrice === 'monthly' ? 'monthlyCost' : 'upfrontCost';
    const own = merchant.searchPrice === undefined || merchant.searchPrice === 'handset' ? [] : [priced];
    const givers = { patterns: placeholdersInPatterns(merchant.patterns), 'the feed itself': own };
    reportErrors(check, 'constants', findConstantErrors(merchant.constants, { ...givers }));
    // A merchant without contracts needs no other fields.
    if (givers.patterns.length === 0 && (merchant.searchPrice === 'handset' || hasKeys(merchant.leaveOut))) return;
    const known: string[] = [...givers.patterns, ...own, ...Object.keys(merchant.constants), ...AWIN_FIELDS];
    reportMissing(check, 'patterns', 'a pattern or a constant', [...REQUIRED_COLUMNS, 'productName'], known);
  });

/** The fields that every row of Awin has. */
const AWIN_FIELDS = ['dealId', 'dealLink', 'retailer'] as const satisfies readonly FeedField[];

export type AwinMerchant = z.infer<typeof awinMerchantSchema>;

/** The settings of a feed whose adapter is `awin`. */
export const awinSettings = {
  merchants: z
    .record(z.string().regex(/^[0-9]{1,12}$/, 'a merchant_id, decimal digits'), awinMerchantSchema)
    .default({})
    .meta({
      description: 'by the merchant_id of rows that have no telecom columns: how their texts are to be read',
      examples: [
        {
          '10402': { leaveOut: { 'not-a-phone': ['{*} broadband{*}'], 'sim-only': ['{*}'] } },
          '10403': { searchPrice: 'handset' },
        },
      ],
    }),
};

/** The fields that every item of Google Merchant Center has. */
const MERCHANT_FIELDS = [
  'dealId',
  'productName',
  'contractMonths',
  'upfrontCost',
  'monthlyCost',
  'dealLink',
] as const satisfies readonly FeedField[];

const excludeMeaning = 'titles that are out of scope, by the code under which they are left out';
const constantsMeaning = 'what holds for every deal; may hold fields in braces';

/** The settings of a feed whose adapter is `google-merchant`. */
export const googleMerchantSettings = {
  mapping: columnsSchema
    .default({})
    .describe(
      'the attribute that fills a field: its name, product_detail: and the name of the detail, or several in braces',
    ),
  dates: datesSchema,
  patterns: z
    .strictObject({
      title: patternsSchema.optional(),
      description: patternsSchema.optional(),
      link: patternsSchema.optional(),
    })
    .default({})
    .meta({ description: 'how facts stand in a text', examples: [{ title: ['{productName} in {colour}'] }] }),
  leaveOut: excludePatternsSchema
    .default({})
    .meta({ description: excludeMeaning, examples: [{ 'not-a-phone': ['{*} screen protector{*}'] }] }),
  constants: constantsSchema.default({}).describe(constantsMeaning),
};

/** The settings of a feed whose adapter is `csv`. */
export const csvSettings = {
  columns: columnsSchema.meta({
    description: 'the column that fills a field: its name, several in braces, or a rule',
    examples: [{ dealId: 'Deal ID', productName: '{Make} {Model}', monthlyCost: { column: 'Monthly', strip: ['£'] } }],
  }),
  constants: constantsSchema.default({}).describe(constantsMeaning),
  delimiter: z
    .enum(Object.keys(DELIMITERS) as Delimiter[])
    .default(',')
    .describe('a comma, semicolon, vertical bar or tab'),
  decimal: z.enum(DECIMAL_SIGNS).default('.').describe('the decimal sign of numbers'),
  dates: datesSchema,
  headerLine: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .describe('the line of the file on which the columns are named; what stands above it is not read'),
};

const awinSchema = z.object(awinSettings);
const googleMerchantSchema = z.object(googleMerchantSettings);
const csvSchema = z.object(csvSettings);

export type AwinSettings = z.infer<typeof awinSchema>;
export type GoogleMerchantSettings = z.infer<typeof googleMerchantSchema>;
export type CsvSettings = z.infer<typeof csvSchema>;

type Check = z.core.$RefinementCtx;
type MissingAllowance = { readonly missingAllowance: 'quarantine' | 'unlimited' };

export function checkGoogleMerchantSettings(settings: GoogleMerchantSettings & MissingAllowance, check: Check): void {
  const patterns: readonly string[] = placeholdersInPatterns(settings.patterns);
  const mapping = Object.keys(settings.mapping);
  reportErrors(
    check,
    'constants',
    findConstantErrors(settings.constants, { mapping, patterns, 'the feed itself': MERCHANT_FIELDS }),
  );
  reportErrors(check, 'mapping', [
    ...mapping
      .filter((field) => patterns.includes(field))
      .map((field) => ({ path: [field], message: 'one source for a field; patterns gives it too' })),
    ...findRuleErrors(settings.mapping, '.'),
  ]);
  const known = [...patterns, ...mapping, ...Object.keys(settings.constants), ...MERCHANT_FIELDS];
  const required = [...REQUIRED_COLUMNS, ...requiredAllowances(settings)];
  reportMissing(check, 'mapping', 'an attribute, a pattern or a constant', required, known);
}

export function checkCsvSettings(settings: CsvSettings & MissingAllowance, check: Check): void {
  const columns = Object.keys(settings.columns);
  reportErrors(check, 'constants', findConstantErrors(settings.constants, { columns }));
  reportErrors(check, 'columns', findRuleErrors(settings.columns, settings.decimal));
  const known = [...columns, ...Object.keys(settings.constants)];
  const hasProduct = PRODUCT_COLUMNS.some((field) => columns.includes(field));
  const required = [...REQUIRED_COLUMNS, ...requiredAllowances(settings), ...(hasProduct ? [] : ['productName'])];
  reportMissing(check, 'columns', 'a column or a constant', required, known);
}

function requiredAllowances({ missingAllowance }: MissingAllowance): readonly FeedField[] {
  return missingAllowance === 'unlimited' ? [] : ALLOWANCE_COLUMNS;
}

function placeholdersInPatterns(
  patterns: Readonly<Record<string, readonly string[] | undefined>>,
): readonly FeedField[] {
  return Object.values(patterns).flatMap((texts = []) =>
    texts.flatMap((text) => {
      const parsed = parsePattern(text);
      return parsed.kind === 'pattern' ? parsed.pattern.fields : [];
    }),
  );
}

interface SettingError {
  readonly path: readonly string[];
  readonly message: string;
}

/** A field must have one source: two could contradict each other. */
function findConstantErrors(
  constants: ConstantSettings,
  givers: Readonly<Record<string, readonly string[]>>,
): readonly SettingError[] {
  return Object.entries(constants).flatMap(([field, value]): readonly SettingError[] => {
    const giver = Object.keys(givers).find((each) => givers[each]?.includes(field));
    if (giver !== undefined) return [{ path: [field], message: `one source for a field; ${giver} gives it too` }];
    if (field === 'dealId') return [{ path: [field], message: 'an id of each deal, which is no constant' }];
    const unknown = placeholdersOf(String(value)).find(
      (name) => !(FEED_FIELDS as readonly string[]).includes(name) || name in constants,
    );
    return unknown === undefined
      ? []
      : [{ path: [field], message: `only holes of fields that the feed gives, and {${unknown}} is none` }];
  });
}

/** Removing the decimal sign would turn 29.99 into 2999, and removing `O.99` would turn £3O.99 into 3. */
function findRuleErrors(columns: ColumnSettings, decimal: string): readonly SettingError[] {
  return NUMBER_FIELDS.flatMap((field): readonly SettingError[] => {
    const rule = columns[field];
    if (typeof rule !== 'object') return [];
    const path = [field, 'strip'];
    if (rule.strip.includes(decimal)) {
      return [{ path, message: `texts to remove without ${decimal}, which is the decimal sign` }];
    }
    return rule.strip.some((text) => /\d/.test(text))
      ? [{ path, message: 'texts to remove without digits, which are part of a number' }]
      : [];
  });
}

function reportErrors(check: Check, key: string, errors: readonly SettingError[]): void {
  for (const { path, message } of errors) {
    const input = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], at(check.value, key));
    check.addIssue({ code: 'custom', path: [key, ...path], message, input });
  }
}

function reportMissing(
  check: Check,
  key: string,
  source: string,
  required: readonly string[],
  known: readonly string[],
): void {
  const missing = required.filter((field) => !known.includes(field));
  if (missing.length === 0) return;
  const message = `${source} for ${missing.join(', ')}`;
  check.addIssue({ code: 'custom', path: [key], message, input: Object.keys(at(check.value, key) as object) });
}

function at(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

function hasKeys(value: object): boolean {
  return Object.keys(value).length > 0;
}
