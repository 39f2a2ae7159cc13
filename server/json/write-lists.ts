import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import type { ListQuery } from '../query/query.ts';
import { writeGroups, type Groups } from './write-products.ts';

interface Item extends Groups {
  /** A manufacturer has none. */
  readonly id?: string;
  readonly name: string;
  readonly slug: string;
  /** Of a gift category. */
  readonly gifts?: unknown;
}

/** The JSON of a list that is sent whole: gifts and their categories by id, the others by name (spec §2.3, §2.4, D21). */
export function writeList({ kind, projection, hasGifts }: ListQuery, index: CatalogueIndex): string {
  const items: readonly Item[] = index[kind];
  const isById = kind === 'gifts' || kind === 'giftCategories';
  const texts = (isById ? items : items.toSorted(compareNames)).map((item) => {
    const { id, name, slug, gifts } = item;
    const head = JSON.stringify({ id, name, slug }).slice(0, -1);
    // An object holding one array named after the resource, as everywhere else in the interface (D9).
    const tail = hasGifts ? `,"gifts":${JSON.stringify({ gifts })}` : '';
    return `${head}${writeGroups(projection, item)}${tail}}`;
  });
  return `{"${kind}":[${texts.join(',')}]}`;
}

/** In lower case by code unit (D14), then by id or slug. */
function compareNames(a: Item, b: Item): number {
  return (
    compareCodeUnits(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compareIds(a.id ?? '', b.id ?? '') ||
    compareCodeUnits(a.slug, b.slug)
  );
}
