import type { FilterKind } from '../../data/query/filter.ts';
import type { CatalogueIndex } from '../../data/snapshot/catalogue-index.ts';

type Slugs = ReadonlyMap<string, readonly string[]>;

/** Made when first asked for: a faulty request is not to read every name again. */
const SLUGS = new WeakMap<CatalogueIndex, Map<FilterKind, Slugs>>();

/**
 * The slugs that a filter takes for what the catalogue knows under this name or slug, without regard to case; of
 * products also under a model. None where the values of the filter have no names.
 */
export function findSlugs(kind: FilterKind, name: string, index: CatalogueIndex): readonly string[] {
  const ofIndex = SLUGS.get(index) ?? new Map<FilterKind, Slugs>();
  SLUGS.set(index, ofIndex);
  const slugs = ofIndex.get(kind) ?? collectSlugs(kind, index);
  ofIndex.set(kind, slugs);
  return slugs.get(name.toLowerCase()) ?? [];
}

function collectSlugs(kind: FilterKind, index: CatalogueIndex): Slugs {
  const slugs = new Map<string, string[]>();
  for (const { name, slug, model } of listNamed(kind, index)) {
    for (const key of new Set([slug, name.toLowerCase(), model ?? slug])) {
      const sameName = slugs.get(key);
      if (sameName === undefined) slugs.set(key, [slug]);
      else sameName.push(slug);
    }
  }
  return slugs;
}

interface Named {
  readonly name: string;
  readonly slug: string;
  readonly model?: string | undefined;
}

function listNamed(kind: FilterKind, index: CatalogueIndex): readonly Named[] {
  switch (kind) {
    case 'network':
      return index.networks;
    case 'retailer':
      return index.retailers;
    case 'manufacturer':
      return index.manufacturers;
    case 'slug':
      return index.products;
    case 'money':
    case 'months':
    case 'gigabytes':
    case 'condition':
    case 'offer':
    case 'id':
      return [];
  }
}
