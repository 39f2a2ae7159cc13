import { CONDITIONS, type Condition } from '../../data/record/condition.ts';
import { NOTICES, type Notice } from '../../data/report/notice.ts';
import type { Ledger } from './ledger.ts';

/**
 * A product that an export holds and that never became a record, since it is not published or has a fault: no deal is
 * matched with it, but whoever looks for its deals is told of it. It has no line, which moves whenever an editor adds a
 * record before it, and what is said of a feed would have to be said anew each time.
 */
export interface LeftOutProduct {
  /** What reports call it: `101/new`, or as much of that as could be read. */
  readonly key: string;
  readonly id: string;
  /** Undefined when it could not be read. */
  readonly condition: Condition | undefined;
  readonly name: string | undefined;
  readonly matches: Notice['matches'];
  readonly file: string | undefined;
  readonly finding: Pick<Notice, 'code' | 'field' | 'expected'>;
}

/** The products that the adapters of the CMS have left out, in order of source, file and line. */
export function listLeftOutProducts(ledger: Ledger): readonly LeftOutProduct[] {
  return ledger.notices.flatMap((notice) => {
    const { record, names, matches, file, code, field, expected } = notice;
    if (record === undefined || !isOfProduct(notice)) return [];
    const [id = '', ...rest] = record.split('/');
    return {
      key: record,
      id,
      condition: CONDITIONS.find((condition) => condition === rest.join('/')),
      name: names?.at(-1),
      matches,
      file,
      finding: {
        code,
        ...(field !== undefined && { field }),
        ...(expected !== undefined && { expected }),
      },
    };
  });
}

/** `101/new` is a product; so is `101` that lacks a condition, which no other record has. */
function isOfProduct({ code, record = '', field }: Notice): boolean {
  const { outcome } = NOTICES[code];
  if (outcome !== 'quarantined' && outcome !== 'out-of-scope') return false;
  return (
    field === 'condition' ||
    /^[0-9]+\/./.test(record) ||
    CONDITIONS.some((condition) => record.endsWith(`/${condition}`))
  );
}

/** `is not published`, or for which of its fields it is left out. */
export function describeFate({ finding, file }: LeftOutProduct): string {
  const { code, field, expected } = finding;
  const place = file === undefined ? '' : ` (${file})`;
  if (code === 'unpublished') return `is not published${place}`;
  return field === undefined || expected === undefined
    ? `is left out${place}: ${NOTICES[code].meaning}`
    : `is left out${place}, since its ${field} should be ${expected}`;
}
