import { CHIPS } from './chip.ts';
import { formatCsv, lineOf } from './csv.ts';
import { spread, type Fault, type Outcome } from './fault.ts';
import { makerOf } from './maker.ts';
import { MODELS, type Model } from './models.ts';
import { decimalOf } from './money.ts';
import { compareOffers, createOfferDrawer, type Offer } from './offers.ts';
import { RETAILERS, retailerOf, type Allowance, type Network, type Retailer } from './plans.ts';
import { createRandom, type Random } from './random.ts';
import { MODEL_TEXTS } from './texts.ts';
import { variantOf, type Edition, type Variant } from './variants.ts';

export const AWIN_FILE = 'feeds/awin/datafeed.csv.gz';

const SEED = 8_042;
const SOUND_ROWS = 1_280;

/** Whose links these are: a publisher of the affiliate network. */
const PUBLISHER_ID = '104729';

const COLUMNS = [
  'aw_deep_link',
  'product_name',
  'aw_product_id',
  'merchant_product_id',
  'merchant_image_url',
  'description',
  'merchant_category',
  'search_price',
  'merchant_name',
  'merchant_id',
  'category_name',
  'category_id',
  'aw_image_url',
  'currency',
  'store_price',
  'delivery_cost',
  'merchant_deep_link',
  'language',
  'last_updated',
  'display_price',
  'data_feed_id',
  'Telcos:contract_type',
  'Telcos:term',
  'Telcos:initial_cost',
  'Telcos:month_cost',
  'Telcos:gift',
  'Telcos:inc_minutes',
  'Telcos:inc_data',
  'Telcos:connectivity',
  'Telcos:inc_texts',
  'Telcos:tariff',
  'Telcos:storage_size',
  'Telcos:special_offer',
  'Telcos:network',
  'Telcos:operating_system',
  'Telcos:device_product_json',
  'Telcos:device_product_version_json',
  'Telcos:device_product_edition_json',
  'Telcos:device_full_name',
  'Telcos:device_description',
  'Telcos:device_images_json',
  'Telcos:device_features_json',
  'Telcos:device_specifications_json',
  'Telcos:network_details_json',
  'Telcos:tariff_group_details_json',
  'Telcos:tariff_details_json',
  'Telcos:tariff_allowances_json',
  'Telcos:tariff_out_of_plan_charges_json',
  'Telcos:deal_tags_json',
  'Telcos:deal_type_json',
  'Telcos:deal_promo_info',
  'Telcos:deal_retailer_json',
  'Telcos:deal_cost_json',
  'Telcos:deal_discounts_json',
  'Telcos:deal_cashback_json',
  'Telcos:deal_legal_info',
  'Telcos:subscription_name',
  'Telcos:subscription_price_effective',
  'Telcos:subscription_renewal',
] as const;

type Column = (typeof COLUMNS)[number];
type AwinRow = Readonly<Partial<Record<Column, string>>>;

export interface AwinFeed {
  /** The file before compression. */
  readonly text: string;
  readonly rowCount: number;
  readonly soundCount: number;
  /** Rows that repeat a deal in another colour. */
  readonly colourCount: number;
  readonly faults: readonly Fault[];
}

interface OddRow {
  readonly row: AwinRow;
  readonly what: string;
  readonly outcome: Outcome;
}

interface RowMaker {
  readonly make: (offer: Offer, edition: Edition) => AwinRow;
}

