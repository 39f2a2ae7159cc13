import type { DealRecord, SupplierReference } from '../../data/record/deal.ts';
import type { Notice } from '../../data/report/notice.ts';
import type { OpenedFile } from '../source/open-file.ts';
import type { SourceLocation } from '../source/record.ts';
import type { FeedField } from './fields.ts';

/** The text of a field, as an adapter found it. */
export interface RawField {
  /** In the spelling of our own feed; undefined when the value cannot be spelled so. */
  readonly text: string | undefined;
  readonly found: string;
  /** The same, if it is not a text. */
  readonly value?: number | boolean;
  /** The expected value in the file, if it differs from that of our own feed. */
  readonly expected?: string | undefined;
  /** The place of this value in the file, if it is not the usual one of the field. */
  readonly place?: string;
  /** The remedy for a text that cannot be read, if it is not to correct the source. */
  readonly remedy?: ((found: string) => string | undefined) | undefined;
}

export type RawFields = Partial<Record<FeedField, RawField | undefined>>;

/** A record of a feed: texts under our names, with file and line. */
export interface RawDeal {
  readonly location: SourceLocation;
  readonly fields: RawFields;
  /** What the file calls the fields, for messages. Absent in our own feed, whose names are ours. */
  readonly places?: Readonly<Partial<Record<FeedField, string>>>;
  /** The feed's own ids of the product, most exact first. */
  readonly feedIds?: readonly string[];
  /** Retailer and network where a feed has several texts for them, or an id of its own. */
  readonly retailer?: Partial<SupplierReference> | undefined;
  readonly network?: Partial<SupplierReference> | undefined;
  /** Other texts about the phone, such as a title, which may say that it is not new. */
  readonly texts?: readonly string[];
  readonly missingAllowance?: FeedContext['missingAllowance'];
  /** An amount or a column in another currency than the catalogue's. */
  readonly otherCurrency?: { readonly place: string; readonly found: string } | undefined;
  /** The notice that quarantines the record, unless a rule excludes it. */
  readonly conflict?: Notice | undefined;
}

/** A deal of a feed that goes on to the catalogue. */
export interface FeedDeal {
  readonly kind: 'deal';
  readonly deal: DealRecord;
  readonly origin: SourceLocation;
  /** Notices about the deal (`half-cashback`). */
  readonly notices: readonly Notice[];
}

/** A record that is out of scope or quarantined, as its notice says. */
export interface Excluded {
  readonly kind: 'excluded';
  readonly notice: Notice;
  /** What was read of the product reference: people search for a record by the name of its phone. */
  readonly product?: object | undefined;
}

export interface FeedContext {
  readonly missingAllowance: 'quarantine' | 'unlimited';
  /** The meaning of words such as `Pristine` in a name where the feed states no condition. */
  readonly conditionWords: 'quarantine' | 'refurbished';
  /** The time of the build, for validity. */
  readonly now: Date;
  /** The code of the catalogue's currency, `GBP`. */
  readonly currency: string;
  /** Takes notices about the whole file (`unknown-column`). */
  note(notice: Notice): void;
}

/**
 * Reads one file of a feed: one raw deal, or the notice that excludes it, for every record, in the order of the file, in
 * batches. A malformed record does not affect the others.
 *
 * @throws {SourceError} when the file cannot be read to its end; the items so far must not be served.
 */
export type FeedAdapter = (file: OpenedFile, context: FeedContext) => AsyncIterable<readonly (RawDeal | Excluded)[]>;

export function locationIn(file: OpenedFile, line: number): SourceLocation {
  return { source: file.source, file: file.path, line };
}

/** @param product what was read of the product reference */
export function excluded(notice: Notice, product?: object): Excluded {
  return { kind: 'excluded', notice, ...(product === undefined ? {} : { product }) };
}
