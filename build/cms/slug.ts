import { hash } from 'node:crypto';
import { compareCodeUnits, compareIds } from '../../data/record/id.ts';
import { ENTITY_NOUNS, type EntityType } from './fields.ts';

/** Leaves room for two ids of twenty digits within the limit of a slug. */
const MAX_LENGTH = 150;

/** No name is longer. */
const MAX_TEXT_LENGTH = 1_000;

/** Letters that Unicode normalisation does not reduce to a to z. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

export interface SlugSource {
  readonly text: string;
  readonly id: string | undefined;
  /** The time of creation in the CMS, which never changes. */
  readonly createdAt: string;
}

/** A slug that records share, such as that of a model: one text always gives the same slug. */
export function sharedSlug(list: EntityType, text: string): string {
  return baseSlug(list, text, hashToDigits(text));
}

/**
 * Unique slugs for the records of a list, independent of their order. Of records with one name the oldest gets the bare
 * slug; the others get their id as a suffix, so that a new record changes no slug. The variants of a product share id and
 * slug.
 */
export function assignSlugs(list: EntityType, sources: readonly SlugSource[]): ReadonlyMap<SlugSource, string> {
  const slugs = new Map<SlugSource, string>();
  const owners = new Map<string, string>();
  for (const source of sources.toSorted(compareSources)) {
    const id = source.id ?? hashToDigits(source.text);
    let slug = baseSlug(list, source.text, id);
    while ((owners.get(slug) ?? id) !== id) slug = `${slug}-${id}`;
    owners.set(slug, id);
    slugs.set(source, slug);
  }
  return slugs;
}

function compareSources(a: SlugSource, b: SlugSource): number {
  return (
    compareCodeUnits(a.createdAt, b.createdAt) || compareIds(a.id ?? '', b.id ?? '') || compareCodeUnits(a.text, b.text)
  );
}

/** The text in letters, digits and dashes; with `id` as a suffix when letters of the text are lost. */
function baseSlug(list: EntityType, text: string, id: string): string {
  const latin = text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/[™®©'’`´\p{Cf}]/gu, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (sign) => LETTERS[sign] ?? sign)
    .replaceAll('&', ' and ')
    // `S10+` is another phone than `S10`.
    .replaceAll(/(?<=[a-z0-9])\+(?![a-z0-9])/g, ' plus ');
  const isWhole = !/(?![a-z0-9])[\p{L}\p{N}]/u.test(latin);
  const words =
    latin
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, MAX_LENGTH)
      .replace(/-$/, '') ?? '';
  const named = /[a-z]/.test(words) ? words : [ENTITY_NOUNS[list], words].filter((part) => part !== '').join('-');
  return isWhole && words !== '' ? named : `${named}-${id.slice(0, 20)}`;
}

/** The first 60 bits of the SHA-256 as a decimal number: an id for a CMS without numeric ids. */
export function hashToDigits(text: string): string {
  return BigInt(`0x${hash('sha256', text).slice(0, 15)}`).toString();
}
