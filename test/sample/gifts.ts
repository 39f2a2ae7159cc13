/** The free gifts of the sample. All are invented. */
export interface Gift {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly heading: string;
  readonly introduction: string;
  readonly description: string;
  readonly keywords: string;
  readonly otherNames?: readonly string[];
  /** How often a feed gives it, relative to the others. */
  readonly popularity: number;
  /** The cheapest phone it is given with, in pounds. */
  readonly fromPounds: number;
}

export interface GiftCategory {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly heading: string;
  readonly introduction: string;
  readonly pageHeading: string;
  readonly pageIntroduction: string;
  readonly description: string;
  readonly keywords: string;
  /** In the editor's order. */
  readonly gifts: readonly string[];
  /** The two gifts in its picture, by slug. */
  readonly picture: readonly [string, string];
}

export const GIFTS: readonly Gift[] = [
  {
    id: '1',
    slug: 'pebble-earbuds',
    name: 'Pebble Earbuds',
    heading: 'Pebble Earbuds, free with your contract',
    introduction:
      'Two small buds, one smooth case. They last six hours on their own and another twenty from the case, and they stay put on a run.',
    description: 'Get a pair of Pebble wireless earbuds when you take one of these phone contracts.',
    keywords: 'free earbuds, wireless earbuds, phone deals with earbuds',
    otherNames: ['Pebble Wireless Earbuds'],
    popularity: 9,
    fromPounds: 200,
  },
  {
    id: '2',
    slug: 'hush-headphones',
    name: 'Hush Headphones',
    heading: 'Hush over-ear headphones',
    introduction:
      'Padded, foldable and quiet: Hush takes the edge off trains and open-plan offices. Thirty hours between charges, and a cable in the pouch for the day you forget.',
    description: 'Contracts that come with a pair of noise-cancelling Hush headphones at no extra cost.',
    keywords: 'free headphones, noise cancelling, phone deals with headphones',
    popularity: 5,
    fromPounds: 500,
  },
  {
    id: '3',
    slug: 'drift-speaker',
    name: 'Drift Speaker',
    heading: 'Drift portable speaker',
    introduction:
      'Louder than it looks and happy in the rain. Drift plays for twelve hours, floats if it falls in, and two of them make a stereo pair.',
    description: 'Phone contracts with a free Drift portable speaker, ready for the garden or the beach.',
    keywords: 'free speaker, portable speaker, waterproof speaker',
    popularity: 5,
    fromPounds: 150,
  },
  {
    id: '4',
    slug: 'tempo-watch',
    name: 'Tempo Watch',
    heading: 'Tempo smart watch',
    introduction:
      'Messages, maps and heart rate on your wrist, on a round screen that stays on all day. The strap changes without tools.',
    description: 'Take a contract and wear the gift: the Tempo smart watch comes free with these phones.',
    keywords: 'free smart watch, watch with phone contract, wearable gifts',
    otherNames: ['Tempo Smartwatch'],
    popularity: 6,
    fromPounds: 600,
  },
  {
    id: '5',
    slug: 'stride-band',
    name: 'Stride Band',
    heading: 'Stride fitness band',
    introduction:
      'A slim band that counts steps, lengths and sleep, and needs charging only once a fortnight. It weighs less than a pound coin and its wrapper.',
    description: 'A Stride fitness band at no cost with a choice of phone contracts.',
    keywords: 'free fitness band, step counter, sleep tracker',
    popularity: 6,
    fromPounds: 100,
  },
  {
    id: '6',
    slug: 'pocket-arcade',
    name: 'Pocket Arcade',
    heading: 'Pocket Arcade handheld console',
    introduction:
      'Forty games are built in and more can be loaded from a card. It fits a coat pocket and survives the bottom of a school bag.',
    description: 'A Pocket Arcade handheld console, free with selected phone contracts.',
    keywords: 'free games console, handheld console, phone deals with console',
    popularity: 4,
    fromPounds: 400,
  },
  {
    id: '7',
    slug: 'grip-controller',
    name: 'Grip Controller',
    heading: 'Grip game controller',
    introduction:
      'Clip your phone into the top, connect, and play with real sticks and triggers. It folds flat and charges from the phone.',
    description: 'Turn the new phone into a console: a Grip controller comes with these contracts.',
    keywords: 'free game controller, mobile gaming, phone controller',
    popularity: 4,
    fromPounds: 300,
  },
  {
    id: '8',
    slug: 'rally-headset',
    name: 'Rally Headset',
    heading: 'Rally gaming headset',
    introduction:
      'A microphone that hears you and not the fan, soft cushions for long evenings, and one knob for volume. Works with phone, console and laptop.',
    description: 'A Rally gaming headset free of charge with selected phones.',
    keywords: 'free gaming headset, headset with microphone, gaming gifts',
    popularity: 3,
    fromPounds: 300,
  },
  {
    id: '9',
    slug: 'glow-bulbs',
    name: 'Glow Bulbs, set of three',
    heading: 'Glow smart bulbs, a set of three',
    introduction:
      'Warm in the evening, bright at breakfast, off from the sofa. Glow needs no hub: screw them in and follow the app.',
    description: 'Three Glow smart bulbs as a gift with your phone contract.',
    keywords: 'free smart bulbs, smart home gift, connected lights',
    otherNames: ['Glow Bulbs'],
    popularity: 3,
    fromPounds: 150,
  },
  {
    id: '10',
    slug: 'castaway-tv-stick',
    name: 'Castaway TV Stick',
    heading: 'Castaway TV stick',
    introduction:
      'Plug it into any television with a free HDMI socket and watch what your phone would show you, on the big screen and in 4K.',
    description: 'Free Castaway TV stick with selected phone contracts: streaming on the television you have.',
    keywords: 'free tv stick, streaming stick, phone deals with tv stick',
    popularity: 4,
    fromPounds: 150,
  },
  {
    id: '11',
    slug: 'spare-power-bank',
    name: 'Spare Power Bank',
    heading: 'Spare, the 10,000 mAh power bank',
    introduction:
      'Two full charges in the size of a paperback. Four lights say how much is left, and it fills itself again overnight.',
    description: 'A 10,000 mAh Spare power bank comes free with these phone contracts.',
    keywords: 'free power bank, portable charger, travel gifts',
    popularity: 7,
    fromPounds: 60,
  },
  {
    id: '12',
    slug: 'snapback-camera',
    name: 'Snapback Camera',
    heading: 'Snapback instant camera',
    introduction:
      'Press the button, shake nothing, and hold the print a minute later. The box holds the camera, a strap and a first pack of twenty pictures.',
    description: 'Phone contracts with a Snapback instant camera and twenty prints as a gift.',
    keywords: 'free instant camera, camera gift, phone deals with camera',
    popularity: 3,
    fromPounds: 400,
  },
  {
    id: '13',
    slug: 'market-square-gift-card-50',
    name: '£50 Market Square Gift Card',
    heading: '£50 to spend at Market Square',
    introduction:
      'A gift card for the shops of Market Square, on paper or on your phone. It is sent thirty days after the contract begins and is good for two years.',
    description: 'A £50 Market Square gift card with your new phone contract.',
    keywords: 'free gift card, voucher with phone, £50 gift card',
    otherNames: ['£50 Gift Card', 'Market Square Gift Card £50'],
    popularity: 6,
    fromPounds: 400,
  },
  {
    id: '14',
    slug: 'cinema-tickets-for-two',
    name: 'Cinema Tickets for Two',
    heading: 'An evening at the pictures, for two',
    introduction:
      'Two tickets for any film on any day but the first weekend of a release, at more than three hundred cinemas. Popcorn is on you.',
    description: 'A pair of cinema tickets as a thank-you with selected phone contracts.',
    keywords: 'free cinema tickets, phone deals with tickets, days out',
    popularity: 5,
    fromPounds: 60,
  },
];

