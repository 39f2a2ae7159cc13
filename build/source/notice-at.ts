import type { Notice } from '../../data/report/notice.ts';
import type { NoticeDetails } from '../ledger/ledger.ts';
import { showFound, TOO_DEEP } from './quote.ts';
import type { SourceLocation } from './record.ts';
import { describeFieldError, type FieldError } from './schema-errors.ts';

/** Where a record is, with its labels as far as they are known. */
export interface RecordLocation extends SourceLocation {
  /** `101/new`, a deal key, a slug. */
  readonly record?: string | undefined;
  /** The slug and the name of a CMS record, for searches. */
  readonly names?: readonly string[] | undefined;
  /** How deals refer to a product. */
  readonly matches?: Notice['matches'];
}

export function noticeAt(location: RecordLocation, { code, ...facts }: NoticeDetails): Notice {
  const { source, file, line, list, record, names = [], matches } = location;
  return {
    code,
    source,
    file,
    line,
    ...(list !== undefined && { list }),
    ...(record !== undefined && { record: record.slice(0, 200) }),
    ...facts,
    ...(names.length > 0 && { names: names.map((name) => name.slice(0, 300)) }),
    ...(matches !== undefined && { matches }),
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
  return noticeAt(location, {
    code: found === undefined ? 'missing-field' : 'malformed-field',
    field: path,
    expected,
    ...(found !== undefined && shownValue(found)),
    ...(others.length > 0
      ? { remedy: `${remedy}, and also ${others.map(describeFieldError).join('; ')}` }
      : first.remedy !== undefined && { remedy }),
  });
}
