import { z } from 'zod';

const shareSchema = z.number().min(0).max(1);

/** A growth may be above 100 %. */
const growthSchema = z.number().min(0).max(1_000);

/** `gates` of the configuration: how far a build may be from the snapshot being served. */
export const gateSettingsSchema = z.strictObject({
  maxLostDeals: shareSchema.default(0.1),
  maxLostProducts: shareSchema.default(0.1),
  /** The deals of one retailer, or of one network, in one source. */
  maxLostPart: shareSchema.default(0.5),
  maxGainedDeals: growthSchema.default(1),
  maxGainedProducts: growthSchema.default(1),
  maxQuarantined: shareSchema.default(0.2),
  maxDuplicateGain: shareSchema.default(0.2),
  /** The prices of most deals, deal by deal. */
  maxPriceMove: growthSchema.default(0.1),
  /** The median price of all deals. */
  maxMedianMove: growthSchema.default(1),
  /** The deals with an upfront cost, or with a monthly cost. */
  maxZeroedPrices: shareSchema.default(0.5),
  /** The deals with limited data. */
  maxLiftedLimits: shareSchema.default(0.5),
  maxLostPence: shareSchema
    .default(0.5)
    .describe('the share of the same deals with pence in their monthly cost that may lose them (`moved-prices`)'),
  maxLostSums: shareSchema
    .default(0.25)
    .describe(
      'the share of the same deals whose total may stop being upfront + monthly x months, and of those with a gift or a cashback that may have half a cashback (`moved-prices`)',
    ),
  /** The different links of a source or retailer, relative to the number of its deals. */
  maxLostLinks: shareSchema.default(0.5),
  minKeptKeys: shareSchema.default(0.5),
  /** For each day since the source was read. */
  maxChangedOffers: shareSchema.default(0.25),
  maxChangedTariffs: shareSchema
    .default(0.75)
    .describe('the share of the same deals of one network that may be other offers (`changed-offers`)'),
  maxMovedDeals: shareSchema
    .default(0.02)
    .describe(
      'the share of the same deals that may move to another phone, network, length, site or account, or to the link of another deal (`changed-offers`)',
    ),
  maxRenamed: shareSchema.default(0.5),
  maxPriceJump: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(2.5)
    .describe('a deal whose total or monthly cost moves by a larger factor is held out for one build (`price-jump`)'),
  minCheapestShare: shareSchema
    .default(0.4)
    .describe(
      'a new cheapest deal below this share of the cheapest total before is held out for one build (`price-jump`)',
    ),
  /** A field that this share of a source's records filled is missed when no record fills it. */
  minFilledShare: shareSchema.default(0.05),
  /** The different values of each shared column, in one feed. */
  maxEntries: z.number().int().min(1).max(1_000_000_000).default(50_000),
  /** `MemoryHigh` of server/deploy/deals-serve.service, less the memory for slow readers. */
  maxServerMegabytes: z.number().int().min(1).max(1_000_000).default(450),
  minRows: z
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(20)
    .describe('where there are fewer records than this, a share says nothing and its gate is silent'),
});

export type GateSettings = Readonly<z.infer<typeof gateSettingsSchema>>;

export type GateSettingName = keyof GateSettings;
