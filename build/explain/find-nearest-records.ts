import { findNearestWord } from '../../data/query/nearest-word.ts';
import { normaliseName, type Subject } from '../../data/report/subject.ts';
import { listEditorialWords } from './find-editorial.ts';
import type { SnapshotRecords } from './find-records.ts';

const NEAREST_COUNT = 5;

/** What may have been meant by a word that nothing is called: products whose names hold it, else the nearest words. */
export function findNearestRecords({ lines, index }: SnapshotRecords, subject: Subject): readonly string[] {
  const words = subject.name.split(' ').filter((word) => word !== '');
  const holding = index.products
    .filter(({ name, slug }) => words.every((word) => `${normaliseName(name)} ${slug}`.includes(word)))
    .map(({ id, condition, name }) => `${id}/${condition} ${JSON.stringify(name)}`);
  if (words.length > 0 && holding.length > 0) return holding.slice(0, NEAREST_COUNT);
  const key = subject.deal?.key ?? subject.text;
  const nearest = [
    findNearestWord(subject.text, new Set(index.products.map(({ id }) => id))),
    findNearestWord(subject.text, new Set(index.products.map(({ slug }) => slug))),
    findNearestWord(subject.name, new Set(index.productNameKeys)),
    findNearestWord(subject.name, listEditorialWords(index)),
    findNearestWord(key, listKeys(lines)),
    findNearestWord(key, listLeftOut(lines)),
  ];
  return [...new Set(nearest.filter((word) => word !== undefined))];
}

type Lines = SnapshotRecords['lines'];

function* listKeys(lines: Lines): Generator<string> {
  for (const { key } of lines('provenance.ndjson')) yield* key;
}

function* listLeftOut(lines: Lines): Generator<string> {
  for (const { record } of lines('quarantine.ndjson')) if (record !== undefined) yield record;
}
