import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS, imageKey, SIZES, VIEWS } from '../../../data/field/image.ts';

export const SAMPLE = join(import.meta.dirname, '../../../data/sample');

/** So many phones have originals that a build renders; the others have ready-made pictures. */
const RENDERED_COUNT = 40;

/** Of the sample there is one shop of a network with its own feed for each of these. */
const SHOPS_ADDED = ['corvane', 'quartet'];

type CmsRecord = Readonly<Record<string, unknown>>;

export interface Phone {
  readonly id: string;
  readonly condition: string;
  readonly name: string;
  readonly slug: string;
}

/** The lists of the sample's CMS: products, networks, retailers, gifts and what belongs to them. */
function readSampleCms(): Readonly<Record<string, readonly CmsRecord[]>> {
  const lists: Record<string, CmsRecord[]> = {};
  for (const file of readdirSync(join(SAMPLE, 'cms')).filter((name) => name.endsWith('.json'))) {
    const read = JSON.parse(readFileSync(join(SAMPLE, 'cms', file), 'utf8')) as Record<string, CmsRecord[]>;
    for (const [name, records] of Object.entries(read)) lists[name] = [...(lists[name] ?? []), ...records];
  }
  return lists;
}

/** The CMS of the sample with `productCount` phones: generation after generation of its own, under names of their own. */
export function enlargeCms(productCount: number): { readonly cms: object; readonly phones: readonly Phone[] } {
  const { products = [], retailers = [], ...others } = readSampleCms();
  // One phone of the sample is there to be left out.
  const published = products.filter(({ slug, status }) => status === 'published' && /^[a-z0-9-]+$/.test(String(slug)));
  const phones = Array.from({ length: productCount }, (_, at) => {
    const generation = Math.floor(at / published.length);
    return enlarge(published[at % published.length] as CmsRecord & Phone, generation, at < RENDERED_COUNT);
  });
  const shops = SHOPS_ADDED.map((network, at) => ({
    id: String(81_000 + at),
    name: `${network[0]?.toUpperCase()}${network.slice(1)} Store`,
    slug: `${network}-store`,
  }));
  return { cms: { ...others, products: phones, retailers: [...retailers, ...shops] }, phones };
}

function enlarge(phone: CmsRecord & Phone, generation: number, isRendered: boolean): CmsRecord & Phone {
  const slug = generation === 0 ? phone.slug : `${phone.slug}-g${generation}`;
  const { front } = (phone['images'] ?? {}) as { readonly front?: string };
  const pictures = isRendered ? { images: { front } } : { images: undefined, imageUrls: pictureUrlsOf(slug) };
  if (generation === 0) return { ...phone, ...pictures };
  return {
    ...phone,
    ...pictures,
    id: String(Number(phone.id) + 1_000 * generation),
    slug,
    // The generation is a part of the model: `Kestrel G3 K9 128GB`.
    name: phone.name.replace(/^(Refurbished )?(\w+) /, `$1$2 G${generation} `),
    model: `${String(phone['model'])}-g${generation}`,
    matches: undefined,
  };
}

function pictureUrlsOf(slug: string): Record<string, string> {
  const urls: Record<string, string> = {};
  for (const size of SIZES) {
    for (const view of VIEWS) {
      for (const format of FORMATS) {
        urls[imageKey(size, view, format)] = `https://pictures.example/phones/${slug}/${view}-${size}.${format}`;
      }
    }
  }
  return urls;
}
