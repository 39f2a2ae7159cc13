import type { Random } from '../oracle/random.ts';
import type { ShopCatalogue } from './matching-catalogue.ts';
import { storageOf, type Model } from './matching-models.ts';
import { compact, withoutConnectivity, type Reading } from './matching-reading.ts';
import { slip, SLIP_KINDS } from './matching-slip.ts';
import type { TableProduct } from './phone-table.ts';

/** A name as a feed may write it, and what a careful person would answer. */
export interface LabelledName {
  /** What was done to the name of the phone. */
  readonly kind: string;
  readonly name: string;
  readonly condition: TableProduct['condition'];
  /** What the feed declares to be the colour. */
  readonly colour?: string;
  /** The one product that the name means: `101/new`. Without it, a match is a wrong match. */
  readonly answer?: string;
}

type Draft = Omit<LabelledName, 'kind'>;

/** What names are written from. */
export interface Shop {
  readonly random: Random;
  readonly catalogue: ShopCatalogue;
  readonly reading: Reading;
  /** Of the models of the catalogue alone. */
  readonly catalogueReading: Reading;
  readonly allModels: readonly Model[];
}

/** A product of the catalogue and its model. */
interface Phone {
  readonly model: Model;
  readonly product: TableProduct;
  readonly storage: string;
}

interface Kind {
  readonly name: string;
  /** Fewer than one phone in ten lends itself to it. */
  readonly isRare?: boolean;
  /** A name of the kind, or nothing where the phone does not lend itself to it. */
  readonly write: (phone: Phone, shop: Shop) => Draft | undefined;
}

const ANSWERED_COUNT = 140;
const RARE_COUNT = 80;
const UNANSWERED_COUNT = 80;
const MAX_PASSES = 4;

/**
 * The labelled set. A label follows from how its name was made and from `Reading`, never from the matcher:
 *
 * - Written another way (storage, case, marks, order, maker, colour, condition words) a name means its product.
 * - `5G`, `4G`, `Dual SIM` and `eSIM` may be said of a phone that has them, or be left out, while no other model of the
 *   table differs by just that. Where one of the catalogue does, the name means no product, unless it has become the very name of one: such
 *   names are not written.
 * - Without its maker a name means its product if one of its words is of a phone (`Galaxy A51`, `P30 Pro`; not `Note 10`)
 *   and no model of another maker holds all its words. Where one in the catalogue does, it means none; where only one
 *   outside the catalogue does, it is not written: the catalogue cannot tell.
 * - A slip of the typing means no product. One that nobody could tell, because it reads as a phone of the table, is not
 *   written.
 * - A storage, a condition or a model that the catalogue does not have means no product, however near the others are.
 * - A name without storage, and one that contradicts its condition, mean no product.
 */
export function writeLabelledNames(shop: Shop): readonly LabelledName[] {
  const { catalogue } = shop;
  const served = new Set(catalogue.products);
  const phones = phonesOf(catalogue.models).filter(({ product }) => served.has(product));
  return [
    ...ANSWERED_KINDS.flatMap((kind) =>
      writeKind(kind, phones, shop, kind.isRare === true ? RARE_COUNT : ANSWERED_COUNT),
    ),
    ...UNANSWERED_KINDS.flatMap((kind) => writeKind(kind, phones, shop, UNANSWERED_COUNT)),
    ...writeKind(REMOVED_SIBLING, phonesOf(catalogue.removedSiblings), shop, UNANSWERED_COUNT * 2),
    ...writeKind(REMOVED_CONDITION, catalogue.removedVariants.map(phoneOf), shop, UNANSWERED_COUNT),
    ...writeKind(NOT_A_PHONE, phonesOf(shop.allModels.filter(({ isPhone }) => !isPhone)), shop, UNANSWERED_COUNT),
  ];
}

function phonesOf(models: readonly Model[]): readonly Phone[] {
  return models.flatMap((model) => model.products.map((product) => phoneOf({ model, product })));
}

function phoneOf({ model, product }: { readonly model: Model; readonly product: TableProduct }): Phone {
  return { model, product, storage: storageOf(product) };
}

/** Up to `count` names of the kind, no two the same. */
function writeKind(kind: Kind, phones: readonly Phone[], shop: Shop, count: number): readonly LabelledName[] {
  const written = new Map<string, LabelledName>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    for (const phone of shop.random.shuffled(phones)) {
      if (written.size === count) break;
      const draft = kind.write(phone, shop);
      if (draft !== undefined) written.set(JSON.stringify(draft), { kind: kind.name, ...draft });
    }
  }
  return [...written.values()];
}