/** Makes one download of the affiliate network: three merchants in one file, in the Telcos shape of 59 columns. */
export function makeAwinFeed(): AwinFeed {
  const random = createRandom(SEED);
  const retailers = RETAILERS.filter(({ feed }) => feed === 'awin');
  const drawer = createOfferDrawer(random, retailers, { cashback: 0, gift: 0.014 });
  const maker = createRowMaker(random);
  const sound: AwinRow[] = [];
  const offers = drawer.drawAll(SOUND_ROWS).toSorted(compareOffers);
  for (const offer of offers) {
    // The same deal comes once for each of some colours; a build keeps one of them.
    const first = random.below(offer.variant.editions.length);
    const colours = random.isLikely(0.24) ? 2 + random.below(2) : 1;
    for (let i = 0; i < Math.min(colours, offer.variant.editions.length); i++) {
      sound.push(maker.make(offer, editionAt(offer.variant, first + i)));
    }
  }
  const odd = makeOddRows(
    (slug) => {
      const offer = drawer.draw(variantOf(slug));
      return maker.make(offer, editionAt(offer.variant, 0));
    },
    (slug, change) => {
      const offer = { ...drawer.draw(variantOf(slug)), ...change };
      const totalPence = offer.upfrontPence + offer.monthlyPence * offer.contractMonths;
      return maker.make({ ...offer, totalPence }, editionAt(offer.variant, 0));
    },
  );
  const rows = spread(
    sound,
    odd.map(({ row }) => row),
  );
  return {
    text: formatCsv(COLUMNS, rows),
    rowCount: rows.length,
    soundCount: offers.length,
    colourCount: sound.length - offers.length,
    faults: odd
      .map(({ row, what, outcome }) => ({
        file: AWIN_FILE,
        line: lineOf(rows.indexOf(row)),
        id: row.merchant_product_id ?? '',
        what,
        outcome,
      }))
      .toSorted((a, b) => a.line - b.line),
  };
}

function editionAt(variant: Variant, position: number): Edition {
  const edition = variant.editions[position % variant.editions.length];
  if (edition === undefined) throw new RangeError(`${variant.slug} has no colours`);
  return edition;
}

/** The rows' running numbers: the affiliate network's own and the merchant's. */
function createRowMaker(random: Random): RowMaker {
  let affiliateNumber = 38_204_115_630;
  let merchantNumber = 50_210_400;
  return {
    make: (offer, edition) => {
      affiliateNumber += 3 + random.below(40);
      merchantNumber += 1 + random.below(6);
      return formatRow(offer, edition, String(affiliateNumber), String(merchantNumber));
    },
  };
}

