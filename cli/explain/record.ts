import { MATCH_RULE_MEANINGS, type MatchRule } from '../../data/record/deal.ts';
import { CONDITIONS } from '../../data/record/product.ts';
import { NOTICES, type Notice, type NoticeCode, type Outcome } from '../../data/report/notice.ts';
import type { ProductWithoutDeals } from '../../data/report/report.ts';
import type { SourceLocation } from '../../data/report/source-location.ts';
import type { ExcludedDeals } from '../../data/store/name-search.ts';
import { countDealsOf, explainNotice, listExcludedDeals, variantAt } from '../../data/store/snapshot-search.ts';
import type { EditorialKind, FoundRecord, SnapshotRecords } from './find-records.ts';

/** A notice of the build with the texts of its code. */
export interface ExplainedNotice extends Pick<Notice, 'field' | 'found' | 'isFoundJson' | 'expected'> {
  readonly code: NoticeCode;
  readonly outcome: Outcome;
  readonly meaning: string;
  readonly remedy: string;
}

interface ExplainedMatch {
  readonly product: string;
  readonly rule: MatchRule;
  readonly found: string;
  readonly meaning: string;
}

/** One record, from its file and line to what is served. */
export interface ExplainedRecord {
  readonly kind: 'product' | 'deal' | EditorialKind | 'record';
  /** `101/new`, the key of a deal, or what else the record is called, if anything. */
  readonly record?: string;
  readonly name?: string;
  readonly retailer?: string;
  readonly outcome: 'served' | 'carried-forward' | 'duplicate' | 'quarantined' | 'out-of-scope';
  /** Why its feed is held. */
  readonly heldBecause?: string;
  /** Absent for a notice about a whole file, and for other records without a notice. */
  readonly origin?: SourceLocation;
  readonly match?: ExplainedMatch;
  /** When deals that are carried forward were last found in their source. */
  readonly freshAt?: string;
  /** The rule that leaves the record out. */
  readonly leftOutBy?: ExplainedNotice;
  /** Notices about a served record. */
  readonly notices: readonly ExplainedNotice[];
  /** The deal that stands for this one, or has its id too, and what became of it. */
  readonly other?: ExplainedRecord;
  /** How many deals a product has, and those for it that are not served, by the code that leaves them out. */
  readonly dealCount?: number;
  readonly dealsLeftOut?: readonly ExcludedDeals[];
  /** When a product without a deal last had one. */
  readonly lastDeal?: ProductWithoutDeals['lastDeal'];
  /** What was asked for is a part of its name or slug. */
  readonly isPart?: true;
  /** 1-based place of a deal in the order of total cost: among the deals of its product, and of the catalogue. */
  readonly place?: { readonly inProduct: number; readonly dealCount: number; readonly inCatalogue: number };
}

export function describeRecord(found: FoundRecord, records: SnapshotRecords): ExplainedRecord {
  switch (found.kind) {
    case 'product':
      return describeProduct(found, records);
    case 'deal':
      return describeDeal(found, records);
    case 'editorial':
      return describeEditorial(found);
    case 'noted':
      return {
        kind: 'record',
        ...(found.notice.record === undefined ? {} : { record: found.notice.record }),
        outcome: 'served',
        ...originOf(found.notice),
        notices: [describeNotice(found.notice)],
      };
    case 'left-out':
      return describeLeftOut(found, records);
  }
}

function describeEditorial({
  of,
  id,
  slug,
  name,
  notices,
}: Extract<FoundRecord, { kind: 'editorial' }>): ExplainedRecord {
  const [notice] = notices;
  return {
    kind: of,
    record: id ?? slug,
    name,
    outcome: 'served',
    ...(notice === undefined ? {} : originOf(notice)),
    notices: notices.map(describeNotice),
  };
}

function originOf({ source, file, line }: Notice): Pick<ExplainedRecord, 'origin'> {
  return file === undefined || line === undefined ? {} : { origin: { source, file, line } };
}

function describeProduct(
  { row, origin, isExact, leftOut, notices }: Extract<FoundRecord, { kind: 'product' }>,
  records: SnapshotRecords,
): ExplainedRecord {
  const { index } = records;
  return {
    kind: 'product',
    record: variantAt(index, row),
    name: index.products[row]?.name ?? '',
    ...outcomeOf(origin, records),
    origin,
    notices: notices.map(describeNotice),
    dealCount: countDealsOf(index, row),
    dealsLeftOut: listExcludedDeals({ leftOut }),
    ...(isExact ? {} : { isPart: true }),
  };
}

function describeDeal(
  { row, product, key, retailer, origin, match, notices }: Extract<FoundRecord, { kind: 'deal' }>,
  records: SnapshotRecords,
): ExplainedRecord {
  const { index } = records;
  const dealCount = countDealsOf(index, product);
  return {
    kind: 'deal',
    record: key,
    ...(retailer === undefined ? {} : { retailer }),
    ...outcomeOf(origin, records),
    origin,
    match: { product: variantAt(index, product), ...match, meaning: MATCH_RULE_MEANINGS[match.rule] },
    notices: notices.map(describeNotice),
    ...(row === undefined
      ? {}
      : {
          place: {
            inProduct: row - index.firstDeal(product) + 1,
            dealCount,
            inCatalogue: index.deals.rank.at(row) + 1,
          },
        }),
  };
}

function describeLeftOut(
  { of, notice, other }: Extract<FoundRecord, { kind: 'left-out' }>,
  records: SnapshotRecords,
): ExplainedRecord {
  const { record, retailer } = notice;
  const name = notice.names?.at(-1);
  return {
    kind: kindOf(of, record),
    ...(record === undefined ? {} : { record }),
    ...(name === undefined ? {} : { name }),
    ...(retailer === undefined ? {} : { retailer }),
    outcome: leftOutOutcome(notice.code),
    ...originOf(notice),
    leftOutBy: describeNotice(notice),
    notices: [],
    ...(other === undefined ? {} : { other: describeRecord(other, records) }),
  };
}

/** The kind of a record that could not be read, by its name: `101/new` is a product. */
function kindOf(of: 'cms' | 'feed', record: string | undefined): ExplainedRecord['kind'] {
  if (of === 'feed') return 'deal';
  return CONDITIONS.some((condition) => record?.endsWith(`/${condition}`) === true) ? 'product' : 'record';
}

function outcomeOf(
  { source }: SourceLocation,
  { sources }: SnapshotRecords,
): Pick<ExplainedRecord, 'outcome' | 'freshAt' | 'heldBecause'> {
  const known = sources.find(({ name }) => name === source);
  if (known?.state !== 'carried-forward') return { outcome: 'served' };
  const { freshAt, heldBecause } = known;
  return {
    outcome: 'carried-forward',
    ...(freshAt === undefined ? {} : { freshAt }),
    ...(heldBecause === undefined ? {} : { heldBecause }),
  };
}

function leftOutOutcome(code: NoticeCode): ExplainedRecord['outcome'] {
  const { outcome } = NOTICES[code];
  if (outcome === 'notice' || outcome === 'source') throw new Error(`${code} does not leave a record out`);
  return outcome;
}

function describeNotice(notice: Notice): ExplainedNotice {
  const { code, field, found, isFoundJson, expected } = notice;
  const { outcome, meaning, remedy } = explainNotice(notice);
  return {
    code,
    outcome,
    meaning,
    ...(field === undefined ? {} : { field }),
    ...(found === undefined ? {} : { found }),
    ...(isFoundJson === undefined ? {} : { isFoundJson }),
    ...(expected === undefined ? {} : { expected }),
    remedy,
  };
}