const STORAGE_SPELLINGS: readonly ((storage: string) => string)[] = [
  (storage) => storage,
  (storage) => spaced(storage),
  (storage) => `(${storage})`,
  (storage) => `(${spaced(storage)})`,
  (storage) => storage.toLowerCase(),
  (storage) => `- ${storage}`,
  (storage) => `, ${spaced(storage)}`,
  (storage) => spaced(storage).replace('B', 'b'),
  (storage) => `[${storage}]`,
];

const CONDITION_WORDS = {
  new: ['New', 'Brand New', '(New)', 'Brand New & Sealed', '- New'],
  refurbished: [
    'Refurbished',
    'Grade A',
    'Used - Good',
    'Pre-owned',
    'Refurbished - Grade B',
    '(Refurbished)',
    'Used',
    'Used - Very Good',
    'Used: Like New',
    'Refurbished (Good)',
    'Refurbished Excellent',
    'Good as New',
    'Certified Refurbished',
    'Renewed',
    'Pristine - Refurbished',
    'Refurb',
    '[Grade A+]',
    'Pre Owned - Fair',
  ],
} as const;

const ANSWERED_KINDS: readonly Kind[] = [
  { name: 'the very name', write: (phone) => answered(phone, fullName(phone)) },
  {
    name: 'storage',
    write: (phone, { random }) => answered(phone, `${phone.model.name} ${spellStorage(phone, random)}`),
  },
  {
    name: 'case',
    write: (phone, { random }) => {
      const name = fullName(phone);
      return answered(phone, random.pick([name.toUpperCase(), name.toLowerCase(), capitalise(name)]));
    },
  },
  {
    name: 'marks',
    write: (phone, { random }) => answered(phone, changeMarks(phone, random)),
  },
  {
    name: 'order of the words',
    write: (phone, { random }) => {
      const { maker, core } = phone.model;
      return answered(
        phone,
        random.pick([
          `${phone.storage} ${maker} ${core}`,
          `${core} ${phone.storage} ${maker}`,
          `${core} ${phone.storage} by ${maker}`.replace(' by ', ' - '),
          `${maker} ${phone.storage} ${core}`,
        ]),
      );
    },
  },
  {
    name: 'spaces in the model',
    write: (phone, { random }) => {
      const core = changeSpaces(phone.model.core, random);
      return core === phone.model.core ? undefined : answered(phone, `${phone.model.maker} ${core} ${phone.storage}`);
    },
  },
  {
    name: '+ and Plus',
    isRare: true,
    write: (phone, { random }) => {
      const { name } = phone.model;
      if (!/\+|\bplus\b/i.test(name)) return undefined;
      const changed = /\+/.test(name) ? name.replace(/\+/, random.pick([' Plus', ' +', ' plus'])) : plusSign(name);
      return answered(phone, `${changed} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'year or generation',
    isRare: true,
    write: (phone, { random }) => {
      const { name } = phone.model;
      if (!/\((?:20[0-9]{2}|[0-9](?:st|nd|rd|th) gen)\)/i.test(name)) return undefined;
      const changed = random.pick([
        name.replaceAll(/[()]/g, ''),
        name.replace(/ gen\)/i, ' Generation)').replaceAll(/\((20[0-9]{2})\)/g, '- $1'),
        name.replace(/ gen\)/i, ' GEN)').replaceAll(/\((20[0-9]{2})\)/g, '[$1]'),
      ]);
      return answered(phone, `${changed} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'maker doubled',
    write: (phone) => answered(phone, `${phone.model.maker} ${fullName(phone)}`),
  },
  {
    name: 'maker missing',
    write: (phone, { random, reading }) =>
      hasTellingWord(phone.model) && !reading.isShared(phone.model)
        ? answered(phone, `${phone.model.core} ${spellStorage(phone, random)}`)
        : undefined,
  },
  {
    name: 'colour, declared',
    write: (phone, shop) => {
      const colour = pickColour(phone, shop);
      if (colour === undefined) return undefined;
      return { ...answered(phone, addWords(phone, colour, shop.random)), colour };
    },
  },
  {
    name: 'colour, declared and not in the name',
    write: (phone, shop) => {
      const colour = pickColour(phone, shop);
      return colour === undefined ? undefined : { ...answered(phone, fullName(phone)), colour };
    },
  },
  {
    name: 'colour, not declared',
    write: (phone, shop) => {
      const colour = pickColour(phone, shop);
      return colour === undefined ? undefined : answered(phone, addWords(phone, colour, shop.random));
    },
  },
  {
    name: 'connectivity added',
    write: (phone, { random, reading }) => {
      if (phone.model.unsaid.length === 0 || reading.family(phone.model).length > 1) return undefined;
      return answered(phone, addWords(phone, random.pick(phone.model.unsaid), random));
    },
  },
  {
    name: 'connectivity left out',
    isRare: true,
    write: (phone, { random, reading }) => {
      const name = withoutConnectivity(phone.model.name);
      if (!/\b(?:5g|4g|dual sim)\b/i.test(phone.model.name) || /\blte\b/i.test(phone.model.name)) return undefined;
      if (reading.family(phone.model).length > 1) return undefined;
      return answered(phone, `${name} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'condition',
    write: (phone, { random }) => {
      const words = random.pick(CONDITION_WORDS[phone.product.condition]);
      return answered(phone, random.pick([`${words} ${fullName(phone)}`, `${fullName(phone)} ${words}`]));
    },
  },
  {
    name: 'as Awin writes it',
    write: (phone, shop) => {
      const colour = pickColour(phone, shop);
      if (colour === undefined) return undefined;
      const condition = phone.product.condition === 'refurbished' ? ' Refurbished' : '';
      return { ...answered(phone, `${phone.model.name} (${phone.storage} ${colour}${condition})`), colour };
    },
  },
  {
    name: 'several at once',
    write: (phone, shop) => {
      const { random, reading } = shop;
      const { maker, core, unsaid } = phone.model;
      const colour = pickColour(phone, shop);
      if (colour === undefined || reading.family(phone.model).length > 1) return undefined;
      const makers = random.pick([maker, `${maker} ${maker}`, maker.toUpperCase()]);
      const parts = random.shuffled([
        spellStorage(phone, random),
        colour,
        ...(random.isLikely(0.5) ? [random.pick(CONDITION_WORDS[phone.product.condition])] : []),
        ...(random.isLikely(0.3) ? unsaid.filter((word) => word.endsWith('SIM')).slice(0, 1) : []),
      ]);
      return { ...answered(phone, `${makers} ${core} ${parts.join(random.pick([' ', ' - ', ', ']))}`), colour };
    },
  },
];

const UNANSWERED_KINDS: readonly Kind[] = [
  ...SLIP_KINDS.map(
    (kind): Kind => ({
      name: `slip: ${kind}`,
      write: (phone, { random, reading }) => {
        const name = slip(kind, fullName(phone), random);
        if (compact(name) === compact(fullName(phone)) || reading.isProduct(name)) return undefined;
        return unanswered(phone, name);
      },
    }),
  ),
  {
    name: 'another storage',
    write: (phone, { random }) => {
      const others = ['4GB', '16GB', '32GB', '64GB', '128GB', '256GB', '512GB', '1TB', '128TB'];
      const storage = random.pick(others.filter((other) => !phone.model.storages.includes(other)));
      return unanswered(phone, addWords({ ...phone, storage }, random.pick(['', 'Black', 'Refurbished']), random));
    },
  },
  { name: 'no storage', write: (phone) => unanswered(phone, phone.model.name) },
  {
    name: 'another number',
    write: (phone, { random, reading }) => {
      const step = random.pick([-1, 1, 2]);
      const name = phone.model.name.replace(/[0-9]+/, (digits) => String(Number(digits) + step));
      if (name === phone.model.name || reading.isModel(name)) return undefined;
      return unanswered(phone, `${name} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'another word',
    write: (phone, { random, reading }) => {
      const word = random.pick(['Pro', 'Plus', 'Ultra', 'Lite', 'Max', 'Mini', 'FE', 'SE', 'Neo', 'Prime', 'XL', '2']);
      const name = `${phone.model.name} ${word}`;
      return reading.isModel(name) ? undefined : unanswered(phone, `${name} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'a word left out',
    write: (phone, { random, reading }) => {
      const words = phone.model.core.split(' ');
      const left = words.toSpliced(random.below(words.length), 1).join(' ');
      const name = `${phone.model.maker} ${left} ${phone.storage}`;
      // Without `5G` it is another kind; what reads as a phone cannot be told from it.
      if (withoutConnectivity(left) === withoutConnectivity(phone.model.core)) return undefined;
      return left === '' || reading.isProduct(name.replace(/\bnew\b/i, '')) ? undefined : unanswered(phone, name);
    },
  },
  {
    name: 'another maker',
    write: (phone, { random, reading, allModels }) => {
      const { maker } = random.pick(allModels);
      const name = `${maker} ${phone.model.core} ${phone.storage}`;
      return maker === phone.model.maker || reading.isProduct(name) ? undefined : unanswered(phone, name);
    },
  },
  {
    name: 'connectivity left out, which a sibling lacks',
    write: (phone, { random, catalogueReading, catalogue }) => {
      const name = `${withoutConnectivity(phone.model.name)} ${phone.storage}`;
      // `LTE` is no word to be left out or added, so the two are no siblings in it.
      if (catalogueReading.family(phone.model).some((model) => /\blte\b/i.test(model.name))) return undefined;
      if (catalogueReading.family(phone.model).length === 1 || name === fullName(phone)) return undefined;
      const isName = catalogue.models.some(
        (model) =>
          model.storages.includes(phone.storage) && compact(`${model.name} ${phone.storage}`) === compact(name),
      );
      return isName
        ? undefined
        : unanswered(phone, `${withoutConnectivity(phone.model.name)} ${spellStorage(phone, random)}`);
    },
  },
  {
    name: 'maker missing, of two makers',
    write: (phone, { random, catalogueReading }) =>
      catalogueReading.isShared(phone.model)
        ? unanswered(phone, `${phone.model.core} ${spellStorage(phone, random)}`)
        : undefined,
  },
  {
    name: 'condition contradicted',
    write: (phone, { random }) => {
      const said = phone.product.condition === 'new' ? 'refurbished' : 'new';
      return unanswered(phone, `${fullName(phone)} ${random.pick(CONDITION_WORDS[said])}`);
    },
  },
  {
    name: 'an accessory or a bundle',
    write: (phone, { random }) =>
      unanswered(
        phone,
        random.pick([
          `Case for ${fullName(phone)}`,
          `${fullName(phone)} Leather Cover Black`,
          `${fullName(phone)} + Wireless Earbuds`,
          `Screen Protector - ${fullName(phone)}`,
          `${fullName(phone)} Unlimited Data 24 Months`,
        ]),
      ),
  },
  {
    name: 'a later phone, tablet or watch',
    write: (phone, { random }) =>
      unanswered(phone, `${random.pick(LATER_NAMES)} ${random.pick(['64GB', '128GB', '256 GB', '(512GB)'])}`),
  },
];

const REMOVED_SIBLING: Kind = {
  name: 'a model removed beside its sibling',
  write: (phone, shop) => {
    const { random } = shop;
    return unanswered(phone, addWords(phone, random.isLikely(0.5) ? (pickColour(phone, shop) ?? '') : '', random));
  },
};

const REMOVED_CONDITION: Kind = {
  name: 'a condition that the phone is not sold in',
  write: (phone, { random }) =>
    unanswered(
      phone,
      addWords(phone, random.pick(['', random.pick(CONDITION_WORDS[phone.product.condition])]), random),
    ),
};

const NOT_A_PHONE: Kind = {
  name: 'a tablet or watch that is not sold',
  write: (phone, { random }) =>
    unanswered(phone, addWords(phone, random.pick(['', 'Black', 'Silver', 'Wi-Fi', 'Cellular', '4G']), random)),
};

/** Later than the table, or of makers that it does not have. */
const LATER_NAMES = `Apple iPhone 14, Apple iPhone 14 Plus, Apple iPhone 15 Pro Max, Apple iPhone SE (2022), iPhone 16e,
  Apple iPhone SE (3rd Gen), Apple iPad Air (2022), Apple Watch Series 8 45mm, Apple Watch Ultra 2,
  Google Pixel 6, Google Pixel 6a, Google Pixel 7 Pro, Google Pixel 8a, Google Pixel Fold, Pixel 9,
  Google Pixel Watch 2, Google Pixel Tablet, Samsung Galaxy S22, Samsung Galaxy S22+, Galaxy S22 Ultra,
  Samsung Galaxy S21 FE 5G 2022, Samsung Galaxy S23 FE, Samsung Galaxy A54 5G, Samsung Galaxy A14,
  Samsung Galaxy Z Flip4, Samsung Galaxy Z Fold 5, Samsung Galaxy Tab S8 Ultra, Galaxy Watch5 Pro 45mm,
  Samsung Galaxy Watch6 Classic, Samsung Galaxy Tab A8 2021, Motorola Edge 30 Neo, Motorola Moto G 73 5G,
  Motorola Razr 40 Ultra, Motorola Moto E 13, Nokia G 21, Nokia X30 5G, Nokia C32, Sony Xperia 1 V,
  Sony Xperia 5 IV, Honor 70, Honor 90 Lite, Honor Magic 5 Pro, Honor X 8a, Huawei P60 Pro, P60 Pro,
  Huawei nova 11, Huawei Mate 60, Xiaomi 12 Pro, Xiaomi Redmi Note 11 Pro, Redmi Note 10, OnePlus 9,
  OnePlus Nord 2 5G, Oppo A54 5G, Oppo Find X5, Oppo Reno 8 Lite, Realme C 31, Nothing Phone (2), Fairphone 4,
  Asus Zenfone 9, TCL 30 SE, Doro 8100, Vivo X80 Pro, CAT S62 Pro, Poco X5 Pro`.split(/,\s+/);

function answered({ product }: Phone, name: string): Draft {
  return { name, condition: product.condition, answer: `${product.id}/${product.condition}` };
}

function unanswered({ product }: Phone, name: string): Draft {
  return { name, condition: product.condition };
}

/** `Samsung Galaxy S21+ 5G 128GB`. */
function fullName({ model, storage }: Phone): string {
  return `${model.name} ${storage}`;
}

/** The full name with more words, before or after its storage. */
function addWords({ model, storage }: Phone, words: string, random: Random): string {
  if (words === '') return `${model.name} ${storage}`;
  return random.pick([
    `${model.name} ${storage} ${words}`,
    `${model.name} ${words} ${storage}`,
    `${model.name} ${storage} - ${words}`,
    `${model.name} (${storage}, ${words})`,
  ]);
}

function spellStorage({ storage }: Phone, random: Random): string {
  return random.pick(STORAGE_SPELLINGS)(storage);
}

/** `128 GB`. */
function spaced(storage: string): string {
  return storage.replace(/(?=[GT]B$)/, ' ');
}

function capitalise(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function changeMarks(phone: Phone, random: Random): string {
  const { name, maker, core } = phone.model;
  return random.pick([
    fullName(phone).replaceAll(' ', '-'),
    fullName(phone).replaceAll(' ', '  '),
    `${maker}® ${core}™ ${phone.storage}`,
    `${maker}: ${core} / ${phone.storage}`,
    `${name.replaceAll(/[()]/g, ' ')}, ${phone.storage}.`,
    `"${name}" | ${phone.storage}`,
    fullName(phone).replaceAll(' ', '_'),
  ]);
}

/** `Note10+` is `Note 10+`, `G9` is `G 9`, or the other way round. */
function changeSpaces(core: string, random: Random): string {
  const isSplit = /\b[a-z]+[0-9]{1,2}\b/i.test(core);
  const isJoinable = /\b[a-z]{3,} [0-9]/i.test(core);
  if (isSplit && (!isJoinable || random.isLikely(0.5))) return core.replace(/\b([a-z]+)([0-9]{1,2})\b/i, '$1 $2');
  return core.replace(/\b([a-z]{3,}) ([0-9])/i, '$1$2');
}

function plusSign(name: string): string {
  return name.replace(/ plus\b/i, '+');
}

/** A colour of the model that does not make another model's name of its name. */
function pickColour({ model }: Phone, { random, reading }: Shop): string | undefined {
  const colours = model.colours.filter((colour) => {
    const words = colour.split(/[^a-z']+/i);
    return !words.some((_, i) => reading.isModel(`${model.name} ${words.slice(0, i + 1).join(' ')}`));
  });
  return colours.length === 0 ? undefined : random.pick(colours);
}

/** Words that many makers name models with: none of them says the maker. */
const COMMON_WORDS = new Set(
  `pro plus lite max mini prime play note one edge ultra duo dual sim gen power smart style view active compact flip
  fold zoom neo fun core pop star touch the and for hd lte cdma`.split(/\s+/),
);

/** Whether the name without its maker holds a word of a phone: `Galaxy A51` and `P30 Pro` do, `Note 10` does not. */
function hasTellingWord({ core }: Model): boolean {
  return withoutConnectivity(core)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((word) => /^(?=.*[a-z])[a-z0-9]{2,}$/.test(word) && !COMMON_WORDS.has(word));
}
