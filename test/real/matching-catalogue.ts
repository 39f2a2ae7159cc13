import type { Random } from '../oracle/random.ts';
import { groupBy } from './matching-group-by.ts';
import type { Model } from './matching-models.ts';
import { compact, withoutConnectivity } from './matching-reading.ts';
import type { TableProduct } from './phone-table.ts';

/** The phones of the table as a shop has them: not every model, not every model in both conditions. */
export interface ShopCatalogue {
  readonly products: readonly TableProduct[];
  readonly models: readonly Model[];
  /** Models that another model of the catalogue differs from by a word (`Pro`, `+`, `5G`); the catalogue lacks them. */
  readonly removedSiblings: readonly Model[];
  /** Variants whose phone the catalogue has in the other condition only. */
  readonly removedVariants: readonly { readonly model: Model; readonly product: TableProduct }[];
}

const SIBLING_WORD = /^(?:\+| ?(?:pro|plus|ultra|lite|mini|max|fe|se|neo|prime|play|xl|note|edge|5g|4g|dual sim))+$/i;

/**
 * Removes one in six of the models that have a sibling, on either side, and one condition of one in twelve products. Of
 * models that differ by no more than connectivity none is removed: what `5G` tells apart is for the catalogue to say.
 */
export function createShopCatalogue(models: readonly Model[], random: Random): ShopCatalogue {
  const phones = models.filter(({ isPhone, products }) => isPhone && products.length > 0);
  const families = groupBy(phones, ({ name }) => compact(withoutConnectivity(name)));
  const isAlone = ({ name }: Model): boolean => families.get(compact(withoutConnectivity(name)))?.length === 1;
  const removedSiblings = random.some(withSibling(phones).filter(isAlone), 1 / 6);
  const removed = new Set(removedSiblings);
  const kept = phones.filter((model) => !removed.has(model));
  const removedVariants = kept.flatMap((model) =>
    model.storages.flatMap((storage) => {
      const ofStorage = model.products.filter(({ name }) => name.endsWith(` ${storage}`));
      return random.isLikely(1 / 12) ? [{ model, product: random.pick(ofStorage) }] : [];
    }),
  );
  const gone = new Set(removedVariants.map(({ product }) => product));
  return {
    products: kept.flatMap(({ products }) => products).filter((product) => !gone.has(product)),
    models: kept,
    removedSiblings,
    removedVariants,
  };
}

function withSibling(models: readonly Model[]): readonly Model[] {
  const byFirstWords = groupBy(models, ({ name }) => name.toLowerCase().split(' ').slice(0, 2).join(' '));
  const isBase = (base: string, name: string): boolean =>
    name.startsWith(base) && SIBLING_WORD.test(name.slice(base.length));
  return models.filter(({ name }) => {
    const near = byFirstWords.get(name.toLowerCase().split(' ').slice(0, 2).join(' ')) ?? [];
    return near.some((other) => isBase(other.name, name) || isBase(name, other.name));
  });
}
