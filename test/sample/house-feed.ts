import { formatCsv, lineOf } from './csv.ts';
import { spread, type Fault, type Outcome } from './fault.ts';
import { makerOf } from './maker.ts';
import { decimalOf } from './money.ts';
import { compareOffers, createOfferDrawer, type Offer } from './offers.ts';
import { RETAILERS, type Allowance, type Retailer } from './plans.ts';
import { createRandom, type Random } from './random.ts';
import { SLUG_WITHOUT_IMAGES, variantOf, type Variant } from './variants.ts';

export const HOUSE_FILE = 'feeds/house/deals.csv';

const SEED = 20_261_120;
const SOUND_ROWS = 2_880;

const COLUMNS = [
  'dealId',
  'productId',
  'productName',
  'gtin',
  'condition',
  'retailer',
  'network',
  'dealType',
  'contractName',
  'contractMonths',
  'dataGb',
  'callMinutes',
  'textMessages',
  'upfrontCost',
  'monthlyCost',
  'totalCost',
  'cashbackType',
  'cashbackValue',
  'gift',
  'dealLink',
  'productImage',
  'validFrom',
  'validTo',
  'inStock',
] as const;

type HouseRow = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>;

export interface HouseFeed {
  readonly text: string;
  readonly rowCount: number;
  readonly soundCount: number;
  readonly faults: readonly Fault[];
  /** The deal that the configuration excludes. */
  readonly excluded: { readonly retailer: string; readonly deal: string };
}

interface OddRow {
  readonly row: HouseRow;
  readonly what: string;
  readonly outcome: Outcome;
}

/** Makes the deals of the five retailers that send their own files, in the columns of the `deals` adapter. */
export function makeHouseFeed(): HouseFeed {
  const random = createRandom(SEED);
  const retailers = RETAILERS.filter(({ feed }) => feed === 'house');
  const drawer = createOfferDrawer(random, retailers, { cashback: 0.045, gift: 0.034 });
  const numbering = createNumbering(random);
  const sound = drawer
    .drawAll(SOUND_ROWS)
    .toSorted(compareOffers)
    .map((offer) => formatOffer(offer, numbering(), random));
  const odd = makeOddRows((slug) => formatOffer(drawer.draw(variantOf(slug)), numbering(), random), sound);
  const rows = spread(
    sound,
    odd.map(({ row }) => row),
  );
  const faults = odd.map(({ row, what, outcome }) => ({
    file: HOUSE_FILE,
    line: lineOf(rows.indexOf(row)),
    id: row.dealId ?? '',
    what,
    outcome,
  }));
  const excluded = odd.find(({ what }) => what.includes('`exclude`'))?.row;
  return {
    text: formatCsv(COLUMNS, rows),
    rowCount: rows.length,
    soundCount: sound.length,
    faults: faults.toSorted((a, b) => a.line - b.line),
    excluded: { retailer: excluded?.retailer ?? '', deal: excluded?.dealId ?? '' },
  };
}

/** Numbers with gaps, as deals come and go between two exports. */
function createNumbering(random: Random): () => string {
  let last = 40;
  return () => {
    last += 1 + random.below(3);
    return `H-${String(last).padStart(5, '0')}`;
  };
}

function formatOffer(offer: Offer, dealId: string, random: Random): HouseRow {
  const { variant, retailer, plan, cashback, gift } = offer;
  const isPromotion = random.isLikely(0.008);
  return {
    dealId,
    ...referenceTo(variant, retailer, random),
    ...(variant.condition === 'new' ? {} : { condition: variant.condition }),
    retailer: retailerLabel(retailer),
    network: networkLabel(offer),
    ...(retailer.slug === 'dialstone' ? { dealType: random.isLikely(0.1) ? 'upgrade' : 'contract' } : {}),
    contractName: plan.name,
    contractMonths: String(offer.contractMonths),
    dataGb: plan.dataMegabytes === 'unlimited' ? 'unlimited' : String(plan.dataMegabytes / 1000),
    callMinutes: allowanceText(plan.callMinutes),
    textMessages: allowanceText(plan.textMessages),
    upfrontCost: decimalOf(offer.upfrontPence),
    monthlyCost: decimalOf(offer.monthlyPence),
    ...(retailer.statesTotals ? { totalCost: decimalOf(offer.totalPence) } : {}),
    ...(cashback === undefined ? {} : { cashbackType: cashback.type, cashbackValue: decimalOf(cashback.pence) }),
    ...(gift === undefined ? {} : { gift: random.pick([gift.id, gift.slug, gift.slug, gift.name]) }),
    dealLink: `${retailer.linkPrefix}${linkNumber(dealId)}`,
    ...(variant.slug === SLUG_WITHOUT_IMAGES
      ? { productImage: 'https://pictures.handset-harbour.example/wren/go-2-128gb-lime.jpg' }
      : {}),
    ...(isPromotion ? { validFrom: '2026-01-05', validTo: '2036-09-30' } : {}),
    ...(retailer.slug === 'bramble-mobiles' ? { inStock: 'yes' } : {}),
  };
}

