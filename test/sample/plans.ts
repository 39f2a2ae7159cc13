/** The networks, retailers and plans of the sample. All are invented. */
export interface Network {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly tagline: string;
  /** Share of the deals, relative to the other networks. */
  readonly popularity: number;
  readonly plans: readonly Plan[];
}

export interface Plan {
  readonly name: string;
  readonly dataMegabytes: Allowance;
  readonly callMinutes: Allowance;
  readonly textMessages: Allowance;
  /** What the plan costs a month without a phone. */
  readonly pence: number;
}

export type Allowance = number | 'unlimited';

export interface Retailer {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** The feed that carries its deals. No retailer is in both. */
  readonly feed: 'house' | 'awin';
  readonly networks: readonly string[];
  /** Share of the deals of its feed, relative to the other retailers. */
  readonly popularity: number;
  /** What it adds to the price of a phone: 0.04 is four per cent. */
  readonly margin: number;
  readonly linkPrefix: string;
  /** Whether its export states totals; the others leave that column empty. */
  readonly statesTotals: boolean;
  readonly shareRefurbished: number;
  /** The pence its monthly prices end in. */
  readonly endings: readonly number[];
}

/** A plan of `gigabytes`, with calls and texts without limit unless stated. */
function plan(
  name: string,
  gigabytes: Allowance,
  pence: number,
  callMinutes: Allowance = 'unlimited',
  textMessages: Allowance = 'unlimited',
): Plan {
  const dataMegabytes = gigabytes === 'unlimited' ? gigabytes : Math.round(gigabytes * 1000);
  return { name, dataMegabytes, callMinutes, textMessages, pence };
}

export const NETWORKS: readonly Network[] = [
  {
    id: '8',
    slug: 'northway',
    name: 'Northway',
    aliases: ['Northway UK', 'Northway Mobile'],
    tagline: 'A network for the whole map',
    popularity: 24,
    plans: [
      plan('Northway Start 2GB', 2, 700, 1000, 1000),
      plan('Northway Everyday 10GB', 10, 1000),
      plan('Northway Everyday 30GB', 30, 1250),
      plan('Northway Everyday 75GB', 75, 1500),
      plan('Northway Everyday 150GB', 150, 1750),
      plan('Northway Boundless', 'unlimited', 2200),
      plan('Northway Boundless Plus', 'unlimited', 2700),
    ],
  },
  {
    id: '21',
    slug: 'tideline',
    name: 'Tideline',
    aliases: ['Tideline Mobile', 'Tide Line'],
    tagline: 'Goes out, always comes back',
    popularity: 22,
    plans: [
      plan('Tideline Shore 5GB', 5, 850),
      plan('Tideline Shore 25GB', 25, 1150),
      plan('Tideline Flow 50GB', 50, 1400),
      plan('Tideline Flow 100GB', 100, 1600),
      plan('Tideline Flow 250GB', 250, 1950),
      plan('Tideline Ocean', 'unlimited', 2250),
    ],
  },
  {
    id: '24',
    slug: 'corvane',
    name: 'Corvane',
    aliases: ['Corvane UK'],
    tagline: 'Turn with the wind',
    popularity: 20,
    plans: [
      plan('Corvane One 1GB', 1, 600, 500, 5000),
      plan('Corvane Six 6GB', 6, 850),
      plan('Corvane Forty 40GB', 40, 1300),
      plan('Corvane Hundred 100GB', 100, 1550),
      plan('Corvane Open', 'unlimited', 2050),
      plan('Corvane Open Abroad', 'unlimited', 2600),
    ],
  },
  {
    id: '36',
    slug: 'quartet',
    name: 'Quartet',
    aliases: ['Quartet Mobile', 'Quartet UK'],
    tagline: 'Four good plans',
    popularity: 18,
    plans: [
      plan('Quartet Solo 4GB', 4, 750),
      plan('Quartet Duo 30GB', 30, 1150),
      plan('Quartet Trio 120GB', 120, 1550),
      plan('Quartet Tutti', 'unlimited', 1950),
    ],
  },
  {
    id: '45',
    slug: 'fernlink',
    name: 'Fernlink',
    aliases: ['Fern Link'],
    tagline: 'The green network',
    popularity: 7,
    plans: [
      plan('Fernlink Sprig 3GB', 3, 650, 2000, 2000),
      plan('Fernlink Frond 15GB', 15, 1000),
      plan('Fernlink Grove 60GB', 60, 1350),
      plan('Fernlink Forest', 'unlimited', 1900),
    ],
  },
  {
    id: '52',
    slug: 'beckside',
    name: 'Beckside',
    aliases: ['Beckside Mobile'],
    tagline: 'Clear and local',
    popularity: 4,
    plans: [
      plan('Beckside Trickle 500MB', 0.5, 500, 250, 500),
      plan('Beckside Stream 20GB', 20, 1050),
      plan('Beckside River 80GB', 80, 1400),
    ],
  },
  {
    id: '63',
    slug: 'emberly',
    name: 'Emberly',
    aliases: ['Emberly Mobile'],
    tagline: 'Warm welcome',
    popularity: 4,
    plans: [
      plan('Emberly Spark 8GB', 8, 900),
      plan('Emberly Hearth 50GB', 50, 1300),
      plan('Emberly Blaze', 'unlimited', 2000),
    ],
  },
  {
    id: '71',
    slug: 'larkcall',
    name: 'Larkcall',
    aliases: [],
    tagline: 'Up before you are',
    popularity: 3,
    plans: [plan('Larkcall Morning 12GB', 12, 950), plan('Larkcall All Day 200GB', 200, 1750)],
  },
  {
    id: '88',
    slug: 'moorland',
    name: 'Moorland Mobile',
    aliases: ['Moorland'],
    tagline: 'Signal on the tops',
    popularity: 3,
    plans: [
      plan('Moorland Heather 2GB', 2, 650, 5000, 5000),
      plan('Moorland Peat 20GB', 20, 1100),
      plan('Moorland Summit', 'unlimited', 2050),
    ],
  },
];

