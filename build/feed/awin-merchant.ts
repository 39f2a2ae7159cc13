import { saysNotNew } from '../../data/record/condition-words.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { quote, showFound } from '../source/quote.ts';
import { readGtin, readImageUrl, readStock, SHARED_COLUMNS, type AwinRow } from './awin-row.ts';
import { compileColumns, namesOf, readColumns, type FieldColumn } from './columns.ts';
import type { AwinMerchant } from './feed-settings.ts';
import { compileFacts, findConflict, mergeFields, NO_FACTS, withConstants, type Facts } from './merge-fields.ts';
import { compileExcludeMatcher, findProductTypeInName, type ExcludeMatcher } from './product-type.ts';
import {
  conditionField,
  excluded,
  textField,
  type Excluded,
  type FieldPlaces,
  type RawDeal,
  type RawFields,
} from './raw-deal.ts';

/** A merchant whose rows have no telecom columns: the patterns of its texts give the deal. */
interface Merchant {
  readonly settings: AwinMerchant;
  readonly columns: readonly FieldColumn[];
  readonly places: FieldPlaces;
  readonly readFacts: (textOf: AwinRow['text']) => Facts;
  readonly excludes: ExcludeMatcher;
}

/** The merchants of a feed, by `merchant_id`. */
export type Merchants = ReadonlyMap<string, Merchant>;

const NO_SETTINGS: AwinMerchant = { patterns: {}, leaveOut: {}, constants: {} };

const UNKNOWN_MERCHANT = compileMerchant(NO_SETTINGS);

export function compileMerchants(settings: Readonly<Record<string, AwinMerchant>>): Merchants {
  return new Map(Object.entries(settings).map(([id, merchant]) => [id, compileMerchant(merchant)]));
}

function compileMerchant(settings: AwinMerchant): Merchant {
  const { searchPrice } = settings;
  const table = {
    ...SHARED_COLUMNS,
    colour: 'colour',
    retailer: { column: ['merchant_name', 'merchant_id'] },
    ...(searchPrice === 'upfront' && { upfrontCost: 'search_price' }),
    ...(searchPrice === 'monthly' && { monthlyCost: 'search_price' }),
  };
  const columns = compileColumns(table, { hasExcessZeros: true });
  const names = { ...namesOf(columns), gtin: 'product_GTIN', condition: 'condition' };
  return {
    settings,
    columns,
    places: withConstants({ names }, settings.constants),
    readFacts: compileFacts(settings.patterns),
    excludes: compileExcludeMatcher(settings.leaveOut),
  };
}

export function readMerchantRow(location: RecordLocation, row: AwinRow, merchants: Merchants): RawDeal | Excluded {
  const id = row.text('merchant_id') ?? '';
  const merchant = merchants.get(id);
  const { settings, columns, places, readFacts, excludes } = merchant ?? UNKNOWN_MERCHANT;
  const title = row.text('product_name') ?? '';
  const type = findProductTypeInName(title) ?? excludes(title);
  if (type !== undefined) return excluded(noticeAt(location, type, { field: 'product_name', found: showFound(title) }));
  const facts = merchant === undefined ? NO_FACTS : readFacts(row.text);
  if (settings.searchPrice === 'handset' && facts.fields.monthlyCost === undefined && facts.unread.length === 0) {
    const found = row.text('search_price') ?? '';
    return excluded(noticeAt(location, 'no-contract', { field: 'search_price', found }));
  }

  const used = findUsedCategory(row);
  const own: RawFields = {
    ...readColumns(columns, row.text),
    gtin: textField(readGtin(row)),
    condition: conditionField(row.text('condition') ?? used),
    productImage: textField(readImageUrl(row)),
    inStock: readStock(row),
  };
  const { constants, missingAllowance } = settings;
  return {
    location,
    fields: mergeFields(own, facts, constants),
    places,
    retailer:
      constants.retailer === undefined ? { names: [row.text('merchant_name') ?? []].flat(), feedIds: [id] } : undefined,
    texts: [title, used ?? ''],
    missingAllowance,
    conflict:
      merchant === undefined
        ? unknownMerchantNotice(location, row, merchants)
        : findConflict(location, own, facts, constants, places, `merchants.${id}.patterns`),
  };
}

function unknownMerchantNotice(location: RecordLocation, row: AwinRow, merchants: Merchants): RawDeal['conflict'] {
  const id = row.text('merchant_id') ?? '';
  return noticeAt(location, 'unknown-merchant', {
    field: 'merchant_id',
    expected: merchants.size === 0 ? 'a merchant of the configuration' : `one of ${[...merchants.keys()].join(', ')}`,
    found: showFound(
      [row.text('merchant_id'), row.text('merchant_name')].filter((text) => text !== undefined).join(' '),
    ),
    remedy: `add ${quote(id)}: { "patterns": { "product_name": [ … ] } } to \`merchants\` of the feed, or { "leaveOut": { "not-a-phone": ["{*}"] } } when it sells no phones`,
  });
}

/** The category or link of a merchant's used phones, which replaces a missing condition column. */
function findUsedCategory(row: AwinRow): string | undefined {
  return [row.text('merchant_category'), row.text('merchant_deep_link')].find((text) => saysNotNew(text ?? ''));
}
