/** What the editor wrote about a model. Each model has words of its own. */
export interface ModelText {
  /** Follows the product's name and a colon. */
  readonly tagline: string;
  readonly introduction: string;
  readonly pageHeading: string;
  readonly pageIntroduction: string;
  readonly description: string;
  readonly keywords: string;
  readonly refurbished?: {
    readonly tagline: string;
    readonly introduction: string;
  };
}

export const MODEL_TEXTS: Readonly<Record<string, ModelText>> = {
  'kestrel-k9': {
    tagline: 'the one most people should buy',
    introduction:
      'The K9 takes the screen and the chip of the dearer Pro and leaves out the third lens. What is left is a light, quick phone with a day and a half of battery, and a green that photographs never quite catch.',
    pageHeading: 'Kestrel K9 contracts',
    pageIntroduction:
      'Prices for the K9 have settled since the launch in spring. The best of them now sit on 24 month plans with 100GB or more; on 36 months you pay less each month and a little more in the end.',
    description: 'Compare Kestrel K9 contracts: upfront cost, monthly price and the total over the whole term.',
    keywords: 'kestrel k9, k9 deals, kestrel phones, 6.3 inch phone',
  },
  'kestrel-k9-plus': {
    tagline: 'the same bird, longer wings',
    introduction:
      'Everything in the K9 with more room around it: a 6.7 inch screen, a sharper panel and 600 mAh more in the tank. It begins at 256GB, so nobody has to think about storage.',
    pageHeading: 'Deals on the Kestrel K9 Plus',
    pageIntroduction:
      'The Plus is the large Kestrel without the large camera bill. Look at the total cost before you choose a zero-upfront plan: with this phone, £49 at the start often saves more than a hundred later.',
    description: 'Kestrel K9 Plus deals on every network we list, sorted by what they cost in total.',
    keywords: 'kestrel k9 plus, large phone deals, 256gb phone',
  },
  'kestrel-k9-pro': {
    tagline: 'three lenses in a pocket',
    introduction:
      'A five-times zoom in a phone you can close your hand around. The K9 Pro keeps the 6.3 inch size, adds a telephoto lens and a frame of brushed steel, and charges to half in fifteen minutes.',
    pageHeading: 'Kestrel K9 Pro: every contract in one list',
    pageIntroduction:
      'Photographers pay for this one, and networks know it. Contracts with unlimited data are often only two or three pounds above 100GB, so start there and work down.',
    description: 'All Kestrel K9 Pro contracts with 256GB, 512GB and 1TB, new, from our list of retailers.',
    keywords: 'kestrel k9 pro, zoom camera phone, k9 pro 256gb, k9 pro 512gb, k9 pro 1tb',
  },
  'kestrel-k9-pro-max': {
    tagline: 'the long lens and the long day',
    introduction:
      'Four cameras, 5,500 mAh and a copper back that warms as you hold it. The Pro Max is the phone Kestrel builds when nobody mentions weight; at 228 grammes you will know you have it with you.',
    pageHeading: 'Kestrel K9 Pro Max deals',
    pageIntroduction:
      'The dearest Kestrel is where terms matter most. Over 36 months it costs about as much a month as the Pro over 24, but you will still be paying when its successor has a successor.',
    description: 'What a Kestrel K9 Pro Max costs on contract: upfront, monthly and altogether.',
    keywords: 'kestrel k9 pro max, best camera phone, big battery phone',
  },
  'kestrel-k8': {
    tagline: 'last year’s favourite',
    introduction:
      'The K8 was the phone we recommended most in its year, and little has changed since but the price. Its camera is a step behind the K9 in the dark and level with it in daylight.',
    pageHeading: 'Kestrel K8, while it lasts',
    pageIntroduction:
      'New stock of the K8 is running out, larger storage first. If the deal you want has gone, the refurbished phones on the same page come with a battery of at least nine tenths.',
    description: 'The remaining Kestrel K8 contracts, new and refurbished, with their total cost.',
    keywords: 'kestrel k8, cheap kestrel, k8 deals',
    refurbished: {
      tagline: 'a sound second flight',
      introduction:
        'These K8s came back from upgrades, mostly after a year. Each one was wiped, fitted with a new battery where the old one was tired, and tested on every band a British network uses.',
    },
  },
  'kestrel-k8-pro': {
    tagline: 'still the steadiest camera in its class',
    introduction:
      'A year on, the K8 Pro holds a picture stiller than most new phones do: its stabiliser moves the sensor and not the lens. The rest is plain black, fast enough, and dearer when it was new.',
    pageHeading: 'Contracts for the Kestrel K8 Pro',
    pageIntroduction:
      'Retailers price the K8 Pro to leave the shelf. Compare it with the K9, which costs much the same: newer chip there, third lens here.',
    description: 'Kestrel K8 Pro deals: last year’s Pro at this year’s K9 money.',
    keywords: 'kestrel k8 pro, stabilised camera phone, k8 pro contract',
    refurbished: {
      tagline: 'the Pro for the price of the plain one',
      introduction:
        'A refurbished K8 Pro costs less than a new K8 did. Expect a mark or two on the frame at most; screens and camera glass are replaced whenever they show anything at arm’s length.',
    },
  },
  'aurel-a5': {
    tagline: 'softly done, very quick',
    introduction:
      'Aurel makes its own chip, its own system and, with the A5, its own kind of glass. The result feels like one object. It goes without a card slot and without a plug for headphones, and asks you not to mind.',
    pageHeading: 'Aurel A5 deals compared',
    pageIntroduction:
      'There is no tray for a SIM in this phone: your network sends a code, and you are connected in a few minutes. All contracts on this page include that at no cost.',
    description: 'Aurel A5 contracts from networks and resellers. eSIM included, prices checked every night.',
    keywords: 'aurel a5, aurel deals, esim phone, a5 rose',
  },
  'aurel-a5-mini': {
    tagline: 'small on purpose',
    introduction:
      'There are few small phones left, and none as good as this. The A5 Mini has the chip and the main camera of the A5 in a body that disappears into a shirt pocket. You give up half an afternoon of battery.',
    pageHeading: 'The Aurel A5 Mini on contract',
    pageIntroduction:
      'Small phones sell in small numbers, so deals on the Mini come and go. A plan with 25GB suits it: nobody watches films on five and a half inches for long.',
    description: 'Small phone, full list: every Aurel A5 Mini contract we know of today.',
    keywords: 'aurel a5 mini, small phone deals, compact phone',
  },
  'aurel-a5-max': {
    tagline: 'a screen to read by',
    introduction:
      'The largest Aurel has the brightest screen we have measured on any phone, a lidar sensor for the dark, and loudspeakers that fill a hotel room. It is thinner than the A4 it replaces on many desks.',
    pageHeading: 'Aurel A5 Max: contracts and costs',
    pageIntroduction:
      'A phone that stays good for five years can carry a 36 month contract. If you would rather change sooner, the 24 month plans with £99 or more at the start are the cheapest way to this screen.',
    description: 'Every Aurel A5 Max deal in the list, with 256GB or 512GB, by total cost.',
    keywords: 'aurel a5 max, large screen phone, a5 max 512gb',
  },
  'aurel-a4': {
    tagline: 'the sensible Aurel',
    introduction:
      'Aurel still sells the A4 because it still makes sense. It gets the same software on the same day as the A5, has the better keyboard size, and costs a good deal less. The screen is slower; most people never notice.',
    pageHeading: 'Deals on the Aurel A4',
    pageIntroduction:
      'The A4 keeps a SIM tray, which makes it the Aurel for people who change networks often. Twelve month contracts exist for it and are worth a look.',
    description: 'Aurel A4 contracts, new and refurbished, from twelve months upwards.',
    keywords: 'aurel a4, cheaper aurel, a4 contract, sim tray',
    refurbished: {
      tagline: 'checked, polished, updated',
      introduction:
        'Aurel phones age slowly, and the A4 more slowly than most: updates are promised for four more years. Ours are sorted by hand, and anything with a replaced screen says so in the box.',
    },
  },
  'aurel-a4-mini': {
    tagline: 'pocket money, pocket size',
    introduction:
      'The smallest phone on these pages, in a green named after the kitchen herb. One camera at the back, and a good one. Its battery is honest about a working day and no more.',
    pageHeading: 'Aurel A4 Mini deals',
    pageIntroduction:
      'If the hand decides and not the eye, this is the cheapest way to a small phone that will be looked after for years. Few plans for it need more than 10GB.',
    description: 'The Aurel A4 Mini on contract: the smallest phone in the catalogue and what it costs.',
    keywords: 'aurel a4 mini, smallest phone, mini phone contract',
    refurbished: {
      tagline: 'a little one, once more',
      introduction:
        'Every refurbished A4 Mini gets a new battery, without exception, because this phone needs all of it. The outside may show that it has lived in a pocket with keys.',
    },
  },
  'halden-h60': {
    tagline: 'plenty of phone on 4G',
    introduction:
      'Two days on one charge, a big plain screen and room for two SIM cards. The H60 leaves 5G to its brother and takes sixty pounds off the price for it; where 5G has not arrived you will not miss it.',
    pageHeading: 'Halden H60 contracts from a few pounds a month',
    pageIntroduction:
      'With a phone this cheap the plan is most of the bill. Pick the data you use, not the data on offer, and the whole contract can stay under four hundred pounds.',
    description: 'Cheap contracts for the Halden H60, the 4G phone with the two day battery.',
    keywords: 'halden h60, cheap phone contract, 4g phone, dual sim',
  },
  'halden-h60-5g': {
    tagline: 'fast where it counts',
    introduction:
      'Same name, different phone: the 5G version of the H60 brings a proper OLED screen, twice the graphics and a 64 megapixel camera that means it. It is the phone to beat under £250.',
    pageHeading: 'Halden H60 5G: the best deals today',
    pageIntroduction:
      'Mind the name when you compare: the H60 without 5G is cheaper and slower, and some shops mix the two up. Everything on this page is the 5G model.',
    description: 'Halden H60 5G deals with 128GB and 256GB. Not to be mixed up with the 4G model.',
    keywords: 'halden h60 5g, cheap 5g phone, 5g deals under 20 pounds',
  },
  'halden-h50-5g': {
    tagline: 'the people’s 5G',
    introduction:
      'It was the first 5G phone that many could afford, and the purple one sold out twice. Two years later it runs the current apps without complaint, takes a memory card, and still has a radio.',
    pageHeading: 'Halden H50 5G on contract',
    pageIntroduction:
      'There is a new version, and it is better. There is also a reason to choose this one: nothing with 5G costs less, new or refurbished.',
    description: 'Halden H50 5G contracts: the least that a 5G phone costs here.',
    keywords: 'halden h50 5g, cheapest 5g phone, refurbished 5g',
    refurbished: {
      tagline: '5G for next to nothing',
      introduction:
        'Refurbished H50s come from a single large employer that changed its whole fleet, so they are alike: eighteen months old, always in a case, and lightly used at weekends.',
    },
  },
  'halden-note': {
    tagline: 'the one with the pen',
    introduction:
      'A pen slides out of the lower edge and writes on the screen, even when it is dark. Around it Halden built its largest phone, square at the corners, with a battery for long days on building sites and in lecture halls.',
    pageHeading: 'Deals on the Halden Note',
    pageIntroduction:
      'Replacement pens cost £15 and there is no charge for losing the first one in the first year. The contracts below are for the phone with its pen, in the box.',
    description: 'Compare contracts for the Halden Note, the large phone with a built-in pen.',
    keywords: 'halden note, phone with pen, stylus phone, large battery',
    refurbished: {
      tagline: 'second-hand, first-rate, with a new pen',
      introduction:
        'Phones with pens tend to be used at desks, and it shows: these are the cleanest returns we see. Each has a new pen and a new glass protector.',
    },
  },
  'mirrin-lens-3': {
    tagline: 'a camera you can call home with',
    introduction:
      'Mirrin began with cameras and it still thinks like one. The Lens 3 has a shutter key with two steps, colours that do not shout, and raw files for those who want the evening at the desk.',
    pageHeading: 'Mirrin Lens 3 contracts',
    pageIntroduction:
      'Pictures in full size eat data when they are saved to the cloud. Count on 50GB if you take a hundred a week, and look for plans that say Unlimited if you also film.',
    description: 'Mirrin Lens 3 deals for people who take pictures: 128GB and 256GB, all networks.',
    keywords: 'mirrin lens 3, camera phone deals, shutter key, raw photos',
  },
  'mirrin-lens-3-pro': {
    tagline: 'the studio that rings',
    introduction:
      'One hundred and eight megapixels, three focal lengths and a diffuser for the flash that really softens faces. The bar across the back is not an ornament: it keeps the phone level on a table while you shoot the stars.',
    pageHeading: 'Mirrin Lens 3 Pro: what it costs on contract',
    pageIntroduction:
      'Few retailers stock the Pro and fewer still discount it. Gifts are more common than reductions, so filter for them if you could use a power bank on a long day out.',
    description: 'Contracts for the Mirrin Lens 3 Pro with 256GB and 512GB, with gifts where there are any.',
    keywords: 'mirrin lens 3 pro, 108 megapixel, professional camera phone',
  },
  'mirrin-lens-2': {
    tagline: 'proof that pictures age well',
    introduction:
      'The Lens 2 takes the photographs its successor takes, a little more slowly. We like the two greens of its back, the rubber on its sides, and that the price has come down by a third.',
    pageHeading: 'Mirrin Lens 2 deals, new and refurbished',
    pageIntroduction:
      'Only the smaller version is refurbished at present. For a first proper camera phone, it is hard to do better on a student’s budget.',
    description: 'The Mirrin Lens 2 on contract, and the refurbished one for even less.',
    keywords: 'mirrin lens 2, student phone, affordable camera phone',
    refurbished: {
      tagline: 'clean glass guaranteed',
      introduction:
        'We look at each Lens 2 through its own camera: a flat white wall, a point of light, a face. Those with dust behind the lens go back to Mirrin and not to you.',
    },
  },
  'mirrin-lens-2-pro': {
    tagline: 'blue, broad and brilliant',
    introduction:
      'Before the 3 Pro there was this, and plenty of wedding guests have been photographed with it. Its screen shows what the picture will print like, its third lens reaches across a church, and its weight steadies the hand.',
    pageHeading: 'Contracts for the Mirrin Lens 2 Pro',
    pageIntroduction:
      'Choose between the last new ones and a refurbished one for about two thirds. Either way you get the large sensor; only the warranty differs, by twelve months.',
    description: 'Mirrin Lens 2 Pro deals compared by total cost, new beside refurbished.',
    keywords: 'mirrin lens 2 pro, three lens phone, refurbished camera phone',
    refurbished: {
      tagline: 'a professional, semi-retired',
      introduction:
        'Returned by people who changed to the 3 Pro, and so by people who looked after their kit. The shutter key is replaced on every one, as it is the part that wears.',
    },
  },
  'tamsin-flip-2': {
    tagline: 'snap it shut',
    introduction:
      'Large keys, a loud bell and a lid that hangs up when it closes. The Flip 2 makes calls, keeps two hundred numbers and lights the way to the bin. One charge lasts a week.',
    pageHeading: 'The Tamsin Flip 2 with a small contract',
    pageIntroduction:
      'This is not a smartphone, and it does not need a smartphone’s plan. Half a gigabyte is enough for the weather; what matters here is minutes, and most plans have more than you can talk.',
    description: 'Simple contracts for the Tamsin Flip 2, the flip phone with large keys.',
    keywords: 'tamsin flip 2, flip phone, phone with buttons, simple phone',
  },
  'tamsin-ridge-4g': {
    tagline: 'drop it, rinse it, ring from it',
    introduction:
      'Made for roofs, boats and pockets full of screws. The Ridge shrugs off a fall on concrete, floats for long enough to be fished out, and has a torch that a farmer would approve of.',
    pageHeading: 'Tamsin Ridge 4G contracts',
    pageIntroduction:
      'Many buy the Ridge as the second phone, for work or for the hills. Two SIM cards fit, so the contract here can sit beside the number you have.',
    description: 'A tough phone on a light contract: deals for the Tamsin Ridge 4G.',
    keywords: 'tamsin ridge 4g, rugged phone, waterproof phone, work phone',
  },
  'tamsin-easy': {
    tagline: 'six big pictures, three real buttons',
    introduction:
      'A smartphone that begins where other people’s patience ends. Calls are green, hanging up is red, the middle goes home. Grandchildren can set it up from far away and look in when asked.',
    pageHeading: 'Tamsin Easy: phone and plan in one',
    pageIntroduction:
      'Video calls need more data than one thinks; 5GB is a comfortable start. There is a help line on the back of the phone and people answer it.',
    description: 'The Tamsin Easy on contract: a smartphone with large pictures and call buttons.',
    keywords: 'tamsin easy, easy smartphone, phone for grandparents, large icons',
  },
  'vesper-fold-2': {
    tagline: 'twice the phone, half the pocket',
    introduction:
      'Closed, it is a square of violet that fits beside a wallet; open, it is a full screen with hardly a line across it. The outer display has grown to cover the whole lid, so you may go an hour without opening it.',
    pageHeading: 'Vesper Fold 2 deals',
    pageIntroduction:
      'Insurance is worth its price with a folding phone: ask what a new inner screen costs before you say no. The deals below are for the phone and the plan alone.',
    description: 'Compare Vesper Fold 2 contracts, with 256GB and 512GB, from all retailers in the list.',
    keywords: 'vesper fold 2, folding phone deals, flip smartphone',
  },
  'vesper-fold': {
    tagline: 'the first of its fold',
    introduction:
      'Vesper’s first folding phone opened two hundred thousand times in the test rig and then once more for the photograph. The pearl finish hides fingerprints; the small window on the lid shows who is calling.',
    pageHeading: 'Vesper Fold on contract',
    pageIntroduction:
      'With the second one out, the first is finally affordable. Refurbished ones have had the hinge changed, which is more than you can say of most things that fold.',
    description: 'Vesper Fold contracts: a folding phone at the price of a straight one.',
    keywords: 'vesper fold, cheap folding phone, refurbished folding phone',
    refurbished: {
      tagline: 'a new hinge and a clean start',
      introduction:
        'The hinge and the inner protector are replaced by Vesper itself before one of these is sold again. Count on a faint crease: it was there when the phone was new.',
    },
  },
  'vesper-dusk': {
    tagline: 'best after sunset',
    introduction:
      'A ring of light around the lenses, a sensor that drinks in lamplight, and a back in the colour of the last minutes of the day. The Dusk is for people whose pictures happen after work.',
    pageHeading: 'Vesper Dusk: contracts compared',
    pageIntroduction:
      'Vesper sells through resellers more than through networks, and they compete. The same Dusk on the same plan can differ by four pounds a month on one page.',
    description: 'Vesper Dusk deals by monthly price and total cost, updated every night.',
    keywords: 'vesper dusk, night camera phone, teal phone',
    refurbished: {
      tagline: 'a second evening',
      introduction:
        'Only the 128GB Dusk comes back in numbers. The ring light is measured and the battery too; what falls below nine tenths is replaced before you see it.',
    },
  },
  'vesper-dusk-lite': {
    tagline: 'bright, light, all right',
    introduction:
      'The Lite borrows the looks of the Dusk and little of its price. One of its two lenses is for close-ups, the screen is larger, and the coral one is the most cheerful phone of the year.',
    pageHeading: 'Deals on the Vesper Dusk Lite',
    pageIntroduction:
      'It is often given away with plans that cost the same without a phone. Zero upfront is normal here; if somebody asks for more than £30, look further down the list.',
    description: 'Vesper Dusk Lite contracts, most of them with nothing to pay upfront.',
    keywords: 'vesper dusk lite, free phone with contract, coral phone',
  },
  'wren-go': {
    tagline: 'a phone for under a hundred pounds',
    introduction:
      'The Go does messages, maps and music, and does not pretend to do more. The back is ridged so that it stays in the hand, the parts are screwed and not glued, and Wren sells a new battery for twelve pounds.',
    pageHeading: 'Wren Go contracts',
    pageIntroduction:
      'For a first phone, a spare phone or a phone that may be lost. Most of these contracts cost less in two years than some phones on other pages cost on the first day.',
    description: 'The cheapest smartphone contracts we list: Wren Go with 64GB and 128GB.',
    keywords: 'wren go, cheapest smartphone, first phone, repairable phone',
  },
  'wren-go-plus': {
    tagline: 'the same good sense, more screen',
    introduction:
      'People liked the Go and asked for a bigger one, with a battery for two days and a better camera. Here it is, in a blue that suits its simple nature.',
    pageHeading: 'Wren Go Plus: cheap deals on a big screen',
    pageIntroduction:
      'Thirty pounds separate the Go Plus from the Go, which is about a pound a month. We would spend it.',
    description: 'Wren Go Plus deals: large screen, low price, new and refurbished.',
    keywords: 'wren go plus, big cheap phone, long battery',
    refurbished: {
      tagline: 'taken apart and put together again',
      introduction:
        'Because a Wren comes apart with one screwdriver, refurbishing it means a new battery, a new back and a clean. Inside and out there is little old about it.',
    },
  },
  'wren-go-2': {
    tagline: 'the small bird has learnt a lot',
    introduction:
      'Contactless payment, a fifty megapixel camera and a smoother screen: the second Go has what the first one lacked and costs twenty pounds more. The lime back glows on a dark table.',
    pageHeading: 'Deals on the new Wren Go 2',
    pageIntroduction:
      'This is the Go with a 2, out since September. If you can do without paying by phone, the first Go does nearly everything else for less.',
    description: 'Wren Go 2 on contract: who sells it, on which network, and for how much.',
    keywords: 'wren go 2, cheap phone with nfc, lime phone',
  },
  'wren-note': {
    tagline: 'a big page for small change',
    introduction:
      'No pen here: Wren calls it Note because it is as large as one. It is the only 5G phone that Wren makes, with a screen for reading on the bus and a battery that will see the bus home.',
    pageHeading: 'Wren Note contracts',
    pageIntroduction:
      'Another maker sells a Note as well, with a pen and for eighty pounds more. Check the name on the order, and the storage: the two sizes of this one look alike.',
    description: 'Contracts for the Wren Note, a very large phone for very little money.',
    keywords: 'wren note, large cheap phone, 5g phone, 6.8 inch',
  },
};