/** A number that tells nothing, and is another for every deal: the factor has no divisor in common with the range. */
function linkNumber(dealId: string): number {
  return 410_000 + ((Number(dealId.slice(2)) * 7919) % 580_000);
}

function allowanceText(allowance: Allowance): string {
  return String(allowance);
}

/** Each retailer has its own way of saying which phone it means. */
function referenceTo(variant: Variant, retailer: Retailer, random: Random): HouseRow {
  switch (retailer.slug) {
    case 'dialstone':
      return variant.gtin === undefined ? { productId: variant.id } : { gtin: variant.gtin };
    case 'ringfield-mobiles':
      return { productName: spelledName(variant, random) };
    default:
      return { productId: variant.id };
  }
}

function spelledName(variant: Variant, random: Random): string {
  const { model, storage } = variant;
  const maker = makerOf(model.maker).name;
  const prefix = variant.condition === 'refurbished' ? 'Refurbished ' : '';
  const spaced = storage?.replace(/([GT]B)$/, ' $1');
  const plain = [maker, model.name, storage].filter((word) => word !== undefined).join(' ');
  const spellings = [
    plain,
    plain,
    plain.toUpperCase(),
    spaced === undefined ? plain : `${maker} ${model.name} (${spaced})`,
    // The words that may be left over: the generation of the network, where no other model differs by it.
    model.network === '5G' && !model.name.includes('5G') && storage !== undefined
      ? `${maker} ${model.name} 5G ${storage}`
      : plain,
    // Without its unit only where the number can be nothing else.
    /^[1-9][0-9]{2}GB$/.test(storage ?? '') ? `${maker} ${model.name} ${storage?.slice(0, -2)}` : plain,
  ];
  return `${prefix}${random.pick(spellings)}`;
}

function retailerLabel(retailer: Retailer): string {
  switch (retailer.slug) {
    case 'phonewright':
      return retailer.name;
    case 'ringfield-mobiles':
      return 'Ringfield';
    case 'bramble-mobiles':
      return retailer.id;
    default:
      return retailer.slug;
  }
}

function networkLabel({ network, retailer }: Offer): string {
  switch (retailer.slug) {
    case 'phonewright':
      return network.name;
    case 'dialstone':
      return network.id;
    case 'ringfield-mobiles':
      return network.aliases[0] ?? network.name;
    default:
      return network.slug;
  }
}

