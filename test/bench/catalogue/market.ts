import type { Allowance } from '../../../data/record/amount.ts';

/** Everything of the invented market but the phones: networks with their plans, retailers, gifts. */
export interface Network {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly share: number;
  readonly plans: readonly Plan[];
}

export interface Plan {
  /** Its place in the list of all plans. */
  readonly number: number;
  readonly name: string;
  readonly dataMegabytes: Allowance;
  readonly callMinutes: Allowance;
  readonly textMessages: Allowance;
  readonly pence: number;
  readonly weight: number;
}

export interface Retailer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** The one network that a network's own shop sells. */
  readonly network?: string;
  /** What it adds to the price of a phone. */
  readonly margin: number;
}

/** A file of deals as one retailer, or one affiliate network for several retailers, delivers it. */
export interface Feed {
  readonly name: string;
  /** Of all deals. */
  readonly share: number;
  readonly retailers: readonly Retailer[];
  /** By what its rows name the phone. */
  readonly namesBy: 'id' | 'name' | 'gtin';
}

export interface Gift {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface GiftCategory {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly gifts: readonly Gift[];
}

/** Gigabytes of data, the price of the plan in pence, and how common it is; unlimited is a quarter of all deals. */
const TIERS = [
  { gigabytes: 1, pence: 600, weight: 2 },
  { gigabytes: 2, pence: 650, weight: 2 },
  { gigabytes: 4, pence: 700, weight: 4 },
  { gigabytes: 5, pence: 750, weight: 4 },
  { gigabytes: 10, pence: 850, weight: 7 },
  { gigabytes: 20, pence: 950, weight: 6 },
  { gigabytes: 30, pence: 1_000, weight: 9 },
  { gigabytes: 50, pence: 1_150, weight: 8 },
  { gigabytes: 60, pence: 1_200, weight: 4 },
  { gigabytes: 100, pence: 1_300, weight: 10 },
  { gigabytes: 150, pence: 1_450, weight: 6 },
  { gigabytes: 200, pence: 1_600, weight: 6 },
  { gigabytes: 250, pence: 1_700, weight: 4 },
  { gigabytes: 500, pence: 1_900, weight: 3 },
  { gigabytes: 'unlimited', pence: 2_100, weight: 25 },
] as const;

const NETWORK_FACTS = [
  { id: '24', slug: 'corvane', name: 'Corvane', share: 24, words: ['Forty', 'Gather'] },
  { id: '21', slug: 'tideline', name: 'Tideline', share: 22, words: ['Shore', 'Ocean'] },
  { id: '8', slug: 'northway', name: 'Northway', share: 20, words: ['Everyday', 'Boundless'] },
  { id: '36', slug: 'quartet', name: 'Quartet', share: 20, words: ['Trio', 'Full'] },
  { id: '45', slug: 'fernlink', name: 'Fernlink', share: 8, words: ['Frond'] },
  { id: '52', slug: 'beckside', name: 'Beckside', share: 2.4, words: ['Stream'] },
  { id: '63', slug: 'emberly', name: 'Emberly', share: 1.6, words: ['Glow'] },
  { id: '71', slug: 'larkcall', name: 'Larkcall', share: 1.2, words: ['Song'] },
  { id: '88', slug: 'moorland', name: 'Moorland Mobile', share: 0.8, words: ['Heather'] },
];

export const NETWORKS: readonly Network[] = createNetworks();

function createNetworks(): readonly Network[] {
  let number = 0;
  return NETWORK_FACTS.map(({ id, slug, name, share, words }) => ({
    id,
    slug,
    name,
    share,
    plans: words.flatMap((word, wordNumber) =>
      TIERS.map(({ gigabytes, pence, weight }): Plan => {
        // Nineteen of twenty plans have unlimited calls and texts; the smallest of a network's first range have not.
        const isSmall = wordNumber === 0 && gigabytes !== 'unlimited' && gigabytes <= 2;
        return {
          number: number++,
          name: `${name} ${word} ${gigabytes === 'unlimited' ? 'Unlimited' : `${gigabytes}GB`}`,
          dataMegabytes: gigabytes === 'unlimited' ? 'unlimited' : gigabytes * 1_000,
          callMinutes: isSmall ? 500 : 'unlimited',
          textMessages: isSmall ? 5_000 : 'unlimited',
          pence: pence + wordNumber * 250,
          weight: weight / (1 + wordNumber),
        };
      }),
    ),
  }));
}

const GIANT_ONE = retailer('410', 'handset-harbour', 'Handset Harbour', 0.06);
const GIANT_TWO = retailer('437', 'phonewright', 'Phonewright', 0.08);
const DIALSTONE = retailer('512', 'dialstone', 'Dialstone', 0.1);
const RINGFIELD = retailer('604', 'ringfield-mobiles', 'Ringfield Mobiles', 0.05);
const BRAMBLE = retailer('718', 'bramble-mobiles', 'Bramble Mobiles', 0.09);
const SECONDRING = retailer('80590', 'secondring', 'Secondring', 0.12);
const SHOPS = NETWORK_FACTS.slice(0, 6).map(({ slug, name }, i) => ({
  ...retailer(String(80_211 + i * 133), `${slug}-store`, `${name} Store`, 0),
  network: slug,
}));

export const RETAILERS: readonly Retailer[] = [
  GIANT_ONE,
  GIANT_TWO,
  DIALSTONE,
  RINGFIELD,
  BRAMBLE,
  SECONDRING,
  ...SHOPS,
];

/** Two giants, four of middling size, and the networks' own shops in one file. */
export const FEEDS: readonly Feed[] = [
  { name: 'harbour', share: 0.37, retailers: [GIANT_ONE], namesBy: 'id' },
  { name: 'phonewright', share: 0.31, retailers: [GIANT_TWO], namesBy: 'id' },
  { name: 'dialstone', share: 0.09, retailers: [DIALSTONE], namesBy: 'name' },
  { name: 'ringfield', share: 0.07, retailers: [RINGFIELD], namesBy: 'name' },
  { name: 'bramble', share: 0.05, retailers: [BRAMBLE], namesBy: 'id' },
  { name: 'secondring', share: 0.04, retailers: [SECONDRING], namesBy: 'gtin' },
  { name: 'stores', share: 0.07, retailers: SHOPS, namesBy: 'id' },
];

function retailer(id: string, slug: string, name: string, margin: number): Retailer {
  return { id, slug, name, margin };
}

export const GIFT_CATEGORIES: readonly GiftCategory[] = createGiftCategories();

export const GIFTS: readonly Gift[] = GIFT_CATEGORIES.flatMap(({ gifts }) => gifts);

function createGiftCategories(): readonly GiftCategory[] {
  const things: readonly (readonly [string, readonly string[]])[] = [
    ['Audio', ['Pebble Earbuds', 'Hush Headphones', 'Drift Speaker', 'Cellar Soundbar']],
    ['Gaming', ['Pocket Arcade', 'Grip Controller', 'Rally Headset', 'Orchard Console']],
    ['Wearables', ['Tempo Watch', 'Stride Band', 'Glance Ring']],
    ['Home', ['Glow Bulbs', 'Castaway TV Stick', 'Hearth Camera', 'Draught Thermostat']],
    ['Days out', ['Cinema Tickets for Two', 'Market Square Gift Card', 'Spa Morning']],
  ];
  let id = 0;
  return things.map(([name, names], i) => ({
    id: String(i + 1),
    slug: slugOf(name),
    name,
    gifts: names.map((gift) => ({ id: String(++id), slug: slugOf(gift), name: gift })),
  }));
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
