import type { Notice } from '../../data/report/notice.ts';
import type { FieldCount } from '../../data/report/summary.ts';
import type { ValidityWindow } from '../adapt/deal/dates.ts';
import type { CollectedFeed } from '../join/collect-feed.ts';
import { GrowableNumberColumn, GrowableTextColumn } from '../join/columns.ts';
import { createNumberColumns, DealTable, NUMBER_COLUMNS } from '../join/deal-table.ts';
import type { FileDigest } from '../source/open-file.ts';
import type { SectionReader, SectionWriter } from './sections.ts';

/** A feed that was read to its end, up to where its deals meet those of other feeds. */
export interface WholeFeed {
  readonly collected: CollectedFeed;
  readonly readCount: number;
  /** The notices in the ledger about the feed, in their order. */
  readonly notices: readonly Notice[];
  readonly files: readonly FileDigest[];
  /** The counts of filled fields. */
  readonly fields: readonly FieldCount[];
  /** The time in which the same files give the same result. */
  readonly era: ValidityWindow;
}

/** The part of a feed that is small. */
export type FeedHead = Omit<WholeFeed, 'collected' | 'notices'>;

export function headOf({ readCount, files, fields, era }: WholeFeed): FeedHead {
  return { readCount, files, fields, era };
}

// The one format of a feed outside the thread that has read it: of a file of the cache, and of a message of a worker.
// Columns are as they are in memory, everything else is lines of JSON. `readFeedSections` reads what
// `writeFeedSections` wrote, in the same order. The writer is this program (a file has a hash, and the code fingerprint
// in its head), which makes every cast safe.

export function writeFeedSections(writer: SectionWriter, { collected, notices }: WholeFeed): void {
  const { deals, entries, repeated } = collected;
  for (const name of NUMBER_COLUMNS) writer.numbers(deals.columns[name].values());
  for (const column of [deals.key, deals.linkPart]) {
    const { ends, bytes, wide } = column.parts();
    writer.numbers(ends);
    writer.bytes(bytes);
    writer.values(wide);
  }
  writer.values(deals.notices);
  writer.values(entries.plans);
  writer.values(entries.gifts);
  writer.values(entries.cashbacks);
  writer.values(entries.pictures);
  writer.values(entries.matches);
  writer.values(entries.files);
  writer.values(entries.linkTemplates);
  writer.numbers(repeated.dropped);
  writer.numbers(repeated.kept);
  writer.values(collected.unmatchedNames);
  writer.values(collected.usedRules);
  writer.values(notices);
}

export function readFeedSections(reader: SectionReader, { readCount, files, fields, era }: FeedHead): WholeFeed {
  const collected = readCollected(reader);
  return { collected, notices: readAll(reader), readCount, files, fields, era };
}

function readCollected(reader: SectionReader): CollectedFeed {
  const deals = new DealTable({
    numbers: createNumberColumns((name) => GrowableNumberColumn.of(name, reader.numbers())),
    key: readTexts(reader, 'key'),
    linkPart: readTexts(reader, 'linkPart'),
  });
  for (const [row, notices] of readAll<[number, Notice[]]>(reader)) deals.notices.set(row, notices);
  return {
    deals,
    entries: {
      plans: readAll(reader),
      gifts: readAll(reader),
      cashbacks: readAll(reader),
      pictures: readAll(reader),
      matches: readAll(reader),
      files: readAll(reader),
      linkTemplates: readAll(reader),
    },
    repeated: { dropped: reader.numbers(), kept: reader.numbers() },
    unmatchedNames: readAll(reader),
    usedRules: readAll(reader),
  };
}

function readTexts(reader: SectionReader, name: string): GrowableTextColumn {
  const ends = reader.numbers();
  const bytes = reader.bytes();
  return GrowableTextColumn.of(name, { ends, bytes, wide: readAll(reader) });
}

function readAll<Value>(reader: SectionReader): Value[] {
  return [...reader.values()] as Value[];
}