/** The rows that are wrong or odd on purpose. `make` gives a sound row for a product, unlike all others. */
function makeOddRows(make: (slug: string) => HouseRow, sound: readonly HouseRow[]): readonly OddRow[] {
  const odd = (
    slug: string,
    change: HouseRow | ((row: HouseRow) => HouseRow),
    what: string,
    outcome: Outcome,
  ): OddRow => {
    const row = make(slug);
    return { row: { ...row, ...(typeof change === 'function' ? change(row) : change) }, what, outcome };
  };
  const quarantined = (slug: string, change: HouseRow | ((row: HouseRow) => HouseRow), what: string): OddRow =>
    odd(slug, change, what, 'quarantined');
  const byId = { productName: '', gtin: '' };
  const taken = soundRow(sound, (row) => row.retailer === 'handset-harbour', 40);
  const twin = (position: number): HouseRow => soundRow(sound, (row) => row.retailer === 'Phonewright', position);
  const fivePoundsMore = (row: HouseRow): HouseRow => ({ totalCost: decimalOf(totalOf(row) + 500) });

  return [
    quarantined('kestrel-k9-128gb', { network: 'Skylark' }, 'network `Skylark`, which nobody has heard of'),
    quarantined('aurel-a5-128gb', { upfrontCost: '-49.99', totalCost: '' }, 'upfront cost below zero'),
    odd(
      'kestrel-k9-pro-512gb',
      fivePoundsMore,
      'stated total £5 above upfront + monthly x months',
      'served with a notice',
    ),
    quarantined('halden-h60-5g-128gb', { monthlyCost: '£29.99', totalCost: '' }, 'pound sign in a money field'),
    quarantined('vesper-dusk-128gb', { ...byId, productId: '9999' }, 'product id `9999`, which the CMS does not have'),
    odd(
      'mirrin-lens-3-128gb',
      { cashbackType: 'Cashback by redemption', cashbackValue: '', gift: '' },
      'cashback without a value: half a cashback is dropped',
      'served with a notice',
    ),
    quarantined(
      'kestrel-k9-plus-256gb',
      { dealId: taken.dealId ?? '', retailer: 'handset-harbour' },
      'deal id that the same retailer has used before',
    ),
    quarantined('wren-go-64gb', { monthlyCost: '0.00', totalCost: '' }, 'nothing to pay a month'),
    odd(
      'wren-go-2-64gb',
      { validFrom: '2026-07-01', validTo: '2026-10-31' },
      'ended on 31 October 2026',
      'out of scope',
    ),
    quarantined('aurel-a5-max-256gb', { dataGb: '' }, 'no data allowance'),
    odd('halden-h60-128gb', { inStock: 'no' }, 'out of stock', 'out of scope'),
    quarantined('kestrel-k9-pro-max-256gb', { dealLink: 'javascript:void(0)' }, 'link that is neither http nor https'),
    quarantined(
      'aurel-a4-128gb',
      { gift: '999', cashbackType: '', cashbackValue: '' },
      'gift id `999`, not in the CMS',
    ),
    odd(
      'vesper-dusk-lite-128gb',
      { gift: 'Bobble hat with lamp', cashbackType: '', cashbackValue: '' },
      'gift that names nothing in the CMS: its text is served without a picture',
      'served with a notice',
    ),
    {
      row: { ...twin(120), dealId: 'H-90001', dealLink: 'https://phonewright.example/take/900001' },
      what: 'the deal of another row under a new id and link',
      outcome: 'duplicate',
    },
    odd('mirrin-lens-3-pro-256gb', { validFrom: '2036-01-01' }, 'begins in 2036', 'out of scope'),
    quarantined(
      'kestrel-k9-256gb',
      { productId: '', gtin: '', productName: 'Kestrel K9 Por 256GB' },
      'slip of the typing: `Por` for `Pro`',
    ),
    quarantined(
      'wren-note-128gb',
      { productId: '', gtin: '', productName: 'Kestrel K9 + 256GB' },
      '`+` that may be a sign or mean the Kestrel K9 Plus',
    ),
    quarantined('vesper-fold-256gb', { retailer: 'Handset Haven' }, 'retailer that is not in the CMS'),
    quarantined(
      'wren-go-plus-64gb',
      { monthlyCost: '1499', totalCost: '' },
      'pence typed as pounds: above the ceiling',
    ),
    odd(
      'kestrel-k8-pro-128gb',
      { retailer: 'handset-harbour' },
      'on the `exclude` list of the configuration',
      'out of scope',
    ),
    quarantined('tamsin-flip-2', { condition: 'refurbished' }, 'refurbished, where the CMS has only a new one'),
    quarantined('aurel-a5-mini-128gb', { upfrontCost: '29.995', totalCost: '' }, 'three decimals in a money field'),
    {
      row: { ...twin(300), dealId: 'H-90002', dealLink: 'https://phonewright.example/take/900002' },
      what: 'the deal of another row under a new id and link',
      outcome: 'duplicate',
    },
    odd(
      'halden-note-128gb',
      { cashbackType: '', cashbackValue: '25.00', gift: '' },
      'cashback without a type: half a cashback is dropped',
      'served with a notice',
    ),
    quarantined('mirrin-lens-2-128gb', { contractMonths: '24 months' }, 'contract length with a word in it'),
    quarantined(
      'kestrel-k9-128gb',
      { totalCost: '0.00' },
      'stated total of nothing, far from what the parts add up to',
    ),
    quarantined('aurel-a5-128gb', { dataGb: '100000' }, 'more data than any plan has'),
    quarantined(
      'mirrin-lens-3-128gb',
      { cashbackType: 'Automatic cashback', cashbackValue: '9999.00', gift: '' },
      'cashback above the total cost',
    ),
    quarantined(
      'kestrel-k9-pro-256gb',
      { productId: '', gtin: '', productName: 'Note 128GB' },
      'name that the CMS gives to both the Halden Note and the Wren Note',
    ),
    quarantined(
      'kestrel-k9-256gb',
      { productId: '102', productName: 'Halden H60 5G 128GB', gtin: '' },
      'product id of one phone beside the name of another',
    ),
    quarantined(
      'vesper-dusk-128gb',
      { productId: '', gtin: '', productName: 'Vesper Dusk 128GB Pristine' },
      'a word for a used phone, and no condition',
    ),
    odd(
      'halden-h60-128gb',
      { contractName: 'Caf\uFFFD plan', inStock: '' },
      'a letter that was lost on the way: U+FFFD',
      'served with a notice',
    ),
  ];
}

function soundRow(sound: readonly HouseRow[], isMeant: (row: HouseRow) => boolean, position: number): HouseRow {
  const row = sound.filter(isMeant)[position];
  if (row === undefined) throw new RangeError(`expected a sound row at ${position}`);
  return row;
}

function penceOf(text: string): number {
  return Math.round(Number(text) * 100);
}

function totalOf(row: HouseRow): number {
  return penceOf(row.upfrontCost ?? '') + penceOf(row.monthlyCost ?? '') * Number(row.contractMonths);
}
