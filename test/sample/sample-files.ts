import { gzipSync } from 'node:zlib';
import { AWIN_FILE, makeAwinFeed } from './awin-feed.ts';
import { makeCmsExport, pictureOf } from './cms-export.ts';
import { drawGift, drawGiftPair, GIFT_PICTURE } from './draw-gift.ts';
import { drawNetworkLogo, drawRetailerLogo, NETWORK_LOGO, RETAILER_LOGO } from './draw-logo.ts';
import { drawPhone, PHONE_PICTURE } from './draw-phone.ts';
import { GIFT_CATEGORIES, GIFTS } from './gifts.ts';
import { HOUSE_FILE, makeHouseFeed } from './house-feed.ts';
import { formatJson } from './json-text.ts';
import { MODELS, VIEWS } from './models.ts';
import { NETWORKS, RETAILERS } from './plans.ts';
import { formatReadme } from './readme.ts';

/** A drawing and the size of the PNG that is made from it. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Every file of `data/sample` that is text, by its path there. The awin feed is given before compression. */
export function makeSampleTexts(): ReadonlyMap<string, string> {
  const cms = makeCmsExport();
  const house = makeHouseFeed();
  const awin = makeAwinFeed();
  const texts = new Map<string, string>();
  texts.set('README.md', formatReadme(cms, house, awin));
  texts.set('catalogue.json', formatJson(configuration(house.excluded)));
  for (const [path, content] of cms.files) texts.set(path, formatJson(content));
  texts.set(HOUSE_FILE, house.text);
  texts.set(AWIN_FILE, awin.text);
  return texts;
}

/** Every picture of `data/sample`, by its path there. */
export function makeSamplePictures(): ReadonlyMap<string, Picture> {
  const pictures = new Map<string, Picture>();
  for (const model of MODELS) {
    for (const view of model.views ?? VIEWS) {
      pictures.set(`cms/${pictureOf('phones', `${model.slug}-${view}`)}`, {
        svg: drawPhone(model, view),
        ...PHONE_PICTURE,
      });
    }
  }
  for (const { slug } of GIFTS) {
    pictures.set(`cms/${pictureOf('gifts', slug)}`, { svg: drawGift(slug), ...GIFT_PICTURE });
  }
  for (const { slug, picture } of GIFT_CATEGORIES) {
    pictures.set(`cms/${pictureOf('gifts', `category-${slug}`)}`, { svg: drawGiftPair(picture), ...GIFT_PICTURE });
  }
  for (const { slug } of NETWORKS) {
    pictures.set(`cms/${pictureOf('networks', slug)}`, { svg: drawNetworkLogo(slug), ...NETWORK_LOGO });
  }
  for (const { slug } of RETAILERS) {
    pictures.set(`cms/${pictureOf('retailers', slug)}`, { svg: drawRetailerLogo(slug), ...RETAILER_LOGO });
  }
  return pictures;
}

/** Compresses a text; the header holds neither a time nor the name of the operating system. */
export function compress(text: string): Buffer {
  const bytes = gzipSync(text, { level: 9 });
  bytes.fill(0, 4, 8);
  bytes[9] = 255;
  return bytes;
}

function configuration(excluded: { readonly retailer: string; readonly deal: string }): object {
  return {
    store: '../../dist/catalogue',
    cms: [{ name: 'site', adapter: 'catalogue', files: ['cms/*.json'] }],
    feeds: [
      { name: 'house', adapter: 'deals', files: ['feeds/house/*.csv'], required: true },
      { name: 'awin', adapter: 'awin', files: ['feeds/awin/*.csv.gz'], required: true },
    ],
    images: { render: true },
    exclude: [{ ...excluded, reason: 'price typed wrong, the retailer knows', until: '2036-12-31' }],
    currency: { code: 'GBP', label: '£' },
    money: { maxMonthlyCost: 300, maxUpfrontCost: 5000, zeroMonthlyCost: false },
    gates: { maxLostDeals: 0.1, maxLostProducts: 0.1, maxQuarantined: 0.2, minRows: 20 },
  };
}
