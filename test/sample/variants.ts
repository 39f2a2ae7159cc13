import { makerOf } from './maker.ts';
import { MODELS, type Model } from './models.ts';

/** One product of the sample: a model with a size of storage, new or refurbished. */
export interface Variant {
  readonly id: string;
  readonly condition: 'new' | 'refurbished';
  readonly name: string;
  readonly slug: string;
  readonly model: Model;
  readonly storage?: string;
  /** What it costs without a contract. */
  readonly pence: number;
  /** Only new products have one. */
  readonly gtin?: string;
  readonly versionId: string;
  readonly editions: readonly Edition[];
}

/** A storage size in one colour, as the awin feed numbers it. New and refurbished share the number. */
export interface Edition {
  readonly id: string;
  readonly colour: string;
}

const FIRST_PRODUCT_ID = 101;
const FIRST_VERSION_ID = 701;
const FIRST_EDITION_ID = 4011;

/** The product that nobody offers any more: its new stock has gone, its refurbished one has not. */
export const SLUG_WITHOUT_DEALS = 'kestrel-k8-256gb';

/** The product that no picture has arrived for. */
export const SLUG_WITHOUT_IMAGES = 'wren-go-2-128gb';

/** The refurbished product whose editor forgot the leading word. */
export const SLUG_WITHOUT_PREFIX = 'refurbished-halden-note-128gb';

/** All products that a build serves, by id, new before refurbished. */
export const VARIANTS: readonly Variant[] = makeVariants();

export function variantOf(slug: string): Variant {
  const variant = VARIANTS.find((candidate) => candidate.slug === slug);
  if (variant === undefined) throw new RangeError(`unknown product ${slug}`);
  return variant;
}

function makeVariants(): Variant[] {
  const variants: Variant[] = [];
  let productId = FIRST_PRODUCT_ID;
  let editionId = FIRST_EDITION_ID;
  for (const [position, model] of MODELS.entries()) {
    for (const { label, pounds, refurbishedPounds } of model.storages) {
      const name = [makerOf(model.maker).name, model.name, label].filter((word) => word !== undefined).join(' ');
      const slug = name.toLowerCase().replaceAll(' ', '-');
      const editions = model.colours.map((colour) => ({ id: String(editionId++), colour }));
      const shared = {
        id: String(productId),
        model,
        ...(label === undefined ? {} : { storage: label }),
        versionId: String(FIRST_VERSION_ID + position),
        editions,
      };
      variants.push({ ...shared, condition: 'new', name, slug, pence: pounds * 100, gtin: gtinOf(productId) });
      if (refurbishedPounds !== undefined) {
        const refurbishedSlug = `refurbished-${slug}`;
        variants.push({
          ...shared,
          condition: 'refurbished',
          name: refurbishedSlug === SLUG_WITHOUT_PREFIX ? name : `Refurbished ${name}`,
          slug: refurbishedSlug,
          pence: refurbishedPounds * 100,
        });
      }
      productId += 1;
    }
  }
  return variants;
}

/** A number of thirteen digits with its check digit, from the range that GS1 keeps for examples (952). */
function gtinOf(productId: number): string {
  const digits = `952${String(productId * 7919).padStart(9, '0')}`;
  const sum = digits.split('').reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