export const RETAILERS: readonly Retailer[] = [
  {
    id: '410',
    slug: 'handset-harbour',
    name: 'Handset Harbour',
    aliases: ['HandsetHarbour'],
    feed: 'house',
    networks: ['northway', 'tideline', 'corvane', 'quartet', 'fernlink', 'moorland'],
    popularity: 30,
    margin: 0.03,
    linkPrefix: 'https://www.handset-harbour.example/basket?deal=',
    statesTotals: true,
    shareRefurbished: 0.16,
    endings: [99, 50],
  },
  {
    id: '437',
    slug: 'phonewright',
    name: 'Phonewright',
    aliases: ['Phonewright Ltd'],
    feed: 'house',
    networks: ['northway', 'tideline', 'corvane', 'emberly', 'beckside'],
    popularity: 26,
    margin: 0.05,
    linkPrefix: 'https://phonewright.example/take/',
    statesTotals: false,
    shareRefurbished: 0.12,
    endings: [0, 50],
  },
  {
    id: '512',
    slug: 'dialstone',
    name: 'Dialstone',
    aliases: [],
    feed: 'house',
    networks: ['northway', 'corvane', 'quartet', 'larkcall'],
    popularity: 19,
    margin: 0.02,
    linkPrefix: 'https://dialstone.example/offers/',
    statesTotals: true,
    shareRefurbished: 0.1,
    endings: [0],
  },
  {
    id: '604',
    slug: 'ringfield-mobiles',
    name: 'Ringfield Mobiles',
    aliases: ['Ringfield'],
    feed: 'house',
    networks: ['tideline', 'quartet', 'fernlink', 'emberly', 'larkcall'],
    popularity: 15,
    margin: 0.07,
    linkPrefix: 'https://www.ringfield-mobiles.example/contract/',
    statesTotals: false,
    shareRefurbished: 0.14,
    endings: [99],
  },
  {
    id: '718',
    slug: 'bramble-mobiles',
    name: 'Bramble Mobiles',
    aliases: ['Bramble'],
    feed: 'house',
    networks: ['northway', 'tideline', 'beckside', 'moorland', 'fernlink'],
    popularity: 10,
    margin: 0.06,
    linkPrefix: 'https://bramble-mobiles.example/d/',
    statesTotals: false,
    shareRefurbished: 0.2,
    endings: [0, 50],
  },
  {
    id: '80211',
    slug: 'tideline-store',
    name: 'Tideline Store',
    aliases: ['Tideline Online'],
    feed: 'awin',
    networks: ['tideline'],
    popularity: 30,
    margin: 0.08,
    linkPrefix: 'https://shop.tideline.example/add?plan=',
    statesTotals: true,
    shareRefurbished: 0.1,
    endings: [0],
  },
  {
    id: '80344',
    slug: 'northway-direct',
    name: 'Northway Direct',
    aliases: ['Northway Shop'],
    feed: 'awin',
    networks: ['northway'],
    popularity: 28,
    margin: 0.08,
    linkPrefix: 'https://www.northway.example/phones/order?offer=',
    statesTotals: true,
    shareRefurbished: 0.08,
    endings: [0, 50],
  },
  {
    id: '80590',
    slug: 'secondring',
    name: 'Secondring',
    aliases: ['Secondring UK', 'Second Ring'],
    feed: 'awin',
    networks: ['northway', 'tideline', 'corvane', 'quartet', 'fernlink'],
    popularity: 42,
    margin: 0.01,
    linkPrefix: 'https://secondring.example/buy?sku=',
    statesTotals: true,
    shareRefurbished: 0.45,
    endings: [99, 50],
  },
];

export function networkOf(slug: string): Network {
  const network = NETWORKS.find((candidate) => candidate.slug === slug);
  if (network === undefined) throw new RangeError(`unknown network ${slug}`);
  return network;
}

export function retailerOf(slug: string): Retailer {
  const retailer = RETAILERS.find((candidate) => candidate.slug === slug);
  if (retailer === undefined) throw new RangeError(`unknown retailer ${slug}`);
  return retailer;
}
