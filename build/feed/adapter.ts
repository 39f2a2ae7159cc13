import { compareCodeUnits } from '../../data/record/id.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import type { OpenedFile } from '../source/open-file.ts';
import { showFound, TOO_DEEP } from '../source/quote.ts';
import type { ReadResult, SourceLocation } from '../source/record.ts';
import { describeFieldError, type FieldError } from '../source/schema-errors.ts';
import { DEALS_COLUMNS, type DealsColumn, type FieldReader } from './fields.ts';

export interface FeedContext {
  /** The name of the feed in the configuration. */
  readonly source: string;
  readonly missingAllowance: 'quarantine' | 'unlimited';
  /** The meaning of words such as `Pristine` in a name where the feed states no condition. */
  readonly conditionWords: 'quarantine' | 'refurbished';
  /** The time of the build, for validity. */
  readonly now: Date;
  /** The code of the catalogue's currency, `GBP`. */
  readonly currency: string;
  /** Counts how many records fill each field. */
  readonly fields: FieldCounts;
  /** Takes notices about the whole file (`unknown-column`). */
  note(notice: Notice): void;
}

/**
 * Reads one file of a feed: one item for every record, in the order of the file, in batches. A malformed record yields one
 * `excluded` item and does not affect the others.
 *
 * @throws {SourceError} when the file cannot be read to its end; the items so far must not be served.
 */
export type FeedAdapter = (file: OpenedFile, context: FeedContext) => AsyncIterable<readonly ReadResult[]>;

/** Where a record is, with its labels as far as they are known. */
export interface RecordLocation extends SourceLocation {
  /** `101/new`, a deal key, a slug. */
  readonly record?: string | undefined;
  /** The slug and the name of a CMS record, for searches. */
  readonly names?: readonly string[] | undefined;
  /** How deals refer to a product. */
  readonly matches?: Notice['matches'];
}

export function noticeAt(
  location: RecordLocation,
  code: Notice['code'],
  facts: Pick<Notice, 'field' | 'found' | 'isFoundJson' | 'expected' | 'remedy'> = {},
): Notice {
  const { source, file, line, list, record, names = [], matches } = location;
  return {
    code,
    source,
    file,
    line,
    ...(list === undefined ? {} : { list }),
    ...(record === undefined ? {} : { record: record.slice(0, 200) }),
    ...facts,
    ...(names.length === 0 ? {} : { names: names.map((name) => name.slice(0, 300)) }),
    ...(matches === undefined ? {} : { matches }),
  };
}

export function shownValue(found: unknown): Pick<Notice, 'found' | 'isFoundJson'> {
  const shown = showFound(found);
  const isJson = typeof found !== 'string' && shown !== TOO_DEEP;
  return { found: shown, ...(isJson ? { isFoundJson: true } : {}) };
}

/** One notice for all errors of a record: the first error in its fields, the others in its remedy. */
export function fieldErrorNotice(location: RecordLocation, first: FieldError, others: readonly FieldError[]): Notice {
  const { path, expected, found, remedy = 'correct the field' } = first;
  return noticeAt(location, found === undefined ? 'missing-field' : 'malformed-field', {
    field: path,
    expected,
    ...(found !== undefined && shownValue(found)),
    ...(others.length > 0
      ? { remedy: `${remedy}, and also ${others.map(describeFieldError).join('; ')}` }
      : first.remedy !== undefined && { remedy }),
  });
}

/** @param product what was read of the product reference */
export function excluded(notice: Notice, product?: object): ReadResult {
  return { kind: 'excluded', notice, ...(product === undefined ? {} : { product }) };
}

/** Counts the records of a source that fill a field (INPUTS "A field that is gone"), excluded ones too. */
export class FieldCounts {
  readonly #deals = new Uint32Array(DEALS_COLUMNS.length);
  readonly #dealNames = new Map<DealsColumn, string>();
  readonly #others = new Map<string, { filled: number; records: number }>();
  #dealCount = 0;

  countDeal(fields: FieldReader): void {
    this.#dealCount++;
    for (let i = 0; i < DEALS_COLUMNS.length; i++) {
      const field = DEALS_COLUMNS[i] as DealsColumn;
      const isFilled = fields.isFilled?.(field) ?? fields.get(field) !== undefined;
      if (!isFilled) continue;
      if (this.#deals[i] === 0) this.#dealNames.set(field, fields.nameOf(field));
      (this.#deals[i] as number)++;
    }
  }

  /** Counts a field that our own feed does not have. */
  count(field: string, isFilled: boolean): void {
    let count = this.#others.get(field);
    if (count === undefined) {
      count = { filled: 0, records: 0 };
      this.#others.set(field, count);
    }
    count.records++;
    if (isFilled) count.filled++;
  }

  /** Every counted field, filled or not, sorted by name. */
  list(): readonly FieldCount[] {
    const deals = this.#dealCount === 0 ? [] : DEALS_COLUMNS.map((field, i) => this.#listDeal(field, i));
    const others = [...this.#others].map(([field, count]) => ({ field, ...count }));
    return [...deals, ...others].sort((a, b) => compareCodeUnits(a.field, b.field));
  }

  #listDeal(field: DealsColumn, i: number): FieldCount {
    const name = this.#dealNames.get(field) ?? field;
    const count = { filled: this.#deals[i] as number, records: this.#dealCount };
    return name === field ? { field, ...count } : { field, name, ...count };
  }
}
