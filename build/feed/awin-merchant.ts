import { saysNotNew } from '../../data/record/condition-words.ts';
import { noticeAt, type RecordLocation } from '../source/notice-at.ts';
import { quote, showFound } from '../source/quote.ts';
import { SHARED_COLUMNS, type AwinRow } from './awin-row.ts';
import type { AwinMerchant } from './feed-settings.ts';
import { compileExcludeMatcher, findProductTypeInName, type ExcludeMatcher } from './product-type.ts';
import { excluded, type Excluded, type RawDeal } from './raw-deal.ts';
import { compileReader, type RecordReader } from './read-record.ts';

/** A merchant whose rows have no telecom columns: the patterns of its texts give the deal. */
interface Merchant {
  readonly settings: AwinMerchant;
  readonly reader: RecordReader<AwinRow>;
  readonly excludes: ExcludeMatcher;
}

/** The merchants of a feed, by `merchant_id`. */
export type Merchants = ReadonlyMap<string, Merchant>;

const UNKNOWN_MERCHANT = compileMerchant('', { patterns: {}, leaveOut: {}, constants: {} });

export function compileMerchants(settings: Readonly<Record<string, AwinMerchant>>): Merchants {
  return new Map(Object.entries(settings).map(([id, merchant]) => [id, compileMerchant(id, merchant)]));
}

function compileMerchant(id: string, settings: AwinMerchant): Merchant {
  const { searchPrice } = settings;
  const reader = compileReader<AwinRow>(
    {
      ...SHARED_COLUMNS,
      condition: { column: 'condition', read: (row) => row.text('condition') ?? findUsedCategory(row) },
      colour: 'colour',
      retailer: { column: ['merchant_name', 'merchant_id'] },
      ...(searchPrice === 'upfront' && { upfrontCost: 'search_price' }),
      ...(searchPrice === 'monthly' && { monthlyCost: 'search_price' }),
    },
    { ...settings, hasExcessZeros: true, patternsPath: `merchants.${id}.patterns` },
  );
  return { settings, reader, excludes: compileExcludeMatcher(settings.leaveOut) };
}

export function readMerchantRow(location: RecordLocation, row: AwinRow, merchants: Merchants): RawDeal | Excluded {
  const id = row.text('merchant_id') ?? '';
  const merchant = merchants.get(id);
  const { settings, reader, excludes } = merchant ?? UNKNOWN_MERCHANT;
  const title = row.text('product_name') ?? '';
  const type = findProductTypeInName(title) ?? excludes(title);
  if (type !== undefined)
    return excluded(noticeAt(location, { code: type, field: 'product_name', found: showFound(title) }));
  const { fields, conflict, facts } = reader.read(location, row);
  if (settings.searchPrice === 'handset' && facts.fields.monthlyCost === undefined && facts.unread.length === 0) {
    const found = row.text('search_price') ?? '';
    return excluded(noticeAt(location, { code: 'no-contract', field: 'search_price', found }));
  }
  const { constants, missingAllowance } = settings;
  return {
    location,
    fields,
    places: reader.places,
    retailer:
      constants.retailer === undefined ? { names: [row.text('merchant_name') ?? []].flat(), feedIds: [id] } : undefined,
    texts: [title, findUsedCategory(row) ?? ''],
    missingAllowance,
    conflict: merchant === undefined ? unknownMerchantNotice(location, row, merchants) : conflict,
  };
}

function unknownMerchantNotice(location: RecordLocation, row: AwinRow, merchants: Merchants): RawDeal['conflict'] {
  const id = row.text('merchant_id') ?? '';
  return noticeAt(location, {
    code: 'unknown-merchant',
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
