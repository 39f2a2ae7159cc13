import type { Condition } from '../record/condition.ts';
import type { CatalogueIndex } from '../snapshot/catalogue-index.ts';
import type { Notice } from './notice.ts';

/** What a person may mean by a word; several of them may be meant at once. */
export interface Subject {
  readonly text: string;
  /** The same as names are compared: in lower case, one space between words. */
  readonly name: string;
  /** `feeds/house.csv:12`, or `cms/site.json networks (item 12)`; the list may be missing. */
  readonly place?: { readonly file: string; readonly line: number };
  /** `phone-barn:H-12`: the slug of a retailer of the snapshot, and the key of a deal. */
  readonly deal?: { readonly retailer: string; readonly key: string };
}

const ITEM =
  /^(.+?)(?: (?:products|giftCategories|gifts|networks|retailers|manufacturers|entries))? \(item ([1-9][0-9]{0,14})\)$/s;

/**
 * A product by id, `id/condition`, slug or name; a deal by key or `retailer:key`, the retailer by slug, id or name; or
 * either by `file:line`, of a JSON export also `file networks (item 3)`, which finds records that have no name of their own as well.
 */
export function parseSubject(text: string, { retailers }: Pick<CatalogueIndex, 'retailers'>): Subject {
  const [, file, line] = /^(.+):([1-9][0-9]{0,14})$/s.exec(text) ?? ITEM.exec(text) ?? [];
  const colon = text.indexOf(':');
  const wanted = normaliseName(text.slice(0, colon));
  const retailer =
    colon < 1 ? undefined : retailers.find(({ id, slug, name }) => [id, slug, normaliseName(name)].includes(wanted));
  return {
    text,
    name: normaliseName(text),
    ...(file === undefined ? {} : { place: { file, line: Number(line) } }),
    ...(retailer === undefined ? {} : { deal: { retailer: retailer.slug, key: text.slice(colon + 1) } }),
  };
}

/** What stands at a place, whatever it is called. */
export function createPlaceSubject({ file, line }: { readonly file: string; readonly line: number }): Subject {
  return { text: `${file}:${line}`, name: normaliseName(`${file}:${line}`), place: { file, line } };
}

export function normaliseName(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Shorter words are part of nearly every name. */
const MIN_PART_LENGTH = 3;

/** Whether a name is the subject, or has it as a part, however both are spaced and in whatever case. */
export function isPartOf(subject: Subject, name: string): boolean {
  const folded = normaliseName(name);
  return folded === subject.name || (subject.name.length >= MIN_PART_LENGTH && folded.includes(subject.name));
}

export function isPlace(
  { place }: Subject,
  origin: { readonly file?: string | undefined; readonly line?: number | undefined },
): boolean {
  return place !== undefined && place.file === origin.file && place.line === origin.line;
}

/** Whether a product is meant by one of its own words. */
export function namesProduct(
  subject: Subject,
  product: { readonly id: string; readonly condition: Condition; readonly slug: string; readonly name: string },
): boolean {
  const { text } = subject;
  const { id, condition, slug, name } = product;
  return text === id || text === `${id}/${condition}` || text === slug || subject.name === normaliseName(name);
}

/** Whether a deal is meant by its key. A retailer that is not known may be any. */
export function namesDeal(subject: Subject, key: string, retailer: string | undefined): boolean {
  if (subject.text === key) return true;
  const { deal } = subject;
  return deal !== undefined && deal.key === key && (retailer === undefined || deal.retailer === retailer);
}

/**
 * Whether a record that is not served is meant: by its place, by what the CMS calls it or a part of that, by its
 * `matches`, by its id, by its key. Many deals have the name of one phone, so those are counted by `NameSearch`.
 * @param kind that of its source
 */
export function namesLeftOut(subject: Subject, notice: Notice, kind: 'cms' | 'feed' | undefined): boolean {
  const { record, names = [], matches: { names: others = [], gtins = [], feedIds = {} } = {}, retailer } = notice;
  if (isPlace(subject, notice)) return true;
  if (kind !== 'feed' && names.some((name) => isPartOf(subject, name))) return true;
  if (others.some((name) => isPartOf(subject, name))) return true;
  if ([...gtins, ...Object.values(feedIds).flat()].includes(subject.text)) return true;
  if (record === undefined) return false;
  return kind === 'cms'
    ? record === subject.text || record.slice(0, record.indexOf('/')) === subject.text
    : namesDeal(subject, record, retailer);
}