function formatRow(offer: Offer, edition: Edition, affiliateId: string, merchantProductId: string): AwinRow {
  const { variant, retailer, network, plan, gift } = offer;
  const { model } = variant;
  const text = MODEL_TEXTS[model.slug];
  const isRefurbished = variant.condition === 'refurbished';
  const fullName = fullNameOf(variant, retailer, edition);
  const upfront = decimalOf(offer.upfrontPence);
  const monthly = moneyText(offer.monthlyPence, retailer);
  const airtimeMonths = airtimeMonthsOf(offer);
  const data = dataPhrase(plan.dataMegabytes, model.network);
  const image = `https://media.${retailer.slug}.example/editions/${edition.id}`;
  const introduction = (isRefurbished ? text?.refurbished?.introduction : undefined) ?? text?.introduction ?? '';
  return {
    aw_deep_link: `https://www.awin1.com/pclick.php?p=${affiliateId}&a=${PUBLISHER_ID}&m=${retailer.id}`,
    product_name: `${fullName} at £${upfront} on ${plan.name} (${airtimeMonths} Month contract) with ${minutesPhrase(plan.callMinutes, plan.textMessages)}; ${data}. £${monthly} a month.`,
    aw_product_id: affiliateId,
    merchant_product_id: merchantProductId,
    merchant_image_url: `${image}.png?w=400&h=400`,
    description: introduction,
    merchant_category: 'Mobile Phone - PAYM',
    search_price: upfront,
    merchant_name: merchantName(retailer),
    merchant_id: retailer.id,
    category_name: 'Mobile Phones',
    category_id: '348',
    currency: 'GBP',
    store_price: upfront,
    merchant_deep_link: `${retailer.linkPrefix}${merchantProductId}`,
    language: 'en',
    last_updated: '2026-11-19 22:41:00',
    display_price: `GBP${upfront}`,
    data_feed_id: FEED_IDS[retailer.slug] ?? '',
    'Telcos:contract_type': 'Phone Contract',
    'Telcos:term': String(airtimeMonths),
    'Telcos:initial_cost': upfront,
    'Telcos:month_cost': monthly,
    ...(gift === undefined ? {} : { 'Telcos:gift': gift.name }),
    'Telcos:inc_minutes': allowanceText(plan.callMinutes, retailer),
    'Telcos:inc_data': allowanceText(plan.dataMegabytes, retailer),
    'Telcos:connectivity': model.network,
    'Telcos:inc_texts': allowanceText(plan.textMessages, retailer),
    'Telcos:tariff': plan.name,
    'Telcos:storage_size': variant.storage ?? '0',
    'Telcos:network': networkLabel(network, retailer),
    'Telcos:operating_system': model.facts.familyOs,
    'Telcos:device_product_json': json(productOf(variant)),
    'Telcos:device_product_version_json': json({
      product_version_id: variant.versionId,
      product_version_name: model.name,
    }),
    'Telcos:device_product_edition_json': json({
      product_edition_id: edition.id,
      product_edition_name: [variant.storage, edition.colour].filter((word) => word !== undefined).join(' '),
      reseller_product_edition_id: String(20_000 + Number(edition.id) * 3 + (isRefurbished ? 1 : 0)),
    }),
    'Telcos:device_full_name': fullName,
    'Telcos:device_description': introduction,
    'Telcos:device_images_json': json({ primary_thumb: `${image}.png?w=150`, primary_large: `${image}.png?w=600` }),
    'Telcos:device_features_json': json(featuresOf(variant, edition)),
    'Telcos:device_specifications_json': json(specificationsOf(variant)),
    'Telcos:network_details_json': json(networkDetailsOf(network)),
    'Telcos:tariff_group_details_json': json({
      tariff_group_id: `${network.id}0`,
      tariff_group_description: network.tagline,
      tariff_group_promo_info: '',
    }),
    'Telcos:tariff_details_json': json({
      tariff_id: `${network.id}${String(network.plans.indexOf(plan) + 1).padStart(2, '0')}`,
      tariff_name: plan.name,
      tariff_type_id: '4',
      tariff_type: 'Phone Contract',
      tariff_term: String(airtimeMonths),
      tariff_term_friendly: `${airtimeMonths} Month`,
      tariff_promo_info: '',
    }),
    'Telcos:tariff_allowances_json': json(allowancesOf(offer)),
    'Telcos:deal_type_json': json({ deal_type_id: '0', deal_type_name: 'Consumer' }),
    'Telcos:deal_retailer_json': json({
      name: retailer.name,
      company_id: retailer.id,
      logo_url: `https://media.${retailer.slug}.example/logo.png`,
      terms_url: `https://${retailer.slug}.example/terms`,
    }),
    'Telcos:deal_cost_json': json(costsOf(offer)),
    'Telcos:deal_legal_info': LEGAL_TEXTS[retailer.slug] ?? '',
  };
}

const FEED_IDS: Readonly<Record<string, string>> = {
  'tideline-store': '18701',
  'northway-direct': '18733',
  secondring: '18902',
};

const LEGAL_TEXTS: Readonly<Record<string, string>> = {
  'tideline-store': 'Phone and airtime are two agreements. Subject to status. 18+.',
  'northway-direct': 'Subject to status and a credit check. 18+.',
  secondring: 'Twelve months of warranty on everything we sell, new or not.',
};

/** Where phone and airtime are two agreements, airtime never runs longer than 24 months. */
function airtimeMonthsOf({ retailer, contractMonths }: Offer): number {
  return retailer.slug === 'tideline-store' ? Math.min(contractMonths, 24) : contractMonths;
}

/** `Kestrel K9 Pro 5G (256GB Midnight Blue Refurbished)`. */
function fullNameOf(variant: Variant, retailer: Retailer, edition: Edition): string {
  const { model, storage, condition } = variant;
  const words = [makerOf(model.maker).name, model.name];
  if (model.network === '5G' && !model.name.endsWith('5G')) words.push('5G');
  if (retailer.slug === 'northway-direct' && model.facts.sim.startsWith('Dual')) words.push('Dual SIM');
  const inside = [storage, edition.colour, condition === 'refurbished' ? 'Refurbished' : undefined];
  return `${words.join(' ')} (${inside.filter((word) => word !== undefined).join(' ')})`;
}

