import { compareCodeUnits } from '../../data/record/id.ts';
import { recordKey } from '../../data/record/product.ts';
import { hashText } from '../deals/hash-index.ts';

export const COMPARED_KINDS = ['products', 'networks', 'retailers'] as const;

/** What a snapshot or a build says of its records, by key (`101/new`) or id. */
export type ComparedRecords = Readonly<Record<(typeof COMPARED_KINDS)[number], ReadonlyMap<string, RecordFacts>>>;

/** What a record of the CMS says; empty where it says nothing. Texts and specs are hashes. */
export interface RecordFacts {
  readonly name: string;
  readonly slug: string;
  readonly maker: string;
  readonly texts: string;
  readonly specs: string;
}

/** A record as the CMS has it, or as a snapshot has it. */
export interface DescribedRecord extends Partial<Record<'content' | 'pageContent' | 'metaData' | 'specs', object>> {
  readonly id: string;
  readonly condition?: 'new' | 'refurbished';
  readonly name: string;
  readonly slug: string;
  readonly manufacturer?: string | undefined;
}

export function compareRecords(records: Iterable<DescribedRecord>): ReadonlyMap<string, RecordFacts> {
  return new Map(
    Array.from(records, (record) => {
      const { name, slug, manufacturer: maker = '', content, pageContent, metaData, specs } = record;
      const facts = { name, slug, maker, texts: digest([content, pageContent, metaData]), specs: digest([specs]) };
      return [recordKey(record), facts];
    }),
  );
}

/** Empty where the objects have no text; the same for any order of their keys. */
function digest(objects: readonly (object | undefined)[]): string {
  const texts = objects.map((object) =>
    Object.entries(object ?? {})
      .filter(([, text]) => Boolean(text))
      .map((entry) => entry.join(' '))
      .sort(compareCodeUnits),
  );
  return texts.some(({ length }) => length > 0) ? String(hashText(JSON.stringify(texts), 0)) : '';
}
