import type { SupplierReference } from '../../data/record/deal.ts';
import { parsePence } from '../../data/record/money.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { SchemaFault } from '../source/schema-fault.ts';
import type { FeedItem } from './adapter.ts';
import { parseAllowance } from './allowance-text.ts';
import { dealItem, type DealDraft } from './deal-item.ts';
import { PRODUCT_COLUMNS, type DealField } from './deals-column.ts';
import type { FeedContext } from './feed-adapter.ts';
import { isGtin } from './gtin.ts';
import { foundFacts, leftOut, noticeAt, type RecordPlace } from './notice-place.ts';
import { parseStorage } from './storage-text.ts';
import { isReversed, MOMENT_FORMAT, parseMoment, type Moment } from './validity.ts';

const MEGABYTES_PER_GIGABYTE = 1_000;

const IN_STOCK: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** The field of our own feed that fills each field of the record that has another name. */
const FIELD_OF: Readonly<Record<string, DealField>> = {
  key: 'dealId',
  'product.id': 'productId',
  'product.name': 'productName',
  'product.gtin': 'gtin',
  'product.colour': 'colour',
  'product.condition': 'condition',
  'retailer.key': 'retailer',
  'network.key': 'network',
  dataMegabytes: 'dataGb',
  upfrontPence: 'upfrontCost',
  monthlyPence: 'monthlyCost',
  statedTotalPence: 'totalCost',
  cashbackPence: 'cashbackValue',
  link: 'dealLink',
};

/** What a file has in the place of one field of a deal. */
export interface FieldCell {
  /** In the spelling of our own feed; undefined when what the file has cannot be brought into it. */
  readonly text: string | undefined;
  /** As the file has it. */
  readonly found: string;
  /** The same, where it is no text. */
  readonly value?: number | boolean;
  /** What the file should have, where that is not what our own feed should have. */
  readonly expected?: string | undefined;
}

/** The fields of a deal, wherever a format has them. */
export interface DealFields {
  /** Whether there is something for the field, where that can be told without reading it. */
  isFilled?(field: DealField): boolean;
  /** Undefined when the file has nothing for the field. */
  cell(field: DealField): FieldCell | undefined;
  /** What the file calls the field, for messages. */
  nameOf(field: DealField): string;
  /** What to do about a text that cannot be read, where that is not to correct it in the source. */
  remedyOf?(field: DealField, found: string): string | undefined;
}

/** What a format may say of a deal beyond the fields of our own feed. */
export interface DealExtras {
  /** What names the retailer, in place of the field. */
  readonly retailer?: Partial<SupplierReference> | undefined;
  /** A text of the record other than the name says that the phone is not new. */
  readonly saysNotNew?: boolean;
  /** Why the record is not to be trusted, unless a rule leaves it out anyway. */
  readonly doubt?: Notice | undefined;
}

/**
 * One deal, by the rules that hold for every feed: what is out of stock or not valid today is out of scope, whatever
 * else is wrong with it; a missing allowance means what the configuration says; half a cashback is dropped.
 */