function moneyText(pence: number, retailer: Retailer): string {
  return retailer.slug === 'northway-direct' && pence % 100 === 0 ? String(pence / 100) : decimalOf(pence);
}

function merchantName(retailer: Retailer): string {
  return retailer.slug === 'secondring' ? 'Secondring UK' : retailer.name;
}

/** Secondring writes the names of networks in its own way; the catalogue knows them as aliases. */
function networkLabel(network: Network, retailer: Retailer): string {
  return retailer.slug === 'secondring' ? (network.aliases[0] ?? network.name) : network.name;
}

function allowanceText(allowance: Allowance, retailer: Retailer): string {
  if (allowance !== 'unlimited') return String(allowance);
  return retailer.slug === 'secondring' ? 'UNLIMITED' : 'Unlimited';
}

function minutesPhrase(callMinutes: Allowance, textMessages: Allowance): string {
  return callMinutes === 'unlimited' && textMessages === 'unlimited'
    ? 'Unlimited mins & texts'
    : `${callMinutes} mins; ${textMessages} texts`;
}

function dataPhrase(megabytes: Allowance, generation: string): string {
  if (megabytes === 'unlimited') return `Unlimited ${generation} data`;
  return `${megabytes >= 1000 ? `${megabytes / 1000}GB` : `${megabytes}MB`} of ${generation} data`;
}

function productOf({ model }: Variant): object {
  const maker = makerOf(model.maker);
  const family = familyOf(model);
  const eldest = MODELS.findIndex((other) => other.maker === model.maker && familyOf(other) === family);
  return {
    product_id: String(301 + eldest),
    product_name: family,
    product_brand: maker.name,
    product_brand_id: maker.feedId,
    product_type: 'Mobile Phone',
    product_type_id: '1',
  };
}

/** The family of a phone: the first word of its name. */
function familyOf({ name }: Model): string {
  return name.split(' ')[0] ?? name;
}

function featuresOf(variant: Variant, edition: Edition): object {
  const { model, condition, storage } = variant;
  return {
    colour: edition.colour,
    colour_group: '',
    max_data_standard: model.network,
    condition: condition === 'refurbished' ? 'Refurbished' : 'New',
    condition_friendly: condition === 'refurbished' ? 'Good as New' : '',
    sim_type: model.facts.sim,
    capacity: storage ?? '',
    os: model.facts.familyOs,
    megapixels: String(model.facts.primaryCamera),
  };
}

function specificationsOf({ model, storage }: Variant): object {
  const { facts } = model;
  const [across, down] = facts.pixels;
  return {
    display_resolution: `${across} x ${down}`,
    display_size: `${facts.inches}"`,
    display_type: facts.display,
    primary_camera_flash: facts.flash ?? '',
    internal_memory: storage ?? '',
    processor: facts.chip === undefined ? '' : CHIPS[facts.chip].cpu,
    '4g': 'LTE',
    secondary_camera: facts.secondaryCamera === undefined ? '' : `${facts.secondaryCamera} Megapixels`,
    weight_grams: String(facts.grammes),
    dimensions: `${facts.height} x ${facts.width} x ${facts.depth} mm`,
    chipset: facts.chip === undefined ? '' : CHIPS[facts.chip].chipset,
    battery_type: facts.battery,
  };
}

function networkDetailsOf(network: Network): object {
  return {
    name: network.name,
    company_id: network.id,
    logo_url: `https://${network.slug}.example/logo.png`,
    coverage_url: `https://${network.slug}.example/coverage`,
    terms_url: `https://${network.slug}.example/terms`,
    description: network.tagline,
  };
}

