import { CHIPS } from './chip.ts';
import type { Fault } from './fault.ts';
import { GIFTS, GIFT_CATEGORIES } from './gifts.ts';
import { MAKERS, makerOf } from './maker.ts';
import { MODELS, VIEWS, type Model } from './models.ts';
import { NETWORKS, RETAILERS } from './plans.ts';
import { MODEL_TEXTS, REFURBISHED_SENTENCES, STORAGE_SENTENCES, type ModelText } from './texts.ts';
import { SLUG_WITHOUT_IMAGES, SLUG_WITHOUT_PREFIX, VARIANTS, variantOf, type Variant } from './variants.ts';

export interface CmsExport {
  /** By path, ready to be written as JSON. */
  readonly files: ReadonlyMap<string, object>;
  readonly recordCount: number;
  readonly faults: readonly Fault[];
}

/** The path of a picture, relative to the CMS files. */
export function pictureOf(kind: 'phones' | 'gifts' | 'networks' | 'retailers', name: string): string {
  return `images/${kind}/${name}.png`;
}

/** The product whose `imageUrls` give one picture ready-made. */
const SLUG_WITH_IMAGE_URL = 'vesper-fold-2-512gb';

/** The product that names a picture nobody has delivered. */
const SLUG_WITH_LOST_PICTURE = 'mirrin-lens-2-256gb';

/** Makes the files of the `catalogue` adapter: one per maker, one for gifts, one for networks and retailers. */
export function makeCmsExport(): CmsExport {
  const files = new Map<string, object>();
  for (const maker of MAKERS) {
    const products = VARIANTS.filter(({ model }) => model.maker === maker.slug).map(formatProduct);
    files.set(`cms/phones-${maker.slug}.json`, {
      manufacturers: [{ slug: maker.slug, name: maker.name }],
      products: products.concat(oddProducts(maker.slug)),
    });
  }
  files.set('cms/gifts.json', { giftCategories: formatCategories(), gifts: formatGifts() });
  files.set('cms/networks.json', {
    networks: NETWORKS.map(({ id, name, slug, aliases }) => ({
      id,
      name,
      slug,
      aliases,
      logo: pictureOf('networks', slug),
    })),
  });
  files.set('cms/retailers.json', {
    retailers: RETAILERS.map(({ id, name, slug, aliases }) => ({
      id,
      name,
      slug,
      aliases,
      logo: pictureOf('retailers', slug),
    })),
  });
  let recordCount = 0;
  for (const content of files.values()) {
    for (const records of Object.values(content)) recordCount += Array.isArray(records) ? records.length : 0;
  }
  return { files, recordCount, faults: FAULTS };
}

// Products

function formatProduct(variant: Variant): object {
  const { model } = variant;
  const text = textOf(model);
  return {
    id: variant.id,
    condition: variant.condition,
    name: variant.name,
    slug: variant.slug,
    model: model.slug,
    manufacturer: model.maker,
    ...formatTexts(variant, text),
    specs: formatSpecs(model),
    ...formatImages(variant),
    ...formatMatches(variant),
    status: 'published',
    updatedAt: `2026-${EDITED[Number(variant.id) % EDITED.length]}Z`,
  };
}

const EDITED = [
  '11-16T09:12:00',
  '10-29T14:40:00',
  '11-03T10:05:00',
  '09-22T16:31:00',
  '11-18T08:57:00',
  '10-07T11:20:00',
  '08-31T13:48:00',
];

function textOf(model: Model): ModelText {
  const text = MODEL_TEXTS[model.slug];
  if (text === undefined) throw new RangeError(`no text for ${model.slug}`);
  return text;
}

function formatTexts(variant: Variant, text: ModelText): object {
  const { model, condition, name, storage } = variant;
  const position = MODELS.indexOf(model);
  const storageSentence = sentenceAt(storage === undefined ? undefined : STORAGE_SENTENCES[storage], position);
  const fullName = `${makerOf(model.maker).name} ${model.name}`;
  if (condition === 'refurbished' && text.refurbished !== undefined) {
    const { tagline, introduction } = text.refurbished;
    return {
      content: { heading: `${name}: ${tagline}`, introduction },
      pageContent: {
        heading: `Refurbished ${fullName} on contract`,
        introduction: [text.pageIntroduction, storageSentence, sentenceAt(REFURBISHED_SENTENCES, position)]
          .filter((sentence) => sentence !== '')
          .join(' '),
      },
      metaData: {
        title: `${name} deals, checked and under warranty`,
        description: `${name}: ${tagline}. ${text.description}`,
        keywords: `refurbished ${model.slug.replaceAll('-', ' ')}, ${text.keywords}`,
      },
    };
  }
  return {
    content: { heading: `${name}: ${text.tagline}`, introduction: text.introduction },
    pageContent: {
      heading: text.pageHeading,
      introduction: [text.pageIntroduction, storageSentence].filter((sentence) => sentence !== '').join(' '),
    },
    metaData: { title: `${name} deals and contracts`, description: text.description, keywords: text.keywords },
  };
}

