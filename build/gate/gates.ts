import { gateSettingsSchema, type GateSettingName } from '../config/gate-settings.ts';
import {
  checkCurrency,
  checkEntries,
  checkFields,
  checkProducts,
  checkRenamedRecords,
  checkRequiredSources,
  checkServedSnapshot,
  checkServerMemory,
} from './check-catalogue.ts';
import {
  checkGainedDeals,
  checkGainedProducts,
  checkLostContent,
  checkLostDeals,
  checkLostProducts,
  checkLostParts,
} from './check-counts.ts';
import {
  checkChangedOffers,
  checkMedianPrices,
  checkMovedPrices,
  checkPriceJumps,
  checkRenumbered,
} from './check-deals.ts';
import { checkDuplicates, checkLostLinks, checkQuarantined, checkUnlimited, checkZeroPrices } from './check-shares.ts';
import type { Check } from './measurement.ts';

/** What a gate checks. `--accept` may name a source only for a gate that checks each source. */
type GateScope = 'catalogue' | 'source' | 'source and catalogue';

/** A check that a build must pass before it is published. */
export interface Gate {
  readonly scope: GateScope;
  /** The limit, in `gates` of the configuration. */
  readonly setting?: GateSettingName;
  /** The records of which the snapshot being served needs `minRows`; with fewer, the gate is skipped. */
  readonly minRowsOf?: string;
  readonly refuses: string;
  readonly check: Check;
}