function allowancesOf({ plan, retailer, variant }: Offer): object {
  return {
    mins_details: {
      cross_net_anytime: allowanceText(plan.callMinutes, retailer),
      cross_net_anytime_qualifier: '',
      same_net_anytime: '',
      special_numbers_see_terms: '',
      landline: '',
    },
    texts_details: { cross_net_anytime: allowanceText(plan.textMessages, retailer), same_net_anytime: '' },
    data_details: {
      wifi_mb: '',
      cellular_mb: allowanceText(plan.dataMegabytes, retailer),
      cellular_speed: variant.model.network,
    },
  };
}

const VAT = 1.2;

function costsOf(offer: Offer): Record<string, string> {
  const { upfrontPence, monthlyPence, contractMonths, totalPence, retailer } = offer;
  const withTax = decimalOf;
  const withoutTax = (pence: number): string => decimalOf(Math.round(pence / VAT));
  const isSplit = retailer.slug === 'tideline-store';
  const airtimePence = Math.min(offer.plan.pence, monthlyPence - 100);
  const devicePence = monthlyPence - airtimePence;
  const monthPence = Math.round(totalPence / contractMonths);
  return {
    upfront_inc_vat: withTax(upfrontPence),
    upfront_exc_vat: withoutTax(upfrontPence),
    upfront_previous_inc_vat: '',
    upfront_previous_exc_vat: '',
    monthly_total_inc_vat: withTax(monthlyPence),
    monthly_total_exc_vat: withoutTax(monthlyPence),
    monthly_total_previous_inc_vat: '',
    monthly_total_previous_exc_vat: '',
    monthly_device_inc_vat: isSplit ? withTax(devicePence) : '',
    monthly_device_exc_vat: isSplit ? withoutTax(devicePence) : '',
    monthly_device_term_months: isSplit ? String(contractMonths) : '',
    monthly_device_final_term_inc_vat: '',
    monthly_device_final_term_exc_vat: '',
    monthly_device_final_term_months: '',
    monthly_contract_inc_vat: isSplit ? withTax(airtimePence) : withTax(monthlyPence),
    monthly_contract_exc_vat: isSplit ? withoutTax(airtimePence) : withoutTax(monthlyPence),
    monthly_contract_term_months: String(airtimeMonthsOf(offer)),
    ecpm_inc_vat: withTax(monthPence),
    ecpm_exc_vat: withoutTax(monthPence),
    tco_inc_vat: withTax(totalPence),
    tco_exc_vat: withoutTax(totalPence),
  };
}

function json(value: object): string {
  return JSON.stringify(value);
}

