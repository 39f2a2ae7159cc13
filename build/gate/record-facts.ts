import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import { hashText } from '../deals/hash-index.ts';

export const COMPARED_KINDS = ['products', 'networks', 'retailers'] as const;

/** What a snapshot or a build says of its records, by key (`101/new`) or id. */
export type ComparedRecords = Readonly<Record<(typeof COMPARED_KINDS)[number], ReadonlyMap<string, RecordFacts>>>;

/** What products say besides their name and slug. */
const OBJECTS = ['content', 'pageContent', 'metaData', 'specs'] as const;

/** What a record of the CMS says; empty where it says nothing. Objects are hashes. */
export type RecordFacts = Readonly<Record<'name' | 'slug' | 'manufacturer' | (typeof OBJECTS)[number], string>>;

/** A record as the CMS has it, or as a snapshot has it. */
export interface DescribedRecord extends Partial<Record<(typeof OBJECTS)[number], object>> {
  readonly id: string;
  readonly condition?: 'new' | 'refurbished';
  readonly name: string;
  readonly slug: string;
  readonly manufacturer?: string | undefined;
}

export function compareRecords(records: Iterable<DescribedRecord>): ReadonlyMap<string, RecordFacts> {
  return new Map(
    Array.from(records, (record) => {
      const { name, slug, manufacturer = '' } = record;
      const digests = OBJECTS.map((field) => [field, digest(record[field])]);
      const facts = { name, slug, manufacturer, ...(Object.fromEntries(digests) as Pick<RecordFacts, (typeof OBJECTS)[number]>) }; // prettier-ignore
      return [recordKey(record), facts];
    }),
  );
}

/** Empty where an object has no text; the same for any order of its keys. */
function digest(object: object = {}): string {
  const texts = Object.entries(object).filter(([, text]) => Boolean(text));
  const lines = texts.map((entry) => entry.join(' ')).sort(compareCodeUnits);
  return lines.length === 0 ? '' : String(hashText(lines.join('\n'), 0));
}
