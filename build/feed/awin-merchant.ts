import { saysNotNew } from '../../data/record/condition-words.ts';
import { parsePence } from '../../data/record/amount.ts';
import { quote, showFound } from '../source/quote.ts';
import type { ReadResult } from '../source/record.ts';
import type { FieldError } from '../source/schema-errors.ts';
import { excluded, fieldErrorNotice, noticeAt, type FeedContext, type RecordLocation } from './adapter.ts';
import type { FeedField, RawField } from './fields.ts';
import { readDeal } from './read-deal.ts';
import { AMOUNT_FORMAT, conditionField, dropExcessZeros, parseCondition } from './values.ts';
import type { AwinMerchant } from './feed-settings.ts';
import {
  compileColumnPatterns,
  extractFields,
  findConflict,
  mergeFields,
  type ColumnPatterns,
  type FieldSources,
} from './merge-fields.ts';
import { compileConstants, type Constants } from './placeholders.ts';
import { compileExcludeMatcher, findProductTypeInName, type ExcludeMatcher } from './product-type.ts';
import { excludeRow, findProductTypeExclusion, findTemporaryExclusion, type AwinExclusion } from './awin-exclude.ts';
import { readGtin, readImageUrl, type AwinColumn, type AwinRow } from './awin-row.ts';

/** The columns whose text patterns may match. */
type TextColumn = 'product_name' | 'description' | 'merchant_deep_link';

interface MerchantRules {
  readonly searchPrice: AwinMerchant['searchPrice'];
  readonly missingAllowance: AwinMerchant['missingAllowance'];
  readonly textRules: readonly ColumnPatterns<TextColumn>[];
  readonly excludes: ExcludeMatcher;
  readonly constants: Constants;
}

/** The merchants of a feed, by `merchant_id`. */
export type Merchants = ReadonlyMap<string, MerchantRules>;

/** The columns of a row of the short shape. */
const COLUMN_OF_FIELD: Readonly<Partial<Record<FeedField, AwinColumn>>> = {
  dealId: 'merchant_product_id',
  dealLink: 'aw_deep_link',
  gtin: 'product_GTIN',
  retailer: 'merchant_name',
  condition: 'condition',
};

export function compileMerchants(settings: Readonly<Record<string, AwinMerchant>>): Merchants {
  return new Map(
    Object.entries(settings).map(([id, { searchPrice, missingAllowance, patterns, leaveOut, constants }]) => [
      id,
      {
        searchPrice,
        missingAllowance,
        textRules: compileColumnPatterns<TextColumn>(patterns),
        excludes: compileExcludeMatcher(leaveOut),
        constants: compileConstants(constants),
      },
    ]),
  );
}

/** Reads a row without telecom columns: the patterns of its merchant extract the deal from its texts. */
export function readMerchantRow(
  location: RecordLocation,
  row: AwinRow,
  context: FeedContext,
  merchants: Merchants,
): ReadResult {
  const record = { ...location, record: row.text('merchant_product_id') };
  const errors: FieldError[] = [];
  const id = row.text('merchant_id');
  const rules = id === undefined ? undefined : merchants.get(id);

  const rule = findExclusion(row, rules, context, errors);
  const exclusion = excludeRow(record, row, context.currency, rule, () => readTitle(row));
  if (exclusion !== undefined) return exclusion;
  if (rules === undefined) return excluded(unknownMerchantNotice(record, row, merchants));
  const [error, ...otherErrors] = errors;
  if (error !== undefined) return excluded(fieldErrorNotice(record, error, otherErrors));
  return readKnownRow(record, row, context, rules, id ?? '');
}