/** What a size of storage means in practice; added to the page of each product that has it. */
export const STORAGE_SENTENCES: Readonly<Record<string, readonly string[]>> = {
  '64GB': [
    'The 64GB version suits those who stream their music and clear out their pictures now and then.',
    '64GB is enough for messages, maps and a few hundred songs.',
    'With 64GB you will want a memory card or the cloud for holiday films.',
  ],
  '128GB': [
    'This is the 128GB version: room for some twenty thousand photographs, or for one careless summer of films.',
    '128GB is what most people take, and most never fill it.',
    'With 128GB there is space for the apps of a lifetime and the pictures of two years.',
    'You are looking at 128GB, the smaller of the sensible sizes.',
  ],
  '256GB': [
    'The 256GB version is for people who keep things.',
    '256GB holds forty hours of film in full definition and everything else besides.',
    'With 256GB you can put off tidying up until the next phone.',
    'This is the 256GB model; per gigabyte it is usually the best value.',
  ],
  '512GB': [
    '512GB is more than most laptops had a few years ago, and it fills just as easily if you film in 4K.',
    'Half a terabyte: take the whole music collection and leave the cloud alone.',
    'The 512GB version costs about four pounds more a month over two years.',
  ],
  '1TB': ['One terabyte is for those who shoot raw and come home late.'],
};

/** What refurbished means here; added to the page of each refurbished product. */
export const REFURBISHED_SENTENCES: readonly string[] = [
  'It comes with a charging cable, twelve months of warranty and fourteen days to change your mind.',
  'The warranty is twelve months, and the number of its earlier owner is long forgotten.',
  'It is unlocked, insured on the way to you, and under warranty for a year.',
];
