import { z } from 'zod';
import { valueAt } from '../source/json.ts';
import { DELIMITERS, type Delimiter } from '../source/table.ts';
import {
  ALLOWANCE_COLUMNS,
  FEED_FIELDS,
  isFeedField,
  NUMBER_FIELDS,
  PRODUCT_COLUMNS,
  REQUIRED_COLUMNS,
  type FeedField,
} from './fields.ts';
import { DATE_FORMATS, DECIMAL_SIGNS } from './kinds.ts';
import { parseJoinedText, parsePattern, placeholdersOf } from './text-pattern.ts';

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
    const { searchPrice, patterns, constants, leaveOut } = merchant;
    const priced = searchPrice === 'monthly' ? 'monthlyCost' : 'upfrontCost';
    const own = searchPrice === undefined || searchPrice === 'handset' ? [] : [priced];
    const facts = placeholdersIn(patterns);
    // A merchant without contracts needs no other fields.
    const hasNoDeals = facts.length === 0 && (searchPrice === 'handset' || Object.keys(leaveOut).length > 0);
    const required = hasNoDeals ? [] : [...REQUIRED_COLUMNS, 'productName'];
    const needed = required.filter((field) => !AWIN_FIELDS.includes(field));
    const givers = { patterns: facts, 'the feed itself': own };
    checkGivers(check, constants, givers, needed, ['patterns', 'a pattern or a constant']);
  });

/** The fields that every row of Awin has. */
const AWIN_FIELDS: readonly string[] = ['dealId', 'dealLink', 'retailer'] satisfies FeedField[];

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

/** The parsed settings of an adapter. */
type Settings<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

export type AwinSettings = Settings<typeof awinSettings>;
export type GoogleMerchantSettings = Settings<typeof googleMerchantSettings>;
export type CsvSettings = Settings<typeof csvSettings>;

type Check = z.core.$RefinementCtx;
type MissingAllowance = { readonly missingAllowance: 'quarantine' | 'unlimited' };

export function checkGoogleMerchantSettings(settings: GoogleMerchantSettings & MissingAllowance, check: Check): void {
  const patterns = placeholdersIn(settings.patterns);
  const mapping = Object.keys(settings.mapping);
  for (const field of mapping.filter((each) => patterns.includes(each))) {
    reportError(check, ['mapping', field], 'one source for a field; patterns gives it too');
  }
  reportRules(check, 'mapping', settings.mapping, '.');
  const givers = { mapping, patterns, 'the feed itself': MERCHANT_FIELDS };
  const required = [...REQUIRED_COLUMNS, ...requiredAllowances(settings)];
  checkGivers(check, settings.constants, givers, required, ['mapping', 'an attribute, a pattern or a constant']);
}

export function checkCsvSettings(settings: CsvSettings & MissingAllowance, check: Check): void {
  const columns = Object.keys(settings.columns);
  reportRules(check, 'columns', settings.columns, settings.decimal);
  const hasProduct = PRODUCT_COLUMNS.some((field) => columns.includes(field));
  const required = [...REQUIRED_COLUMNS, ...requiredAllowances(settings), ...(hasProduct ? [] : ['productName'])];
  checkGivers(check, settings.constants, { columns }, required, ['columns', 'a column or a constant']);
}

function requiredAllowances({ missingAllowance }: MissingAllowance): readonly FeedField[] {
  return missingAllowance === 'unlimited' ? [] : ALLOWANCE_COLUMNS;
}

function placeholdersIn(patterns: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] {
  return Object.values(patterns).flatMap((texts = []) =>
    texts.map(parsePattern).flatMap((parsed) => (parsed.kind === 'pattern' ? parsed.pattern.fields : [])),
  );
}

/**
 * Checks that a field has one source, since two could contradict each other, and that a required one has any.
 *
 * @param givers the fields that come from elsewhere than constants, by what gives them
 * @param place the setting where a missing field is reported, and what could give it
 */
function checkGivers(
  check: Check,
  constants: ConstantSettings,
  givers: Readonly<Record<string, readonly string[]>>,
  required: readonly string[],
  [section, source]: readonly [string, string],
): void {
  const findFault = (field: string, text: string): string | undefined => {
    const giver = Object.keys(givers).find((each) => givers[each]?.includes(field));
    if (giver !== undefined) return `one source for a field; ${giver} gives it too`;
    if (field === 'dealId') return 'an id of each deal, which is no constant';
    const unknown = placeholdersOf(text).find((name) => !isFeedField(name) || name in constants);
    return unknown && `only holes of fields that the feed gives, and {${unknown}} is none`;
  };
  for (const [field, value] of Object.entries(constants)) {
    const fault = findFault(field, String(value));
    if (fault !== undefined) reportError(check, ['constants', field], fault);
  }
  const known = [...Object.values(givers).flat(), ...Object.keys(constants)];
  const missing = required.filter((field) => !known.includes(field));
  const input = Object.keys(valueAt(check.value, section) as object);
  if (missing.length > 0) reportError(check, [section], `${source} for ${missing.join(', ')}`, input);
}

/** Removing the decimal sign would turn 29.99 into 2999, and removing `O.99` would turn £3O.99 into 3. */
function reportRules(check: Check, section: string, columns: ColumnSettings, decimal: string): void {
  for (const field of NUMBER_FIELDS) {
    const rule = columns[field];
    const strip = typeof rule === 'object' ? rule.strip : [];
    const message = strip.includes(decimal)
      ? `texts to remove without ${decimal}, which is the decimal sign`
      : 'texts to remove without digits, which are part of a number';
    if (strip.includes(decimal) || strip.some((text) => /\d/.test(text)))
      reportError(check, [section, field, 'strip'], message);
  }
}

function reportError(check: Check, path: string[], message: string, input = valueAt(check.value, ...path)): void {
  check.addIssue({ code: 'custom', path, message, input });
}
