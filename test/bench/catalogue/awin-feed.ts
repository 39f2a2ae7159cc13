import { formatPence, type Allowance } from '../../../data/record/amount.ts';
import { createRandom } from '../../support/random.ts';
import { PUBLISHER_ID } from './deals-feed.ts';
import { FEEDS, type Network, type Retailer } from './market.ts';
import { streamOffers, type Offer } from './offer-stream.ts';
import type { Phone } from './phone-range.ts';
import { writePhoneText } from './phone-text.ts';

/** In the order of the publisher's download, all 59 of them. */
const HEADER =
  'aw_deep_link,product_name,aw_product_id,merchant_product_id,merchant_image_url,description,merchant_category,search_price,merchant_name,merchant_id,category_name,category_id,aw_image_url,currency,store_price,delivery_cost,merchant_deep_link,language,last_updated,display_price,data_feed_id,Telcos:contract_type,Telcos:term,Telcos:initial_cost,Telcos:month_cost,Telcos:gift,Telcos:inc_minutes,Telcos:inc_data,Telcos:connectivity,Telcos:inc_texts,Telcos:tariff,Telcos:storage_size,Telcos:special_offer,Telcos:network,Telcos:operating_system,Telcos:device_product_json,Telcos:device_product_version_json,Telcos:device_product_edition_json,Telcos:device_full_name,Telcos:device_description,Telcos:device_images_json,Telcos:device_features_json,Telcos:device_specifications_json,Telcos:network_details_json,Telcos:tariff_group_details_json,Telcos:tariff_details_json,Telcos:tariff_allowances_json,Telcos:tariff_out_of_plan_charges_json,Telcos:deal_tags_json,Telcos:deal_type_json,Telcos:deal_promo_info,Telcos:deal_retailer_json,Telcos:deal_cost_json,Telcos:deal_discounts_json,Telcos:deal_cashback_json,Telcos:deal_legal_info,Telcos:subscription_name,Telcos:subscription_price_effective,Telcos:subscription_renewal';

/** Of the rows: an offer in another colour, of which a build keeps one. Feeds without a limit have far more. */
const COLOUR_SHARE = 0.3;
/** Of the rows: a SIM without a phone, which is out of scope. */
const SIM_SHARE = 0.01;

const LEGAL =
  'Phone and airtime are two agreements, and both are subject to status and a credit check; you must be 18 or over and live in the United Kingdom. Each year in April the monthly price of the airtime rises by the figure that was agreed when you signed, and by no other. Allowances are for use in the United Kingdom and in the countries of zone one, up to 25GB a month. Unlimited means unlimited for one person: tethering more than twelve devices, or leaving a server on the line, is business use. You may send the phone back within fourteen days of delivery, with its box and charger; what you have used of the airtime until then is charged by the day.';

export interface AwinFeedOptions {
  readonly seed: number;
  /** Rows of the file. */
  readonly rowCount: number;
}

/** The lines of an Awin download in the Telcos shape, some seven kilobytes each: the header, then `rowCount` rows. */
export function* streamAwinFeed(phones: readonly Phone[], options: AwinFeedOptions): Generator<string> {
  yield HEADER;
  let left = options.rowCount;
  for (const row of streamRows(phones, options)) {
    if (left-- <= 0) return;
    yield row;
  }
}

function* streamRows(phones: readonly Phone[], { seed, rowCount }: AwinFeedOptions): Generator<string> {
  const random = createRandom(seed + 2);
  const deviceCells = createDeviceCells();
  let linkNumber = 40_204_115_630;
  let merchantNumber = 50_210_400;
  const nextRow = (offer: Offer, colour: number, isSim = false): string => {
    linkNumber += 3 + random.below(40);
    merchantNumber += 1 + random.below(6);
    return formatRow(offer, deviceCells(offer.phone, colour), { linkNumber, merchantNumber, isSim });
  };
  for (const [position, feed] of FEEDS.entries()) {
    // The last of them offers more than is wanted, so that the file has exactly its rows.
    const isLast = position === FEEDS.length - 1;
    const offerCount = Math.ceil((feed.share * rowCount) / (1 + COLOUR_SHARE) + (isLast ? rowCount * 0.02 + 10 : 0));
    for (const offer of streamOffers(feed, phones, { seed: seed + position * 1_000, offerCount })) {
      const { colours } = offer.phone;
      const colour = random.below(colours.length);
      yield nextRow(offer, colour);
      const fate = random.next();
      if (fate < COLOUR_SHARE) yield nextRow(offer, (colour + 1) % colours.length);
      else if (fate > 1 - SIM_SHARE) yield nextRow(offer, colour, true);
    }
  }
}

interface RowFacts {
  readonly linkNumber: number;
  readonly merchantNumber: number;
  readonly isSim: boolean;
}

