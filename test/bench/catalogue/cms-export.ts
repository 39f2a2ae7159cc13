import { FORMATS, imageKey, SIZES, VIEWS } from '../../../data/field/image.ts';
import { createRandom } from '../../support/random.ts';
import { GIFT_CATEGORIES, GIFTS, NETWORKS, RETAILERS } from './market.ts';
import type { Phone } from './phone-range.ts';
import { writePhoneText } from './phone-text.ts';

/** So many of the best sold models have originals that a build renders; the others have ready-made pictures. */
export const RENDERED_MODEL_COUNT = 40;

/** The CMS export of a catalogue with these phones, in the form of the `catalogue` adapter. */
export function createCmsExport(phones: readonly Phone[]): object {
  const makers = new Map(phones.map(({ maker }) => [maker.slug, maker.name]));
  return {
    manufacturers: [...makers].map(([slug, name]) => ({ slug, name })),
    products: phones.map(formatProduct),
    giftCategories: GIFT_CATEGORIES.map((category) => ({
      ...formatGift(category, 'category'),
      gifts: category.gifts.map(({ id }) => id),
    })),
    gifts: GIFTS.map((gift) => formatGift(gift, 'gift')),
    networks: NETWORKS.map(({ id, name, slug }) => ({ id, name, slug, aliases: [`${name} UK`], logos: logosOf(slug) })),
    retailers: RETAILERS.map(({ id, name, slug }) => {
      const { large, deal } = logosOf(slug);
      return { id, name, slug, aliases: [`${name} Ltd`], logos: { large, deal } };
    }),
  };
}

/** The name of the original of a model's front, relative to the export. */
export function originalOf(phone: Phone): string {
  return `images/model-${phone.modelRank}.webp`;
}

function formatProduct(phone: Phone): object {
  const text = writePhoneText(phone);
  const editions = phone.colours.map((_, i) => String(phone.firstEdition + i));
  return {
    id: phone.id,
    condition: phone.condition,
    name: phone.name,
    slug: phone.slug,
    model: phone.modelSlug,
    manufacturer: phone.maker.slug,
    content: { heading: text.heading, introduction: text.introduction },
    pageContent: { heading: text.pageHeading, introduction: text.pageIntroduction },
    metaData: { title: `${phone.name} deals`, description: text.description, keywords: text.keywords },
    specs: formatSpecs(phone),
    ...(phone.modelRank < RENDERED_MODEL_COUNT
      ? { images: { front: originalOf(phone) } }
      : { imageUrls: pictureUrlsOf(phone.slug) }),
    matches: { gtins: [phone.gtin], feedIds: { awin: editions } },
    status: 'published',
    updatedAt: `2026-11-${String(1 + (Number(phone.id) % 18)).padStart(2, '0')}T09:12:00Z`,
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

function logosOf(slug: string): Record<'small' | 'medium' | 'large' | 'deal', string> {
  const url = (size: string): string => `https://pictures.example/logos/${slug}-${size}.webp`;
  return { small: url('small'), medium: url('medium'), large: url('large'), deal: url('deal') };
}

function formatGift({ id, name, slug }: { id: string; name: string; slug: string }, kind: string): object {
  const picture = (format: string): string => `https://pictures.example/${kind}/${slug}.${format}`;
  return {
    id,
    name,
    slug,
    content: { heading: name, introduction: `${name}, free with a contract and sent within a month of the phone.` },
    metaData: { title: `${name} with a phone contract`, description: `Contracts with ${name}.`, keywords: slug },
    imageUrls: {
      largeFrontImageWebp: picture('webp'),
      largeFrontImagePng: picture('png'),
      largeFrontImageJpg: picture('jpg'),
    },
    status: 'published',
  };
}

function formatSpecs(phone: Phone): Record<string, string> {
  const random = createRandom(phone.modelRank + 11);
  const height = 140 + random.below(280) / 10;
  const width = 66 + random.below(120) / 10;
  const depth = 7 + random.below(24) / 10;
  const one = (value: number): string => value.toFixed(1);
  return {
    os: `Android ${12 + random.below(5)}`,
    familyOs: 'Android',
    weight: `${150 + random.below(90)} g`,
    size: `${one(width)} x ${one(height)} x ${one(depth)} mm`,
    height: `${one(height)} mm`,
    width: `${one(width)} mm`,
    depth: `${one(depth)} mm`,
    screenSize: `${one(5.8 + random.below(12) / 10)} inches`,
    screenPixelDensity: `${260 + random.below(260)} ppi`,
    screenResolution: random.pick(['720 x 1600 pixels', '1080 x 2340 pixels', '1440 x 3120 pixels']),
    simType: 'Nano-SIM and eSIM',
    displayType: random.pick(['IPS LCD, 90 Hz', 'OLED, 120 Hz', 'LTPO OLED, 120 Hz']),
    handsetStyle: 'Touchscreen',
    cameraFront: `${random.pick([12, 48, 50, 64, 108])} MP`,
    cameraBack: `${random.pick([8, 10, 12, 16, 32])} MP`,
    cameraFlash: random.pick(['LED', 'Dual LED']),
    batteryType: 'Lithium-ion, not removable',
    batteryCapacity: `${3_300 + random.below(22) * 100} mAh`,
    chipset: `Talus T${40 + random.below(30)} (${random.pick([3, 4, 6])} nm)`,
    gpu: `Cairn G${50 + random.below(30)}`,
    cpu: `Octa-core (2x ${one(2 + random.below(18) / 10)} GHz, 6x 1.8 GHz)`,
    nfc: 'Yes',
    sensors: 'Accelerometer, Ambient light, Compass, Fingerprint, Gyroscope, Proximity',
    fmRadio: random.pick(['Yes', 'No']),
    '4g': 'Yes',
  };
}
