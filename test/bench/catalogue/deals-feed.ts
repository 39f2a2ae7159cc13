import { formatPence, type Allowance } from '../../../data/record/amount.ts';
import { createRandom } from '../../support/random.ts';
import type { Feed } from './market.ts';
import { streamOffers, type Offer, type OfferOptions } from './offer-stream.ts';
import type { Phone } from './phone-range.ts';

const HEADER =
  'dealId,productId,productName,gtin,condition,retailer,network,dealType,contractName,contractMonths,dataGb,callMinutes,textMessages,upfrontCost,monthlyCost,totalCost,cashbackType,cashbackValue,gift,dealLink,productImage,validFrom,validTo,inStock';

/** Whose links these are: a publisher of the affiliate network. */
export const PUBLISHER_ID = '104729';

/** Rows that repeat an offer in another colour: a build keeps one of them. */
const COLOUR_SHARE = 0.07;
const OUT_OF_STOCK_SHARE = 0.002;
const FAULTY_SHARE = 0.0005;

/** The lines of a feed in the `deals` format, the header first; a line for each offer, and some that add none. */
export function* streamDealsFeed(feed: Feed, phones: readonly Phone[], options: OfferOptions): Generator<string> {
  const random = createRandom(options.seed + 1);
  let linkNumber = 38_204_115_630;
  let number = 0;
  const nextRow = (offer: Offer, colour: number): Row => {
    linkNumber += 3 + random.below(40);
    return { offer, colour, key: `${feed.name.slice(0, 2).toUpperCase()}-${++number}`, linkNumber };
  };

  yield HEADER;
  for (const offer of streamOffers(feed, phones, options)) {
    const { colours } = offer.phone;
    const colour = random.below(colours.length);
    const row = nextRow(offer, colour);
    yield formatRow(feed, row);
    const fate = random.next();
    if (fate < COLOUR_SHARE) yield formatRow(feed, nextRow(offer, (colour + 1) % colours.length));
    else if (fate > 1 - OUT_OF_STOCK_SHARE) yield formatRow(feed, { ...nextRow(offer, colour), isOutOfStock: true });
    else if (fate > 1 - OUT_OF_STOCK_SHARE - FAULTY_SHARE) {
      yield formatRow(feed, { ...nextRow(offer, colour), isFaulty: true });
    }
  }
}

interface Row {
  readonly offer: Offer;
  readonly colour: number;
  readonly key: string;
  readonly linkNumber: number;
  readonly isOutOfStock?: boolean;
  /** Its network is unknown. */
  readonly isFaulty?: boolean;
}

function formatRow(feed: Feed, { offer, colour, key, linkNumber, isOutOfStock, isFaulty }: Row): string {
  const { phone, retailer, network, plan, gift, cashback } = offer;
  const id = feed.namesBy === 'id' ? phone.id : '';
  const name = feed.namesBy === 'name' ? feedNameOf(phone) : '';
  const gtin = feed.namesBy === 'gtin' ? phone.gtin : '';
  const money = `${formatPence(offer.upfrontPence)},${formatPence(offer.monthlyPence)},${formatPence(offer.totalPence)}`;
  const allowances = `${formatData(plan.dataMegabytes)},${plan.callMinutes},${plan.textMessages}`;
  const extras = `${cashback?.type ?? ''},${cashback === undefined ? '' : formatPence(cashback.valuePence)},${gift?.slug ?? ''}`;
  const link = `https://www.awin1.com/pclick.php?p=${linkNumber}&a=${PUBLISHER_ID}&m=${retailer.id}`;
  const condition = phone.condition === 'new' ? '' : phone.condition;
  return `${key},${id},${name},${gtin},${condition},${retailer.slug},${isFaulty === true ? 'nowhere' : network.slug},,${plan.name},${offer.contractMonths},${allowances},${money},${extras},${link},${pictureOf(phone, colour)},,,${isOutOfStock === true ? 'no' : ''}`;
}

/** As a shop writes it: `Kestrel K18 Pro 5G 128 GB`. */
function feedNameOf(phone: Phone): string {
  return phone.name.replace(phone.storage, `5G ${phone.storage.replace('GB', ' GB')}`);
}

/** The picture of a phone in one colour: all retailers take it from the affiliate network. */
function pictureOf(phone: Phone, colour: number): string {
  return `https://media.handsets.example/edition${String(phone.firstEdition + colour).padStart(10, '0')}.png`;
}

function formatData(megabytes: Allowance): string {
  return megabytes === 'unlimited' ? megabytes : String(megabytes / 1_000);
}