/** The cells that are the same in every row of a phone in one colour. */
interface DeviceCells {
  readonly fullName: string;
  readonly image: string;
  readonly description: string;
  /** `Telcos:device_product_json` to `Telcos:device_specifications_json`. */
  readonly device: string;
}

function createDeviceCells(): (phone: Phone, colour: number) => DeviceCells {
  const made = new Map<string, DeviceCells>();
  return (phone, colour) => {
    const edition = String(phone.firstEdition + colour);
    let cells = made.get(edition);
    if (cells === undefined) {
      cells = makeDeviceCells(phone, phone.colours[colour] as string, edition);
      made.set(edition, cells);
    }
    return cells;
  };
}

function makeDeviceCells(phone: Phone, colour: string, edition: string): DeviceCells {
  const isUsed = phone.condition === 'refurbished';
  const fullName = `${phone.modelName} 5G (${phone.storage} ${colour}${isUsed ? ' Refurbished' : ''})`;
  const picture = (pixels: number): string =>
    `https://media.handsets.example/img_product_image_main_large400x400_product_edition${edition.padStart(10, '0')}.png?h=${pixels}&w=${pixels}&auto=enhance&auto=format&bg=FFFFFF&trim=color&trimcolor=FFFFFF&trimtol=2`;
  const description = writePhoneText(phone).introduction.slice(0, 900);
  const device = [
    json({
      product_id: String(300 + phone.modelRank),
      product_name: phone.modelName.slice(phone.maker.name.length + 1),
      product_brand: phone.maker.name,
      product_brand_id: '28',
      product_type: 'Mobile Phone',
      product_type_id: '1',
    }),
    json({ product_version_id: `v${phone.id}`, product_version_name: phone.modelName }),
    json({
      product_edition_id: edition,
      product_edition_name: `${phone.storage} ${colour}`,
      reseller_product_edition_id: `2${edition}`,
    }),
    fullName,
    quoted(description),
    json({ primary_thumb: picture(150), primary_large: picture(600) }),
    json({
      colour,
      colour_group: colour,
      max_data_standard: '5G',
      condition: isUsed ? 'Refurbished' : 'New',
      condition_friendly: isUsed ? 'Good as New' : '',
      sim_type: 'Nano SIM',
      capacity: phone.storage,
      os: 'Android',
      megapixels: '50',
    }),
    json({
      display_resolution: '2340 x 1080',
      display_size: '6.3"',
      display_type: 'LTPO OLED',
      primary_camera_flash: 'LED',
      primary_camera_resolution: '8160 x 6120',
      internal_memory: phone.storage,
      memory_card_slot: 'None',
      processor: '2.9 GHz Dual-core & 1.8 GHz Hexa-core',
      '2g': 'GSM 850/900/1800/1900',
      '3g': 'HSDPA 850/900/1900/2100',
      '4g': 'LTE',
      bluetooth: '5.3 with LE, aptX',
      gps: 'A-GPS, GLONASS, Galileo and Beidou',
      wifi: '802.11 a/b/g/n/ac/6e',
      talk_time: 'Up to 26 hours',
      secondary_camera: '16 Megapixels',
      weight_grams: '187',
      dimensions: '149.6 x 71.4 x 7.9 mm',
      chipset: 'Talus T58',
      battery_type: 'Non-removable',
      ip_rating: 'IP68',
    }),
  ].join(',');
  return { fullName, image: picture(400), description: quoted(description), device };
}

function formatRow(offer: Offer, cells: DeviceCells, { linkNumber, merchantNumber, isSim }: RowFacts): string {
  const { retailer, network, plan, contractMonths, gift } = offer;
  const upfront = formatPence(offer.upfrontPence);
  const monthly = formatPence(offer.monthlyPence);
  const minutes = allowanceText(plan.callMinutes);
  const texts = allowanceText(plan.textMessages);
  const data = allowanceText(plan.dataMegabytes);
  const name = `${cells.fullName} at £${upfront} on ${plan.name} (${contractMonths} Month contract) with ${minutes} mins; ${texts} texts; ${data === 'Unlimited' ? data : `${data}MB`} of 5G data. £${monthly} a month.`;
  const picture = encodeURIComponent(cells.image.slice('https://'.length));
  return [
    `https://www.awin1.com/pclick.php?p=${linkNumber}&a=${PUBLISHER_ID}&m=${retailer.id}`,
    quoted(name),
    linkNumber,
    merchantNumber,
    cells.image,
    cells.description,
    isSim ? '"SIM Card - PAYM"' : '"Mobile Phone - PAYM"',
    upfront,
    quoted(retailer.name),
    retailer.id,
    '"Mobile Phones",348',
    `https://images.handsets.example/?w=200&h=200&bg=white&trim=5&t=letterbox&url=${picture}&feedId=18701&k=750b1fc93ec7d17ef1aa918e2432c703db62a548`,
    `GBP,${upfront},`,
    `https://www.${retailer.slug}.example/basket/add/product/?device=${cells.image.slice(-12)}&plan=${plan.number}-6718bcaf-b9c0-4aa0-96ce-e6b29a9966f0&oneOff=${upfront}&monthly=${monthly}`,
    `en,"2026-11-19 22:41:00",GBP${upfront},18701,"Phone Contract",${contractMonths},${upfront},${monthly}`,
    gift === undefined ? '' : quoted(gift.name),
    `${minutes},${data},5G,${texts}`,
    quoted(plan.name),
    `${offer.phone.storage},`,
    quoted(network.name),
    'Android',
    cells.device,
    networkCells(network, plan.name, contractMonths),
    json({
      mins_details: {
        cross_net_anytime: minutes,
        cross_net_anytime_qualifier: 'See Terms',
        same_net_anytime: '',
        special_numbers_see_terms: '',
        landline: '',
      },
      texts_details: { cross_net_anytime: texts, same_net_anytime: '' },
      data_details: { wifi_mb: '', cellular_mb: data, cellular_speed: '5G' },
    }),
    CHARGES,
    ',"{""deal_type_id"":""0"",""deal_type_name"":""Consumer""}",',
    retailerCell(retailer),
    costCell(offer),
    ',',
    `${quoted(LEGAL)},,,`,
  ].join(',');
}

