import type { Condition } from '../../../data/record/product.ts';
import { createRandom, type Random } from '../../support/random.ts';

/** An invented phone in one storage and condition, as the shop sells it and as buyers ask for it. */
export interface Phone {
  readonly id: string;
  readonly condition: Condition;
  readonly name: string;
  readonly slug: string;
  readonly maker: Maker;
  readonly modelName: string;
  readonly modelSlug: string;
  /** The place of the model in sales, 0 for the first. */
  readonly modelRank: number;
  readonly storage: string;
  readonly colours: readonly string[];
  /** The affiliate network's number of the first colour; the others follow. */
  readonly firstEdition: number;
  readonly gtin: string;
  readonly pricePence: number;
  /** The share of all deals that are for this phone. */
  readonly popularity: number;
}

interface Maker {
  readonly slug: string;
  readonly name: string;
  readonly series: readonly string[];
  /** Price of the plainest model in pounds. */
  readonly basePounds: number;
}

/** Series and makers are invented, and no series belongs to two makers. */
const MAKERS: readonly Maker[] = [
  { slug: 'aurel', name: 'Aurel', series: ['A', 'Solo'], basePounds: 620 },
  { slug: 'kestrel', name: 'Kestrel', series: ['K', 'Talon', 'Plume'], basePounds: 480 },
  { slug: 'mirrin', name: 'Mirrin', series: ['Lens', 'Vista'], basePounds: 420 },
  { slug: 'halden', name: 'Halden', series: ['H', 'Skerry'], basePounds: 190 },
  { slug: 'vesper', name: 'Vesper', series: ['Vigil', 'Gloam'], basePounds: 330 },
  { slug: 'orbit', name: 'Orbit', series: ['Z', 'Comet', 'Rove'], basePounds: 260 },
  { slug: 'wren', name: 'Wren', series: ['Go', 'Nest'], basePounds: 95 },
  { slug: 'tamsin', name: 'Tamsin', series: ['Ridge', 'Easy'], basePounds: 130 },
  { slug: 'corvus', name: 'Corvus', series: ['C', 'Rook'], basePounds: 230 },
  { slug: 'lumo', name: 'Lumo', series: ['Glint', 'L'], basePounds: 280 },
];

const SUFFIXES = [
  { text: '', factor: 1 },
  { text: ' Pro', factor: 1.45 },
  { text: ' Plus', factor: 1.2 },
  { text: ' Pro Max', factor: 1.75 },
  { text: ' Mini', factor: 0.85 },
  { text: ' Ultra', factor: 1.9 },
];

const STORAGES = [
  { text: '128GB', pounds: 0, weight: 0.38 },
  { text: '256GB', pounds: 80, weight: 0.34 },
  { text: '512GB', pounds: 220, weight: 0.19 },
  { text: '64GB', pounds: -40, weight: 0.09 },
];

const COLOURS = ['Black', 'White', 'Blue', 'Green', 'Silver', 'Purple', 'Pink', 'Grey'];

const NEWEST_GENERATION = 18;

const REFURBISHED_PRICE = 0.62;
const REFURBISHED_POPULARITY = 0.3;
/** Of the models, from the second generation on. */
const REFURBISHED_SHARE = 0.36;

const SEED = 7_001;

/** The first `count` phones of an endless range, newest and best sold models first. */
export function createPhoneRange(count: number): readonly Phone[] {
  const random = createRandom(SEED);
  const phones: Phone[] = [];
  let id = 1_000;
  for (const [modelRank, model] of listModels().entries()) {
    if (phones.length >= count) break;
    const storageCount = 1 + Math.min(random.below(4), 3);
    const isResold = model.age > 0 && random.isLikely(REFURBISHED_SHARE);
    const colourCount = 2 + random.below(5);
    const firstColour = random.below(COLOURS.length);
    const colours = Array.from(
      { length: colourCount },
      (_, i) => COLOURS[(firstColour + i) % COLOURS.length] as string,
    );
    for (const storage of STORAGES.slice(0, storageCount)) {
      id += 1 + random.below(3);
      const name = `${model.name} ${storage.text}`;
      const fresh: Phone = {
        id: String(id),
        condition: 'new',
        name,
        slug: slugOf(name),
        maker: model.maker,
        modelName: model.name,
        modelSlug: slugOf(model.name),
        modelRank,
        storage: storage.text,
        colours,
        firstEdition: id * 20,
        gtin: gtinOf(520_000_000_000 + id * 2),
        pricePence: Math.max(Math.round(model.pounds + storage.pounds), 60) * 100,
        popularity: storage.weight * salesOf(modelRank, random),
      };
      phones.push(fresh);
      if (isResold) phones.push(refurbish(fresh, id));
    }
  }
  return withShares(phones.slice(0, count));
}

/** The share of deals falls as sales do: the first ten models have some 40 percent of them. */
function salesOf(rank: number, random: Random): number {
  return (0.8 + random.next() * 0.4) / (rank + 3) ** 1.15;
}

function refurbish(phone: Phone, id: number): Phone {
  return {
    ...phone,
    condition: 'refurbished',
    name: `Refurbished ${phone.name}`,
    slug: `refurbished-${phone.slug}`,
    firstEdition: phone.firstEdition + 10,
    gtin: gtinOf(520_000_000_000 + id * 2 + 1),
    pricePence: Math.round((phone.pricePence * REFURBISHED_PRICE) / 100) * 100,
    popularity: phone.popularity * REFURBISHED_POPULARITY,
  };
}

function withShares(phones: readonly Phone[]): readonly Phone[] {
  const sum = phones.reduce((total, { popularity }) => total + popularity, 0);
  return phones.map((phone) => ({ ...phone, popularity: phone.popularity / sum }));
}

interface Model {
  readonly maker: Maker;
  readonly name: string;
  readonly pounds: number;
  /** Generations behind the newest. */
  readonly age: number;
}

function listModels(): readonly Model[] {
  const models: Model[] = [];
  for (let generation = NEWEST_GENERATION; generation > 0; generation--) {
    const age = NEWEST_GENERATION - generation;
    for (const suffix of SUFFIXES) {
      for (const maker of MAKERS) {
        for (const series of maker.series) {
          // Pro Max, Mini and Ultra only in the first series of a maker.
          if (series !== maker.series[0] && !['', ' Pro', ' Plus'].includes(suffix.text)) continue;
          const glue = series.length === 1 ? '' : ' ';
          const name = `${maker.name} ${series}${glue}${generation}${suffix.text}`;
          models.push({ maker, name, pounds: maker.basePounds * suffix.factor * 0.9 ** age, age });
        }
      }
    }
  }
  return models;
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

/** Twelve digits and the check digit that makes them a GTIN. */
function gtinOf(number: number): string {
  const digits = String(number);
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
