import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import { hashText } from '../deals/hash-text.ts';

/** What a snapshot or a build says of its records, by key (`101/new`) or id. */
export type ComparedRecords = Readonly<Record<'products' | 'networks' | 'retailers', ReadonlyMap<string, RecordFacts>>>;

const FACTS = ['name', 'slug', 'manufacturer', 'content', 'pageContent', 'metaData', 'specs'] as const;

/** What a record of the CMS says; empty where it says nothing. Objects are hashes. */
export type RecordFacts = Readonly<Record<(typeof FACTS)[number], string>>;

/** A record as the CMS has it, or as a snapshot has it. */
type DescribedRecord = Parameters<typeof recordKey>[0] & Partial<Record<(typeof FACTS)[number], string | object>>;

export function describeRecords(records: Iterable<DescribedRecord>): ReadonlyMap<string, RecordFacts> {
  return new Map(
    Array.from(records, (record) => {
      const facts = FACTS.map((fact) => [fact, describeFact(record[fact])]);
      return [recordKey(record), Object.fromEntries(facts) as RecordFacts];
    }),
  );
}

/** Empty where an object has no text; the same for any order of its keys. */
function describeFact(value: string | object = ''): string {
  if (typeof value === 'string') return value;
  const texts = Object.entries(value).filter(([, text]) => Boolean(text));
  const lines = texts.map((entry) => entry.join(' ')).sort(compareCodeUnits);
  return lines.length === 0 ? '' : String(hashText(lines.join('\n')));
}