/** Every gate, by the name that `--accept` uses. A new gate is a new row. */
export const GATES = {
  'required-source': {
    scope: 'source',
    refuses: 'a source marked `required`, or a CMS source, is not read',
    check: checkRequiredSources,
  },
  'unreadable-snapshot': {
    scope: 'catalogue',
    refuses: 'the snapshot being served is damaged, so nothing can be compared with it',
    check: checkServedSnapshot,
  },
  'no-products': { scope: 'catalogue', refuses: 'there is no product at all', check: checkProducts },
  currency: { scope: 'catalogue', refuses: 'the currency of the catalogue is another', check: checkCurrency },
  'lost-products': {
    scope: 'source and catalogue',
    setting: 'maxLostProducts',
    minRowsOf: 'products',
    refuses: 'a larger share of the products is gone',
    check: checkLostProducts,
  },
  'lost-content': {
    scope: 'source',
    setting: 'maxLostProducts',
    minRowsOf: 'products',
    refuses:
      'a larger share of the products has lost its texts, specs or pictures, or a larger share of the networks, retailers, gifts or gift categories is gone',
    check: checkLostContent,
  },
  'lost-deals': {
    scope: 'source and catalogue',
    setting: 'maxLostDeals',
    minRowsOf: 'deals',
    refuses: 'a larger share of the deals is gone',
    check: checkLostDeals,
  },
  'lost-retailers': {
    scope: 'source',
    setting: 'maxLostPart',
    minRowsOf: 'deals of the retailer',
    refuses: 'a retailer has lost a larger share of its deals, or all',
    check: checkLostParts('retailer'),
  },
  'lost-networks': {
    scope: 'source',
    setting: 'maxLostPart',
    minRowsOf: 'deals of the network',
    refuses: 'a network has lost a larger share of its deals, or all',
    check: checkLostParts('network'),
  },
  'gained-products': {
    scope: 'source',
    setting: 'maxGainedProducts',
    minRowsOf: 'products',
    refuses: 'the products have grown by a larger share',
    check: checkGainedProducts,
  },
  'gained-deals': {
    scope: 'source',
    setting: 'maxGainedDeals',
    minRowsOf: 'deals',
    refuses: 'the deals have grown by a larger share',
    check: checkGainedDeals,
  },
  quarantined: {
    scope: 'source',
    setting: 'maxQuarantined',
    minRowsOf: 'records in scope, then or now',
    refuses: 'a larger share of the records in scope is quarantined',
    check: checkQuarantined,
  },
  duplicates: {
    scope: 'source',
    setting: 'maxDuplicateGain',
    minRowsOf: 'records in scope',
    refuses: 'the share of duplicates has risen by more',
    check: checkDuplicates,
  },
  renumbered: {
    scope: 'source',
    setting: 'minKeptKeys',
    minRowsOf: 'deals or products',
    refuses: 'a smaller share of the deals of a source or retailer, or of the products, is still there under its key',
    check: checkRenumbered,
  },
  'renamed-records': {
    scope: 'source',
    setting: 'maxRenamed',
    minRowsOf: 'products, or three networks or retailers, under the ids that they had',
    refuses:
      'a larger share of the products, networks or retailers of the CMS has another name or slug under its id; or some have the name or slug of another',
    check: checkRenamedRecords,
  },
  'changed-offers': {
    scope: 'source',
    setting: 'maxChangedOffers',
    minRowsOf: 'deals, half of them still there',
    refuses:
      'of a source or retailer, a larger share of the same deals is for another phone, network, kind of contract, length, allowance or site; of a network more than `maxChangedTariffs`; for another phone, network, length, retailer, site or account, or with the link of another deal, more than `maxMovedDeals`; or minutes and texts have changed places, data have another decimal point, gifts, cashbacks or names of plans have gone from deals to other deals, or many names of plans have become few',
    check: checkChangedOffers,
  },
  'moved-prices': {
    scope: 'source',
    setting: 'maxPriceMove',
    minRowsOf: 'deals, half of them still there',
    refuses:
      'most of the same deals of a source, retailer or network have moved further in total, upfront or monthly cost, up or down; more than `maxLostPence` of the monthly or upfront costs with pence lost them; or more than `maxLostSums` of the totals are the sum of their parts no longer, or of the gifts and cashbacks are half a cashback',
    check: checkMovedPrices,
  },
  'median-prices': {
    scope: 'source',
    setting: 'maxMedianMove',
    minRowsOf: 'deals of the source, retailer or network, then and now',
    refuses: 'the total cost in the middle of a source, or of a retailer or network in it, has moved further',
    check: checkMedianPrices,
  },
  'zero-prices': {
    scope: 'source',
    setting: 'maxZeroedPrices',
    minRowsOf: 'deals, a quarter of them with that price',
    refuses:
      'of a source, retailer or network, the deals that cost something upfront, or something a month, have become fewer by a larger share',
    check: checkZeroPrices,
  },
  unlimited: {
    scope: 'source',
    setting: 'maxLiftedLimits',
    minRowsOf: 'deals, a quarter of them with a limit, or without',
    refuses:
      'of a source, retailer or network, the deals with a limit on their data have become fewer by a larger share; or, of a source or retailer, those without',
    check: checkUnlimited,
  },
  'lost-links': {
    scope: 'source',
    setting: 'maxLostLinks',
    minRowsOf: 'deals, a quarter of them with a link of their own',
    refuses: 'different links have become fewer, compared with the number of deals, by a larger share',
    check: checkLostLinks,
  },
  'field-gone': {
    scope: 'source',
    setting: 'minFilledShare',
    minRowsOf: 'records with the field',
    refuses: 'a field that was filled in this share of the records or more is in none now',
    check: checkFields,
  },
  'many-entries': {
    scope: 'source',
    setting: 'maxEntries',
    minRowsOf: 'nothing',
    refuses: 'the deals of a feed have more different plans, gifts, cashbacks, pictures or shapes of links',
    check: checkEntries,
  },
  'server-memory': {
    scope: 'catalogue',
    setting: 'maxServerMegabytes',
    minRowsOf: 'nothing',
    refuses: 'a server would need more megabytes to take the catalogue up while it answers from one like it',
    check: checkServerMemory,
  },
  'price-jump': {
    scope: 'source',
    setting: 'maxPriceJump',
    minRowsOf: 'nothing',
    refuses: 'nothing: deals whose price moved by a larger factor are held out for one build, unless that is accepted',
    check: checkPriceJumps,
  },
} as const satisfies Record<string, Gate>;

export type GateName = keyof typeof GATES;

export const GATE_NAMES = Object.keys(GATES) as readonly GateName[];

export function isGateName(text: string): text is GateName {
  return (GATE_NAMES as readonly string[]).includes(text);
}

/** The meaning of each setting of `gates`: its own text, else that of its gates. */
export function describeGateSettings(): Readonly<Record<string, string>> {
  const own = Object.entries(gateSettingsSchema.shape).flatMap(([name, { description }]) =>
    description === undefined ? [] : [[name, description] as const],
  );
  const meanings: Record<string, string> = Object.fromEntries(own);
  for (const { setting, refuses } of Object.values<Gate>(GATES)) {
    if (setting === undefined || own.some(([name]) => name === setting)) continue;
    const before = meanings[setting];
    meanings[setting] = before === undefined ? `refuses when ${refuses}` : `${before}; or ${refuses}`;
  }
  return meanings;
}
