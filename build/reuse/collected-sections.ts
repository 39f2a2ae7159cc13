import type { Notice } from '../../data/report/notice.ts';
import type { CollectedFeed } from '../catalogue/collected-feed.ts';
import { createNumberColumns, DealTable, NUMBER_COLUMNS } from '../catalogue/deal-table.ts';
import { NumberColumn } from '../catalogue/number-column.ts';
import { TextColumn } from '../catalogue/text-column.ts';
import type { SectionReader, SectionWriter } from './section-file.ts';

// Columns as they are in memory, everything else as lines of JSON. `readCollected` reads what `writeCollected` wrote, in
// the same order; the hash of the file and the version of the code in its head vouch for every cast.

export function writeCollected(writer: SectionWriter, collected: CollectedFeed): void {
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
}

export function readCollected(reader: SectionReader): CollectedFeed {
  const deals = new DealTable({
    numbers: createNumberColumns((name) => NumberColumn.of(name, reader.numbers())),
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

function readTexts(reader: SectionReader, name: string): TextColumn {
  const ends = reader.numbers();
  const bytes = reader.bytes();
  return TextColumn.of(name, { ends, bytes, wide: readAll(reader) });
}

function readAll<Value>(reader: SectionReader): Value[] {
  return [...reader.values()] as Value[];
}