/** The rows that are wrong, odd or beside the point, on purpose. */
function makeOddRows(
  make: (slug: string) => AwinRow,
  makeWith: (slug: string, change: Partial<Offer>) => AwinRow,
): readonly OddRow[] {
  const odd = (row: AwinRow, what: string, outcome: Outcome): OddRow => ({ row, what, outcome });
  const quarantined = (row: AwinRow, what: string): OddRow => odd(row, what, 'quarantined');
  const outOfScope = (row: AwinRow, what: string): OddRow => odd(row, what, 'out of scope');
  const secondring = retailerOf('secondring');
  const from = (retailer: string): AwinRow => makeWith('kestrel-k9-128gb', { retailer: retailerOf(retailer) });
  const negative = makeWith('aurel-a4-256gb', { upfrontPence: -3000 });
  const dearer = make('kestrel-k9-pro-max-256gb');
  const unnamed = make('kestrel-k9-pro-256gb');
  const cut = make('mirrin-lens-3-128gb');
  return [
    outOfScope(simOnly(from('tideline-store'), 'Tideline Flow 100GB', '16.00', '100000'), 'SIM without a phone'),
    outOfScope(simOnly(from('tideline-store'), 'Tideline Ocean', '22.50', 'Unlimited'), 'SIM without a phone'),
    quarantined(
      { ...cut, 'Telcos:deal_cost_json': (cut['Telcos:deal_cost_json'] ?? '').slice(0, 187) },
      '`Telcos:deal_cost_json` is cut short',
    ),
    outOfScope(otherDevice(make('aurel-a5-256gb'), TABLET), 'tablet'),
    quarantined(
      renamed(make('vesper-dusk-128gb'), 'Orbit Z4 5G (128GB Lunar Grey)', 'Orbit', 'Lunar Grey'),
      'phone of a maker that is not in the CMS',
    ),
    outOfScope(simOnly(from('northway-direct'), 'Northway Boundless', '22', 'Unlimited'), 'SIM without a phone'),
    quarantined(
      renamed(unnamed, 'Kestrel K9 Por 5G (256GB Obsidian)', 'Kestrel', 'Obsidian'),
      'slip of the typing: `Por` for `Pro`',
    ),
    odd(
      shouted(make('refurbished-kestrel-k8-pro-128gb')),
      'name in capitals with odd spaces: matched all the same',
      'served',
    ),
    outOfScope(otherDevice(make('kestrel-k9-plus-256gb'), MOBILE_WIFI), 'mobile broadband'),
    quarantined(
      renamed(make('wren-note-128gb'), 'Note 5G (128GB Charcoal)', '', 'Charcoal'),
      'name without its maker: two in the CMS have a Note',
    ),
    quarantined(
      makeWith('aurel-a5-128gb', {
        network: { id: '', slug: 'nowhere', name: 'No Network', aliases: [], tagline: '', popularity: 0, plans: [] },
      }),
      'network `No Network`',
    ),
    outOfScope(simOnly(from('northway-direct'), 'Northway Everyday 10GB', '10', '10000'), 'SIM without a phone'),
    quarantined(negative, 'upfront cost below zero'),
    odd(
      renamed(make('kestrel-k9-pro-512gb'), 'Kestrel K9 Pro 5G (Obsidian)', 'Kestrel', 'Obsidian'),
      'no storage in the name: `Telcos:storage_size` tells which of three products is meant',
      'served',
    ),
    outOfScope(otherDevice(make('aurel-a5-max-256gb'), WATCH), 'smart watch'),
    odd(withTotal(dearer, 500), 'stated total £5 above upfront + monthly x months', 'served with a notice'),
    quarantined(
      makeWith('halden-h60-5g-128gb', {
        retailer: { ...secondring, id: '81777', slug: 'gadget-barn', name: 'Gadget Barn' },
      }),
      'merchant `Gadget Barn`, not in the CMS',
    ),
    quarantined(withoutMonthly(make('wren-go-plus-64gb')), 'no monthly price'),
    outOfScope(simOnly(from('secondring'), 'Quartet Trio 120GB', '15.49', '120000'), 'SIM without a phone'),
    quarantined(withoutMinutes(make('vesper-fold-2-256gb')), 'no call allowance'),
  ];
}

/** The row under another device name; its ids belong to no product. */
function renamed(row: AwinRow, fullName: string, brand: string, colour: string): AwinRow {
  const [name = ''] = fullName.split(' (');
  const features = parseCell(row['Telcos:device_features_json']);
  return {
    ...row,
    product_name: (row.product_name ?? '').replace(row['Telcos:device_full_name'] ?? '', fullName),
    'Telcos:device_full_name': fullName,
    'Telcos:device_product_json': json({
      ...parseCell(row['Telcos:device_product_json']),
      product_id: '990',
      product_name: name,
      product_brand: brand,
    }),
    'Telcos:device_product_version_json': json({ product_version_id: '9901', product_version_name: name }),
    'Telcos:device_product_edition_json': json({
      product_edition_id: '99011',
      product_edition_name: fullName.slice(name.length + 2, -1),
      reseller_product_edition_id: '299011',
    }),
    'Telcos:device_features_json': json({ ...features, colour }),
  };
}

/** As some merchants send it: in capitals, with spaces where none belong. */
function shouted(row: AwinRow): AwinRow {
  const fullName = (row['Telcos:device_full_name'] ?? '').toUpperCase().replace('GB', '  GB').replace(' PRO', '  PRO');
  return {
    ...row,
    product_name: (row.product_name ?? '').toUpperCase(),
    'Telcos:device_full_name': fullName,
    'Telcos:inc_minutes': 'UNLIMITED',
    'Telcos:inc_texts': 'unlimited',
  };
}