export function readDeal(
  place: RecordPlace,
  fields: DealFields,
  context: FeedContext,
  extras: DealExtras = {},
): FeedItem {
  context.fields.countDeal(fields);
  const faults: SchemaFault[] = [];
  const record = { ...place, record: fields.cell('dealId')?.text };
  const parser = new FieldParser(fields, faults);

  const scope = checkScope(record, parser, context);
  if (scope !== undefined && faults.length === 0) return leftOut(scope, readProduct(parser, extras, context));
  if (extras.doubt !== undefined) return leftOut(extras.doubt, readProduct(parser, extras, context));

  const allowances = readAllowances(parser, context);
  const key = parser.required('dealId', 'a text');
  const product = readProduct(parser, extras, context);
  const draft: DealDraft = {
    key,
    product,
    retailer: extras.retailer ?? { key: parser.required('retailer', 'an id, slug, name or alias') },
    network: { key: parser.required('network', 'an id, slug, name or alias') },
    dealType: parser.text('dealType'),
    contractName: parser.required('contractName', 'a text'),
    contractMonths: parser.months('contractMonths'),
    ...allowances.values,
    upfrontPence: parser.requiredPence('upfrontCost'),
    monthlyPence: parser.requiredPence('monthlyCost'),
    statedTotalPence: parser.pence('totalCost'),
    gift: parser.text('gift'),
    link: parser.required('dealLink', 'an http or https URL'),
    productImage: parser.text('productImage'),
  };
  const notices: Notice[] = [];
  const cashback = readCashback(record, parser, notices);
  const [missing] = allowances.missing;
  if (missing !== undefined && faults.length === 0) {
    const facts = { field: fields.nameOf(missing), expected: 'a number or unlimited' };
    return leftOut(noticeAt(record, 'missing-allowance', facts), product);
  }
  return dealItem(record, { ...draft, ...cashback }, faults, notices, (fault) => {
    const field = FIELD_OF[fault.path];
    if (field === undefined) return fault;
    return { ...fault, path: fields.nameOf(field), found: fields.cell(field)?.value ?? fault.found };
  });
}

/** What leaves the deal out, whatever else is wrong with it: stock first, then a validity that is none, then validity. */
function checkScope(place: RecordPlace, parser: FieldParser, { time }: FeedContext): Notice | undefined {
  const inStock = parser.inStock();
  const from = parser.moment('validFrom');
  const to = parser.moment('validTo');
  if (inStock === false) {
    return noticeAt(place, 'out-of-stock', { field: parser.nameOf('inStock'), ...parser.shown('inStock') });
  }
  if (isReversed(from, to)) {
    const expected = `a time after ${parser.nameOf('validFrom')}`;
    return noticeAt(place, 'contradictory-facts', {
      field: parser.nameOf('validTo'),
      ...parser.shown('validTo'),
      expected,
    });
  }
  if (time.isWithin(from, to)) return undefined;
  const hasBegun = time.isWithin(from, undefined);
  const field = hasBegun ? 'validTo' : 'validFrom';
  // Without the time of the build, so that the notice stays the same from night to night.
  const expected = hasBegun ? 'a time that is not over' : 'a time that has come';
  return noticeAt(place, 'not-valid-today', { field: parser.nameOf(field), ...parser.shown(field), expected });
}

function readProduct(parser: FieldParser, { saysNotNew }: DealExtras, { conditionWords }: FeedContext): object {
  const [id, name, gtin] = [parser.text('productId'), parser.text('productName'), parser.text('gtin')];
  if (id === undefined && name === undefined && gtin === undefined) {
    parser.fault('productId', `one of ${PRODUCT_COLUMNS.map((field) => parser.nameOf(field)).join(', ')}`, undefined);
  }
  if (gtin !== undefined && !isGtin(gtin)) {
    parser.fault('gtin', '8, 12, 13 or 14 digits of which the last is the check digit', gtin);
  }
  return {
    id,
    feedIds: [],
    gtin,
    name,
    colour: parser.text('colour'),
    storage: parser.storage(),
    condition: parser.text('condition'),
    ...(saysNotNew === true && { saysNotNew }),
    ...(conditionWords === 'refurbished' && { conditionWords }),
  };
}

function readAllowances(
  parser: FieldParser,
  context: FeedContext,
): { readonly values: Partial<DealDraft>; readonly missing: readonly DealField[] } {
  const missing: DealField[] = [];
  const read = (field: DealField, unit: number, expected: string): unknown => {
    const text = parser.text(field);
    if (text === undefined) {
      if (parser.isUnreadable(field)) return undefined;
      if (context.missingAllowance === 'unlimited') return 'unlimited';
      missing.push(field);
      return undefined;
    }
    return parseAllowance(text, unit) ?? parser.fault(field, expected, text);
  };
  const values = {
    dataMegabytes: read('dataGb', MEGABYTES_PER_GIGABYTE, 'gigabytes with at most three decimals, or unlimited'),
    callMinutes: read('callMinutes', 1, 'a whole number or unlimited'),
    textMessages: read('textMessages', 1, 'a whole number or unlimited'),
  };
  return { values, missing };
}