const CHARGES = json({
  pence_per_cross_net_min: '55',
  pence_per_cross_net_text: '15',
  pence_per_mb: '3',
  data_charge_text: '',
  pence_per_voicemail_min: '35',
});

function networkCells(network: Network, planName: string, contractMonths: number): string {
  return [
    json({
      name: network.name,
      company_id: network.id,
      logo_url: `https://media.handsets.example/img_company_logo_thumbnail150x150_company${network.id.padStart(10, '0')}.png`,
      coverage_url: `https://www.${network.slug}.example/coveragechecker`,
      terms_url: `https://www.${network.slug}.example/termsandconditions`,
      description: `${network.name} is a network of its own masts, shared in the country with one other, and reaches 98% of all homes by 4G and some seven tenths by 5G. It was founded when phones still had aerials, belongs to its customers in part, and runs a wireless network in shops, stations and stadiums that is free with every plan. Its average download speed was 48.4 Mbps in the last survey.`,
    }),
    json({
      tariff_group_id: `${network.id}0`,
      tariff_group_description: `Get the latest phone early with plans of ${network.name}. Trade in your old phone at any time for money off the next.`,
      tariff_group_promo_info: '',
    }),
    json({
      tariff_id: `${network.id}22`,
      tariff_name: planName,
      tariff_type_id: '4',
      tariff_type: 'Phone Contract',
      tariff_term: String(contractMonths),
      tariff_term_friendly: `${contractMonths} Month(s)`,
      tariff_promo_info: '',
    }),
  ].join(',');
}

function retailerCell({ slug, name, id }: Retailer): string {
  return json({
    name,
    company_id: id,
    logo_url: `https://media.handsets.example/img_company_logo_thumbnail150x150_company${id.padStart(10, '0')}.png`,
    terms_url: `https://www.${slug}.example/termsandconditions`,
  });
}

const VAT = 1.2;

function costCell({ upfrontPence, monthlyPence, totalPence, contractMonths }: Offer): string {
  const withoutTax = (pence: number): string => formatPence(Math.round(pence / VAT));
  const monthPence = Math.round(totalPence / contractMonths);
  return json({
    upfront_inc_vat: formatPence(upfrontPence),
    upfront_exc_vat: withoutTax(upfrontPence),
    upfront_previous_inc_vat: '',
    upfront_previous_exc_vat: '',
    monthly_total_inc_vat: formatPence(monthlyPence),
    monthly_total_exc_vat: withoutTax(monthlyPence),
    monthly_total_previous_inc_vat: '',
    monthly_total_previous_exc_vat: '',
    monthly_device_inc_vat: '',
    monthly_device_exc_vat: '',
    monthly_device_term_months: '',
    monthly_device_final_term_inc_vat: '',
    monthly_device_final_term_exc_vat: '',
    monthly_device_final_term_months: '',
    monthly_contract_inc_vat: formatPence(monthlyPence),
    monthly_contract_exc_vat: withoutTax(monthlyPence),
    monthly_contract_term_months: String(contractMonths),
    ecpm_inc_vat: formatPence(monthPence),
    ecpm_exc_vat: withoutTax(monthPence),
    tco_inc_vat: formatPence(totalPence),
    tco_exc_vat: withoutTax(totalPence),
  });
}

function allowanceText(allowance: Allowance): string {
  return allowance === 'unlimited' ? 'Unlimited' : String(allowance);
}

function json(value: object): string {
  return quoted(JSON.stringify(value));
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