export const GIFT_CATEGORIES: readonly GiftCategory[] = [
  {
    id: '1',
    slug: 'audio',
    name: 'Audio',
    heading: 'Something to listen to',
    introduction: 'Earbuds, headphones and a speaker that minds neither sand nor rain, free with a contract.',
    pageHeading: 'Phone deals with free audio gifts',
    pageIntroduction:
      'Choose the phone first and the sound second: every deal on this page comes with something to listen to, sent with the handset or within a fortnight.',
    description: 'Compare phone contracts that come with free earbuds, headphones or a speaker.',
    keywords: 'audio gifts, free earbuds, free headphones, free speaker',
    gifts: ['1', '2', '3', '8'],
    picture: ['hush-headphones', 'pebble-earbuds'],
  },
  {
    id: '2',
    slug: 'gaming',
    name: 'Gaming',
    heading: 'Something to play with',
    introduction: 'A handheld console, a controller for the phone itself, and a headset for the late shift.',
    pageHeading: 'Phone deals with free games gear',
    pageIntroduction:
      'Large screens and fast chips deserve better than thumbs on glass. These contracts add the gear, at the same monthly price.',
    description: 'Phone contracts with a free console, controller or gaming headset.',
    keywords: 'gaming gifts, free console, free controller, free headset',
    gifts: ['6', '7', '8'],
    picture: ['grip-controller', 'pocket-arcade'],
  },
  {
    id: '3',
    slug: 'wearables',
    name: 'Wearables',
    heading: 'Something to wear',
    introduction: 'A watch that answers and a band that counts, both of which pair with any phone we list.',
    pageHeading: 'Phone deals with a free watch or band',
    pageIntroduction:
      'Leave the phone in the bag and look at your wrist instead. The watch comes with the larger contracts, the band with nearly all.',
    description: 'Compare contracts that include a free smart watch or fitness band.',
    keywords: 'wearable gifts, free smart watch, free fitness band',
    gifts: ['4', '5', '1'],
    picture: ['tempo-watch', 'stride-band'],
  },
  {
    id: '4',
    slug: 'home',
    name: 'Home and television',
    heading: 'Something for the house',
    introduction: 'Lights, a television stick, a speaker for the kitchen, or a card to choose for yourself.',
    pageHeading: 'Phone deals with gifts for the home',
    pageIntroduction:
      'A phone is for one; these are for everybody at home. Each gift works with the phone it comes with, and goes on working with the next.',
    description: 'Phone contracts that bring smart bulbs, a TV stick or a gift card for the home.',
    keywords: 'home gifts, smart bulbs, tv stick, gift card',
    gifts: ['10', '9', '3', '13'],
    picture: ['castaway-tv-stick', 'glow-bulbs'],
  },
  {
    id: '5',
    slug: 'days-out',
    name: 'Days out and travel',
    heading: 'Something for the day out',
    introduction: 'Tickets, a spare charge, a camera that prints, and quiet on the train home.',
    pageHeading: 'Phone deals with gifts for a day out',
    pageIntroduction:
      'For people who buy a phone to leave the house with it. Tickets arrive by e-mail; everything else comes in the parcel.',
    description: 'Compare contracts with cinema tickets, a power bank or an instant camera as a gift.',
    keywords: 'travel gifts, cinema tickets, power bank, instant camera',
    gifts: ['14', '11', '12', '2', '13'],
    picture: ['snapback-camera', 'cinema-tickets-for-two'],
  },
];
