import { findNearest } from '../../data/report/find-nearest.ts';
import type { Subject } from '../../data/report/subject.ts';
import { listEditorialWords } from './find-editorial.ts';
import type { SnapshotRecords } from './find-records.ts';
import { readValues, type RecordLines } from './record-lines.ts';

/** What may have been meant by a word that nothing is called: products whose names hold it, else the nearest words. */
export function findNearestRecords({ lines, index }: SnapshotRecords, subject: Subject): readonly string[] {
  const { products, productNameKeys } = index;
  const key = subject.deal?.key ?? subject.text;
  const leftOut = listLeftOut(lines);
  const steps = findNearest(subject, {
    products,
    productNameKeys,
    unmatchedNames: leftOut.names,
    others: [
      [subject.name, listEditorialWords(index)],
      [key, listKeys(lines)],
      [key, leftOut.records],
    ],
  });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function* listKeys(lines: RecordLines): Generator<string> {
  for (const { key } of readValues(lines, 'provenance.ndjson')) yield* key;
}

function listLeftOut(lines: RecordLines): { readonly names: string[]; readonly records: readonly string[] } {
  const [all, records] = [new Set<string>(), new Set<string>()];
  for (const { record, names = [] } of readValues(lines, 'quarantine.ndjson')) {
    if (record !== undefined) records.add(record);
    for (const name of names) all.add(name);
  }
  return { names: [...all], records: [...records] };
}