interface OtherDevice {
  readonly category: string;
  readonly contractType: string;
  readonly fullName: string;
  readonly type: string;
  readonly typeId: string;
}

const TABLET: OtherDevice = {
  category: 'Tablet',
  contractType: 'Mobile Broadband Contract',
  fullName: 'Aurel Slate 11 5G (256GB Ink)',
  type: 'Tablet',
  typeId: '3',
};
const MOBILE_WIFI: OtherDevice = {
  category: 'Mobile Wi-Fi',
  contractType: 'Mobile Broadband Contract',
  fullName: 'Halden Pocket Router 5G',
  type: 'Mobile Wi-Fi',
  typeId: '6',
};
const WATCH: OtherDevice = {
  category: 'Smartwatch',
  contractType: 'Phone Contract',
  fullName: 'Aurel Watch 3 (44mm Chalk)',
  type: 'Smartwatch',
  typeId: '9',
};

function otherDevice(row: AwinRow, device: OtherDevice): AwinRow {
  const renamedRow = renamed(row, device.fullName, device.fullName.split(' ')[0] ?? '', '');
  return {
    ...renamedRow,
    merchant_category: device.category,
    description: '',
    'Telcos:device_description': '',
    'Telcos:contract_type': device.contractType,
    'Telcos:device_product_json': json({
      ...parseCell(renamedRow['Telcos:device_product_json']),
      product_type: device.type,
      product_type_id: device.typeId,
    }),
  };
}

function simOnly(row: AwinRow, plan: string, monthly: string, data: string): AwinRow {
  const network = plan.split(' ')[0] ?? '';
  const sim = otherDevice(row, {
    category: 'SIM Card - PAYM',
    contractType: 'Phone Contract',
    fullName: `${network} SIM Only`,
    type: 'SIM Card',
    typeId: '2',
  });
  return {
    ...sim,
    product_name: `${network} SIM Only on ${plan} (1 Month contract). £${monthly} a month.`,
    search_price: '0',
    store_price: '0',
    display_price: 'GBP0',
    'Telcos:term': '1',
    'Telcos:initial_cost': '0',
    'Telcos:month_cost': monthly,
    'Telcos:gift': '',
    'Telcos:inc_data': data,
    'Telcos:tariff': plan,
    'Telcos:storage_size': '0',
    'Telcos:network': network,
    'Telcos:operating_system': 'N/A',
    'Telcos:device_product_version_json': '',
    'Telcos:device_product_edition_json': '',
    'Telcos:device_features_json': json({ sim_type: 'Nano-SIM and eSIM', condition: 'New' }),
    'Telcos:device_specifications_json': '',
    'Telcos:network_details_json': '',
    'Telcos:tariff_details_json': '',
    'Telcos:tariff_allowances_json': '',
    'Telcos:deal_cost_json': '',
  };
}

function withTotal(row: AwinRow, morePence: number): AwinRow {
  const costs = parseCell(row['Telcos:deal_cost_json']);
  const total = Math.round(Number(costs['tco_inc_vat']) * 100) + morePence;
  return { ...row, 'Telcos:deal_cost_json': json({ ...costs, tco_inc_vat: decimalOf(total) }) };
}

function withoutMonthly(row: AwinRow): AwinRow {
  const costs = parseCell(row['Telcos:deal_cost_json']);
  const blank = { monthly_total_inc_vat: '', monthly_total_exc_vat: '', monthly_contract_inc_vat: '' };
  return {
    ...row,
    product_name: row['Telcos:device_full_name'] ?? '',
    'Telcos:month_cost': '',
    'Telcos:deal_cost_json': json({ ...costs, ...blank }),
  };
}

function withoutMinutes(row: AwinRow): AwinRow {
  return {
    ...row,
    product_name: row['Telcos:device_full_name'] ?? '',
    'Telcos:inc_minutes': '',
    'Telcos:tariff_allowances_json': '',
  };
}

/** A cell that this module has written. */
function parseCell(cell: string | undefined): Record<string, unknown> {
  const value: unknown = JSON.parse(cell ?? '{}');
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