/** A cashback needs both its type and its amount; an amount of 0 is none. */
function readCashback(place: RecordPlace, parser: FieldParser, notices: Notice[]): Partial<DealDraft> {
  const cashbackType = parser.text('cashbackType');
  const cashbackPence = parser.pence('cashbackValue');
  if (cashbackPence === 0) return {};
  if (cashbackType !== undefined && cashbackPence !== undefined) return { cashbackType, cashbackPence };
  if (cashbackType !== undefined) {
    const field = parser.nameOf('cashbackValue');
    notices.push(noticeAt(place, 'half-cashback', { field, expected: 'an amount', found: cashbackType }));
  } else if (cashbackPence !== undefined) {
    const facts = { field: parser.nameOf('cashbackType'), expected: 'a type', ...parser.shown('cashbackValue') };
    notices.push(noticeAt(place, 'half-cashback', facts));
  }
  return {};
}

/** Reads the fields of one deal by their formats, and collects what does not follow them. */
class FieldParser {
  readonly #fields: DealFields;
  readonly #faults: SchemaFault[];

  constructor(fields: DealFields, faults: SchemaFault[]) {
    this.#fields = fields;
    this.#faults = faults;
  }

  nameOf(field: DealField): string {
    return this.#fields.nameOf(field);
  }

  /** Undefined when there is nothing, and when what is there cannot be read: then that is a fault. */
  text(field: DealField): string | undefined {
    const cell = this.#fields.cell(field);
    if (cell === undefined || cell.text !== undefined) return cell?.text;
    return this.fault(field, cell.expected ?? 'another text', cell.found);
  }

  isUnreadable(field: DealField): boolean {
    const cell = this.#fields.cell(field);
    return cell !== undefined && cell.text === undefined;
  }

  shown(field: DealField): Pick<Notice, 'found' | 'isFoundJson'> {
    const cell = this.#fields.cell(field);
    return foundFacts(cell?.value ?? cell?.found ?? '');
  }

  required(field: DealField, expected: string): string | undefined {
    const text = this.text(field);
    return text === undefined && !this.isUnreadable(field) ? this.fault(field, expected, undefined) : text;
  }

  pence(field: DealField): number | undefined {
    return this.#parsePence(field, this.text(field));
  }

  requiredPence(field: DealField): number | undefined {
    return this.#parsePence(field, this.required(field, 'an amount such as 29.99'));
  }

  months(field: DealField): number | undefined {
    const expected = 'a whole number of months, 1 to 120';
    const text = this.required(field, expected);
    if (text === undefined) return undefined;
    const months = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
    return months >= 1 && months <= 120 ? months : this.fault(field, expected, text);
  }

  moment(field: DealField): Moment | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    return parseMoment(text) ?? this.fault(field, MOMENT_FORMAT, text);
  }

  storage(): string | undefined {
    const text = this.text('storage');
    if (text === undefined) return undefined;
    return parseStorage(text) ?? this.fault('storage', 'a size such as 128GB, 1TB or 128', text);
  }

  /** Undefined when the feed does not say. */
  inStock(): boolean | undefined {
    const text = this.text('inStock');
    if (text === undefined) return undefined;
    return IN_STOCK.get(text.toLowerCase()) ?? this.fault('inStock', 'true or false', text);
  }

  fault(field: DealField, expected: string, found: unknown): undefined {
    const cell = found === undefined ? undefined : this.#fields.cell(field);
    this.#faults.push({
      path: this.nameOf(field),
      expected: cell?.expected ?? expected,
      found: cell?.value ?? cell?.found ?? found,
      remedy: cell === undefined ? undefined : this.#fields.remedyOf?.(field, cell.found),
    });
    return undefined;
  }

  #parsePence(field: DealField, text: string | undefined): number | undefined {
    return text === undefined ? undefined : (parsePence(text) ?? this.fault(field, 'an amount such as 29.99', text));
  }
}
