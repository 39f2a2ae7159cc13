import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';
import {
  GROUPS,
  type GiftCategoriesQuery,
  type GiftsQuery,
  type GroupName,
  type GroupSelection,
  type ListQuery,
  type Projection,
} from '../query/query.ts';

/** The JSON of all gift categories: `{"giftCategories":[…]}` (spec §2.3). */
export function writeGiftCategories(query: GiftCategoriesQuery, index: CatalogueIndex): string {
  const items = index.giftCategories.map(({ id, name, slug, gifts, ...groups }) => {
    const head = JSON.stringify({ id, name, slug }).slice(0, -1);
    // An object holding one array named after the resource, as everywhere else in the interface (D9).
    const tail = query.hasGifts ? `,"gifts":${JSON.stringify({ gifts })}` : '';
    return `${head}${writeGroups(query.projection, groups)}${tail}}`;
  });
  return `{"giftCategories":[${items.join(',')}]}`;
}

/** The JSON of all gifts: `{"gifts":[…]}` (spec §2.4). */
export function writeGifts(query: GiftsQuery, index: CatalogueIndex): string {
  const items = index.gifts.map(({ id, name, slug, ...groups }) => {
    const head = JSON.stringify({ id, name, slug }).slice(0, -1);
    return `${head}${writeGroups(query.projection, groups)}}`;
  });
  return `{"gifts":[${items.join(',')}]}`;
}

/** The JSON of networks, retailers or manufacturers, by name (D21). */
export function writeList(query: ListQuery, index: CatalogueIndex): string {
  switch (query.kind) {
    case 'networks':
    case 'retailers': {
      const records = index[query.kind].map(({ id, name, slug }) => ({ id, name, slug }));
      return JSON.stringify({
        [query.kind]: records.sort((a, b) => compareNames(a.name, b.name) || compareIds(a.id, b.id)),
      });
    }
    case 'manufacturers': {
      const records = index.manufacturers.map(({ name, slug }) => ({ name, slug }));
      return JSON.stringify({
        manufacturers: records.sort((a, b) => compareNames(a.name, b.name) || compareCodeUnits(a.slug, b.slug)),
      });
    }
  }
}

/** In lower case by code unit (D14). */
function compareNames(a: string, b: string): number {
  return compareCodeUnits(a.toLowerCase(), b.toLowerCase());
}

/** One group of an item: its attributes by key. */
type Group = Readonly<Record<string, string | undefined>>;

/** The groups of an item of any resource. */
export type Groups = { readonly [Name in GroupName]?: Group };

/** The members of the requested groups, each with a comma before it; a requested group is always written (D6). */
export function writeGroups(projection: Projection, groups: Groups): string {
  let text = '';
  for (const name of GROUPS) {
    const selection = projection[name];
    if (selection !== undefined) text += writeGroup(name, selection, groups[name] ?? {});
  }
  return text;
}

/** One of the members of `writeGroups`. */
export function writeGroup(name: GroupName, selection: GroupSelection<string>, group: Group): string {
  if (selection === 'whole') return `,"${name}":${JSON.stringify(group)}`;
  let members = '';
  for (const key of selection) {
    const value = group[key];
    // The keys are words of this program and need no escape.
    if (value !== undefined) members += `${members === '' ? '' : ','}"${key}":${JSON.stringify(value)}`;
  }
  return `,"${name}":{${members}}`;
}