function sentenceAt(sentences: readonly string[] | undefined, position: number): string {
  return sentences?.[position % sentences.length] ?? '';
}

/** The attributes of spec §2.8, in its order; what a phone does not have is left out. */
function formatSpecs({ facts }: Model): Record<string, string> {
  const chip = facts.chip === undefined ? undefined : CHIPS[facts.chip];
  const [across, down] = facts.pixels;
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['os', facts.os],
    ['familyOs', facts.familyOs],
    ['weight', `${facts.grammes} g`],
    ['size', `${facts.width} x ${facts.height} x ${facts.depth} mm`],
    ['height', `${facts.height} mm`],
    ['width', `${facts.width} mm`],
    ['depth', `${facts.depth} mm`],
    ['screenSize', `${facts.inches} inches`],
    [
      'screenPixelDensity',
      facts.hasPixelDensity === false ? undefined : `${Math.round(Math.hypot(across, down) / facts.inches)} ppi`,
    ],
    ['screenResolution', `${across} x ${down} pixels`],
    ['simType', facts.sim],
    ['displayType', facts.display],
    ['handsetStyle', facts.style],
    ['cameraFront', `${facts.primaryCamera} MP`],
    ['cameraBack', facts.secondaryCamera === undefined ? undefined : `${facts.secondaryCamera} MP`],
    ['cameraFlash', facts.flash],
    ['batteryType', facts.battery],
    ['batteryCapacity', `${facts.milliampereHours} mAh`],
    ['chipset', chip?.chipset],
    ['gpu', chip !== undefined && 'gpu' in chip ? chip.gpu : undefined],
    ['cpu', chip?.cpu],
    ['nfc', facts.hasNfc === undefined ? undefined : yesOrNo(facts.hasNfc)],
    ['sensors', facts.sensors],
    ['fmRadio', yesOrNo(facts.hasFmRadio)],
    ['4g', 'Yes'],
  ];
  const specs: Record<string, string> = {};
  for (const [attribute, value] of attributes) if (value !== undefined) specs[attribute] = value;
  return specs;
}

function yesOrNo(value: boolean): string {
  return value ? 'Yes' : 'No';
}

function formatImages({ slug, model }: Variant): object {
  if (slug === SLUG_WITHOUT_IMAGES) return {};
  const images: Record<string, string> = {};
  for (const view of model.views ?? VIEWS) images[view] = pictureOf('phones', `${model.slug}-${view}`);
  if (slug === SLUG_WITH_LOST_PICTURE) images['back'] = pictureOf('phones', `${model.slug}-rear`);
  if (slug !== SLUG_WITH_IMAGE_URL) return { images };
  return {
    images,
    imageUrls: { largeBackImageWebp: 'https://media.vesper.example/fold-2/512gb/back-200x400.webp' },
  };
}

function formatMatches(variant: Variant): object {
  const { model, gtin, versionId, editions } = variant;
  const feedIds =
    model.feedMatch === 'name' ? [] : model.feedMatch === 'version' ? [versionId] : editions.map(({ id }) => id);
  const isNote = variant.slug === 'halden-note-128gb' || variant.slug === 'wren-note-128gb';
  const matches = {
    // One name that an editor has given to two phones: its deals are for neither.
    ...(isNote ? { names: ['Note 128GB'] } : {}),
    ...(gtin === undefined ? {} : { gtins: [gtin] }),
    ...(feedIds.length === 0 ? {} : { feedIds: { awin: feedIds } }),
  };
  return Object.keys(matches).length === 0 ? {} : { matches };
}

/** Products that are no use to anybody, in the file of their maker. */
function oddProducts(maker: string): readonly object[] {
  switch (maker) {
    case 'kestrel':
      return [
        {
          id: '901',
          condition: 'new',
          name: 'Kestrel K10 256GB',
          slug: 'kestrel-k10-256gb',
          model: 'kestrel-k10',
          manufacturer: 'kestrel',
          content: { heading: 'Kestrel K10 256GB: not before spring', introduction: 'Text to follow.' },
          status: 'draft',
          updatedAt: '2026-11-17T17:02:00Z',
        },
      ];
    case 'wren':
      return [
        {
          id: '902',
          condition: 'new',
          name: 'Wren Go 3 64GB',
          slug: 'Wren Go 3!',
          model: 'wren-go-3',
          manufacturer: 'wren',
          content: { heading: 'Wren Go 3 64GB: third time lucky', introduction: 'It turns on. More when we have one.' },
          status: 'published',
          updatedAt: '2026-11-19T12:26:00Z',
        },
      ];
    default:
      return [];
  }
}

