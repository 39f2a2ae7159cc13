import { showFound } from '../source/quote.ts';
import { FormatCheck } from '../source/other-file.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { peekFirst } from '../source/peek-first.ts';
import { readTextLines } from '../source/text-lines.ts';
import type { FeedItem } from './adapter.ts';
import { compileConstants, type Constants } from './constant-text.ts';
import { parseCondition, saysRefurbished } from './condition-text.ts';
import type { DealField } from './deals-column.ts';
import type { FeedAdapter, FeedContext } from './feed-adapter.ts';
import type { GoogleMerchantSettings } from './feed-settings.ts';
import { compileColumns, namesOf, suggestionsOf, type FieldColumn } from './field-column.ts';
import { findDoubt, gatherFields, type FieldSources } from './gather-fields.ts';
import { readGoogleCost, type GoogleCost } from './google-cost.ts';
import { attributeName, GoogleItem, type GoogleValue } from './google-item.ts';
import { readGoogleJson } from './google-json.ts';
import { spellMoment } from './moment-text.ts';
import type { GoogleRecord } from './google-record.ts';
import { findGoogleScopeRule } from './google-scope.ts';
import { readGoogleTable, REQUIRED_ATTRIBUTES } from './google-table.ts';
import { readGoogleXml } from './google-xml.ts';
import { isGtin } from './gtin.ts';
import { compileLeaveOut, type LeaveOutRule } from './leave-out-rule.ts';
import { leftOut, noticeAt } from './notice-place.ts';
import { findPicture } from './picture-url.ts';
import { readDeal, type FieldCell } from './read-deal.ts';
import { MOMENT_FORMAT } from './validity.ts';
import { compileTextRules, readTextFacts, type TextRule } from './text-facts.ts';

/** The settings of a feed, compiled. */
interface Rules {
  readonly mapping: readonly FieldColumn[];
  readonly textRules: readonly TextRule<'title' | 'description' | 'link'>[];
  readonly leaveOut: LeaveOutRule;
  readonly constants: Constants;
  readonly names: FieldSources['names'];
  readonly remedyOf: NonNullable<FieldSources['remedyOf']>;
  readonly dates: GoogleMerchantSettings['dates'];
}

/** What Google calls the fields that an item has of itself. */
const NAMES: Readonly<Partial<Record<DealField, string>>> = {
  dealId: 'id',
  productName: 'title',
  gtin: 'gtin',
  contractMonths: 'subscription_cost',
  monthlyCost: 'subscription_cost',
  upfrontCost: 'price',
  dealLink: 'link',
  productImage: 'image_link',
  inStock: 'availability',
  validTo: 'expiration_date',
};

/** Whether what is offered can be ordered. */
const AVAILABILITY: ReadonlyMap<string, boolean> = new Map([
  ['in_stock', true],
  ['instock', true],
  ['available', true],
  ['limited_availability', true],
  ['preorder', true],
  ['pre_order', true],
  ['backorder', true],
  ['out_of_stock', false],
  ['outofstock', false],
  ['sold_out', false],
  ['discontinued', false],
]);

/** What is read beside the fields of a deal. */
const COUNTED_ATTRIBUTES = [
  'brand',
  'color',
  'condition',
  'google_product_category',
  'installment',
  'product_type',
  'sale_price',
] as const;

/**
 * Product data in Google's format, which Webgains, CJ and Awin's enhanced feeds write too: a table, RSS or Atom, or JSON
 * lines, told apart by their first character. The format has no attributes for network and allowances: the configuration
 * says where they are.
 */
export function createReadGoogleMerchant(settings: GoogleMerchantSettings): FeedAdapter {
  const mapping = compileColumns('mapping', settings.mapping, { decimal: '.', dates: settings.dates });
  const rules: Rules = {
    mapping,
    textRules: compileTextRules(settings.patterns),
    remedyOf: suggestionsOf(mapping),
    leaveOut: compileLeaveOut(settings.leaveOut),
    constants: compileConstants(settings.constants),
    names: { ...NAMES, ...namesOf(mapping) },
    dates: settings.dates,
  };
  return (file, context) => readFile(file, context, rules);
}

async function* readFile(file: OpenedFile, context: FeedContext, rules: Rules): AsyncGenerator<readonly FeedItem[]> {
  const { first = Buffer.alloc(0), all } = await peekFirst(file.chunks);
  const whole = { ...file, chunks: all };
  const read = (record: GoogleRecord): FeedItem => readRecord(file, context, rules, record);
  const check = new FormatCheck(file, REQUIRED_ATTRIBUTES);
  const readChecked = (record: GoogleRecord): FeedItem => {
    check.take(
      (key) => record.kind === 'item' && record.values.has(key),
      () => showRecord(record),
    );
    return read(record);
  };
  if (isXml(first)) {
    for await (const records of readGoogleXml(whole)) yield records.map(readChecked);
    check.finish();
    return;
  }
  const { first: firstLines = Buffer.alloc(0), all: lines } = await peekFirst(readTextLines(whole));
  if (firstLines.toString('utf8').trimStart().startsWith('{')) {
    for await (const records of readGoogleJson(file, lines, check)) yield records.map(readChecked);
    check.finish();
    return;
  }
  const isMapped = rules.mapping.some(({ field }) => field === 'monthlyCost');
  yield* readGoogleTable(file, firstLines, lines, isMapped ? [] : ['subscription_cost'], read);
}

