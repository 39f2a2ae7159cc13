import type { Dictionaries, Plan } from '../../data/snapshot/format.ts';
import type { Catalogue, DealGift } from '../catalogue/catalogue.ts';
import type { CataloguePictures } from '../image/catalogue-pictures.ts';

/** The one line of `dictionaries.json`. Networks and retailers without a deal are in it too: filters know them (D13). */
export function encodeDictionaries(
  { records, deals }: Catalogue,
  pictures: CataloguePictures,
  currency: Dictionaries['currency'],
): string {
  const dictionaries: Dictionaries = {
    currency: { code: currency.code, label: currency.label },
    networks: records.networks.map(({ record: { id, name, slug } }, row) => ({
      id,
      name,
      slug,
      logos: pictures.networkLogos[row] ?? { small: '', medium: '', large: '', deal: '' },
    })),
    retailers: records.retailers.map(({ record: { id, name, slug } }, row) => ({
      id,
      name,
      slug,
      logos: pictures.retailerLogos[row] ?? { large: '', deal: '' },
    })),
    manufacturers: records.manufacturers.map(({ slug, name }) => ({ slug, name })),
    plans: deals.plans.map(planOf),
    gifts: deals.gifts.map((gift) => giftOf(gift, { records, deals }, pictures)),
    cashbacks: deals.cashbacks.map(({ type, valuePence }) => ({ type, valuePence })),
    linkTemplates: deals.linkTemplates.map(({ prefix, suffix }) => ({ prefix, suffix })),
    pictures: [...deals.pictures],
  };
  return JSON.stringify(dictionaries);
}

/** Names the keys so that their order is that of this line, whatever the plan was made from. */
function planOf(plan: Plan): Plan {
  return {
    network: plan.network,
    dealType: plan.dealType,
    contractName: plan.contractName,
    contractMonths: plan.contractMonths,
    dataMegabytes: plan.dataMegabytes,
    callMinutes: plan.callMinutes,
    textMessages: plan.textMessages,
  };
}

/** `giftImg` is the gift's `largeFrontImageWebp` (D10); a gift that is only a feed's text has no picture. */
function giftOf(gift: DealGift, { records }: Catalogue, pictures: CataloguePictures): Dictionaries['gifts'][number] {
  if (gift.kind === 'text') return { name: gift.name, image: '' };
  const record = records.gifts[gift.giftRow]?.record;
  if (record === undefined) throw new Error(`gift row ${gift.giftRow} is used by a deal and not published`);
  return { name: record.name, image: pictures.gifts[gift.giftRow]?.largeFrontImageWebp ?? '' };
}