// Gifts

const MISSING_GIFT_ID = '97';
const DRAFT_GIFT_ID = '15';

function formatCategories(): readonly object[] {
  return GIFT_CATEGORIES.map((category) => ({
    id: category.id,
    name: category.name,
    slug: category.slug,
    content: { heading: category.heading, introduction: category.introduction },
    pageContent: { heading: category.pageHeading, introduction: category.pageIntroduction },
    metaData: {
      title: `${category.name} gifts with phone contracts`,
      description: category.description,
      keywords: category.keywords,
    },
    images: { front: pictureOf('gifts', `category-${category.slug}`) },
    gifts: [
      ...category.gifts,
      ...(category.slug === 'gaming' ? [MISSING_GIFT_ID] : []),
      ...(category.slug === 'days-out' ? [DRAFT_GIFT_ID] : []),
    ],
    status: 'published',
    updatedAt: '2026-11-02T15:10:00Z',
  }));
}

function formatGifts(): readonly object[] {
  const gifts: object[] = GIFTS.map((gift) => ({
    id: gift.id,
    name: gift.name,
    slug: gift.slug,
    content: { heading: gift.heading, introduction: gift.introduction },
    metaData: {
      title: `${gift.name}: free with a phone`,
      description: gift.description,
      keywords: gift.keywords,
    },
    images: { front: pictureOf('gifts', gift.slug) },
    ...(gift.slug === 'stride-band' ? { specs: { weight: '19 g', batteryLife: '14 days' } } : {}),
    ...(gift.otherNames === undefined ? {} : { matches: { names: gift.otherNames } }),
    status: 'published',
    updatedAt: '2026-10-21T09:30:00Z',
  }));
  gifts.push({
    id: DRAFT_GIFT_ID,
    name: 'Winter Hamper',
    slug: 'winter-hamper',
    content: { heading: 'A hamper for the dark weeks', introduction: 'To be agreed with the supplier.' },
    status: 'draft',
    updatedAt: '2026-11-19T10:44:00Z',
  });
  return gifts;
}

// Faults

const FAULTS: readonly Fault[] = [
  {
    file: 'cms/phones-kestrel.json',
    id: 'product 901',
    what: 'draft: `status` is not `published`',
    outcome: 'out of scope',
  },
  {
    file: 'cms/phones-wren.json',
    id: 'product 902',
    what: 'slug with capitals, spaces and an exclamation mark',
    outcome: 'quarantined',
  },
  {
    file: 'cms/phones-halden.json',
    id: `product ${variantOf(SLUG_WITHOUT_PREFIX).id} refurbished`,
    what: 'refurbished, and the name does not begin with `Refurbished`',
    outcome: 'served with a notice',
  },
  {
    file: 'cms/phones-mirrin.json',
    id: `product ${variantOf(SLUG_WITH_LOST_PICTURE).id} new`,
    what: 'the picture of its back does not exist; the front stands in',
    outcome: 'served with a notice',
  },
  {
    file: 'cms/phones-wren.json',
    id: `products ${VARIANTS.filter(({ model }) => model.slug === 'wren-note')
      .map(({ id }) => id)
      .join(', ')} new`,
    what: 'no pictures of the sides; the front stands in',
    outcome: 'served with a notice',
  },
  {
    file: 'cms/phones-wren.json',
    id: `product ${variantOf(SLUG_WITHOUT_IMAGES).id} new`,
    what: 'no pictures at all',
    outcome: 'served',
  },
  {
    file: 'cms/gifts.json',
    id: 'gift category 2',
    what: `lists gift ${MISSING_GIFT_ID}, which does not exist`,
    outcome: 'served with a notice',
  },
  {
    file: 'cms/gifts.json',
    id: 'gift category 5',
    what: `lists gift ${DRAFT_GIFT_ID}, which is a draft and is left out`,
    outcome: 'served with a notice',
  },
  {
    file: 'cms/gifts.json',
    id: `gift ${DRAFT_GIFT_ID}`,
    what: 'draft: `status` is not `published`',
    outcome: 'out of scope',
  },
  {
    file: 'cms/gifts.json',
    id: 'gift 5',
    what: 'has `specs`, which a gift has not',
    outcome: 'served with a notice',
  },
];