function showRecord(record: GoogleRecord): string {
  if (record.kind === 'broken') return record.found;
  const show = ([name, [value]]: [string, readonly GoogleValue[]]): string =>
    typeof value === 'string' ? `${name}: ${value}` : name;
  return [...record.values].map(show).join(', ');
}

/** Whatever its encoding, the first character that is no mark and no blank is `<`. */
function isXml(first: Buffer): boolean {
  return /^[^!-~]*</.test(first.toString('latin1', 0, 64));
}

function readRecord(file: OpenedFile, context: FeedContext, rules: Rules, record: GoogleRecord): FeedItem {
  const place = { source: file.source, file: file.path, line: record.line };
  if (record.kind === 'broken') {
    const { expected, found, id } = record;
    return leftOut(noticeAt({ ...place, record: id }, 'malformed-record', { expected, found: showFound(found) }));
  }
  const item = new GoogleItem(record.values);
  const deal = { ...place, record: item.text('id') };
  const rule = findGoogleScopeRule(item, rules.leaveOut);
  if (rule !== undefined) {
    return leftOut(noticeAt(deal, rule.code, { field: rule.field, found: showFound(rule.found) }));
  }
  const cost = readGoogleCost(item, context.time, context.currency);
  const own = readOwnCells(item, rules, cost);
  const facts = readTextFacts(rules.textRules, (column) => item.text(column));
  if (!own.has('monthlyCost') && !facts.values.has('monthlyCost') && rules.constants.monthlyCost === undefined) {
    const expected = 'a subscription such as month:24:35.00 GBP';
    return leftOut(noticeAt(deal, 'no-contract', { field: 'subscription_cost', expected }));
  }
  if (cost.otherCurrency !== undefined) {
    const { attribute, found } = cost.otherCurrency;
    const expected = `an amount in ${context.currency}`;
    return leftOut(noticeAt(deal, 'wrong-currency', { field: attribute, expected, found: showFound(found) }));
  }
  for (const name of COUNTED_ATTRIBUTES) context.fields.count(name, item.text(name) !== undefined);
  const { constants, names, remedyOf } = rules;
  const sources = { own, facts, constants, names, remedyOf };
  return readDeal(deal, gatherFields(sources), context, {
    saysNotNew: saysRefurbished(item.text('title') ?? ''),
    doubt: findDoubt(deal, sources, 'patterns'),
  });
}

function readOwnCells(item: GoogleItem, rules: Rules, cost: GoogleCost): ReadonlyMap<DealField, FieldCell> {
  const cells = new Map<DealField, FieldCell>(cost.cells);
  const set = (field: DealField, text: string | undefined): void => {
    if (text !== undefined) cells.set(field, { text, found: text });
  };
  const gtin = item.text('gtin');
  set('dealId', item.text('id'));
  set('productName', nameOf(item));
  set('gtin', gtin !== undefined && isGtin(gtin) ? gtin : undefined);
  set('colour', item.text('color'));
  set('dealLink', item.text('link'));
  set('productImage', findPicture([item.text('image_link'), item.text('additional_image_link')]));
  const expires = item.text('expiration_date');
  if (expires !== undefined)
    cells.set('validTo', { text: spellMoment(expires, rules.dates), found: expires, expected: MOMENT_FORMAT });
  const availability = item.text('availability');
  if (availability !== undefined) cells.set('inStock', readAvailability(availability));
  const condition = item.text('condition');
  if (condition !== undefined) {
    const expected = 'new, refurbished or used';
    cells.set('condition', { text: parseCondition(condition), found: condition, expected });
  }
  for (const { field, text, read } of rules.mapping) {
    const cell = read(text.fill((name) => item.text(attributeOf(name))) ?? '');
    if (cell === undefined) cells.delete(field);
    else cells.set(field, cell);
  }
  return cells;
}

function attributeOf(name: string): string {
  return name.startsWith('product_detail:') ? name : attributeName(name);
}

/** Titles often leave the maker to `brand`. */
function nameOf(item: GoogleItem): string | undefined {
  const [brand, title] = [item.text('brand'), item.text('title')];
  if (title === undefined || brand === undefined) return title;
  return title.toLowerCase().includes(brand.toLowerCase()) ? title : `${brand} ${title}`;
}

function readAvailability(found: string): FieldCell {
  const isAvailable = AVAILABILITY.get(found.toLowerCase().replace(/[\s-]+/g, '_'));
  const text = isAvailable === undefined ? undefined : String(isAvailable);
  return { text, found, expected: 'in_stock, out_of_stock, preorder or backorder' };
}