function readKnownRow(
  record: RecordLocation,
  row: AwinRow,
  context: FeedContext,
  rules: MerchantRules,
  id: string,
): ReadResult {
  const facts = extractFields(rules.textRules, (column) => row.text(column));
  if (rules.searchPrice === 'handset' && !facts.values.has('monthlyCost') && facts.unread.length === 0) {
    return excluded(noticeAt(record, 'no-contract', { field: 'search_price', found: row.text('search_price') ?? '' }));
  }
  const sources: FieldSources = {
    own: readOwnFields(row, rules),
    facts,
    constants: rules.constants,
    names: rules.searchPrice === 'monthly' ? { ...COLUMN_OF_FIELD, monthlyCost: 'search_price' } : COLUMN_OF_FIELD,
  };
  const settings = { ...context, missingAllowance: rules.missingAllowance ?? context.missingAllowance };
  return readDeal(record, mergeFields(sources), settings, {
    retailer:
      rules.constants.retailer === undefined
        ? { names: [row.text('merchant_name') ?? []].flat(), feedIds: [id] }
        : undefined,
    saysNotNew: saysNotNew(row.text('product_name') ?? '') || findUsedCategory(row) !== undefined,
    conflict: findConflict(record, sources, `merchants.${id}.patterns`),
  });
}

function findExclusion(
  row: AwinRow,
  rules: MerchantRules | undefined,
  context: FeedContext,
  errors: FieldError[],
): AwinExclusion | undefined {
  const name = row.text('product_name') ?? '';
  const kind = findProductTypeInName(name) ?? rules?.excludes(name);
  const byName = kind === undefined ? undefined : { code: kind, field: 'product_name', found: name };
  return findProductTypeExclusion(row) ?? byName ?? findTemporaryExclusion(row, context.now, errors);
}

function unknownMerchantNotice(
  record: RecordLocation,
  row: AwinRow,
  merchants: Merchants,
): ReturnType<typeof noticeAt> {
  const found = [row.text('merchant_id'), row.text('merchant_name')].filter((text) => text !== undefined).join(' ');
  const id = row.text('merchant_id') ?? '';
  return noticeAt(record, 'unknown-merchant', {
    field: 'merchant_id',
    expected: merchants.size === 0 ? 'a merchant of the configuration' : `one of ${[...merchants.keys()].join(', ')}`,
    found: showFound(found),
    remedy: `add ${quote(id)}: { "patterns": { "product_name": [ … ] } } to \`merchants\` of the feed, or { "leaveOut": { "not-a-phone": ["{*}"] } } when it sells no phones`,
  });
}

/** The product of an excluded row. No pattern has read it, so its name is the whole title. */
function readTitle(row: AwinRow): object {
  const condition = parseCondition(row.text('condition') ?? findUsedCategory(row) ?? '');
  return { feedIds: [], gtin: readGtin(row), name: row.text('product_name'), condition };
}

function readOwnFields(row: AwinRow, { searchPrice }: MerchantRules): ReadonlyMap<FeedField, RawField> {
  const fields = new Map<FeedField, RawField>();
  const set = (field: FeedField, text: string | undefined): void => {
    if (text !== undefined) fields.set(field, { text, found: text });
  };
  set('dealId', row.text('merchant_product_id'));
  set('dealLink', row.text('aw_deep_link') ?? row.text('merchant_deep_link'));
  set('productImage', readImageUrl(row));
  set('gtin', readGtin(row));
  set('colour', row.text('colour'));
  const price = row.text('search_price');
  if (price !== undefined && (searchPrice === 'upfront' || searchPrice === 'monthly')) {
    const field = searchPrice === 'upfront' ? 'upfrontCost' : 'monthlyCost';
    const text = dropExcessZeros(price);
    const isAmount = parsePence(text) !== undefined;
    fields.set(field, { text: isAmount ? text : undefined, found: price, expected: AMOUNT_FORMAT });
  }
  const condition = row.text('condition') ?? findUsedCategory(row);
  if (condition !== undefined) fields.set('condition', conditionField(condition));
  return fields;
}

/** The category or link of a merchant's used phones, which replaces a missing condition column. */
function findUsedCategory(row: AwinRow): string | undefined {
  const places = [row.text('merchant_category'), row.text('merchant_deep_link')];
  return places.find((text) => text !== undefined && saysNotNew(text));
}
