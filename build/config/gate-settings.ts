import { z } from 'zod';

const shareSchema = z.number().min(0).max(1);

/** `gates` of the configuration: how far a build may be from the snapshot being served. */
export const gateSettingsSchema = z.strictObject({
  minRows: z
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(20)
    .describe('a part with fewer records than this is judged with the larger part that it is in'),
  maxLost: shareSchema
    .default(0.1)
    .describe('the share of the deals of a part, or of the records of a CMS, that may go'),
  maxMoved: z
    .number()
    .min(0)
    .max(1_000)
    .default(0.1)
    .describe('how far the prices of most deals of a part, or the price in their middle, may move'),
  maxChanged: shareSchema
    .default(0.25)
    .describe('the share of the same deals of a part, or records of a CMS, that may be something else under their key'),
  maxQuarantined: shareSchema.default(0.2).describe('by how much the share of quarantined records may rise'),
  maxDuplicates: shareSchema.default(0.2).describe('by how much the share of duplicates may rise'),
  maxRenumbered: shareSchema.default(0.5).describe('the share of the deals of a part that may come under another key'),
  maxPriceJump: z
    .number()
    .min(1)
    .max(1_000_000)
    .default(2.5)
    .describe('a deal whose total or monthly cost moves by a larger factor is held out (`price-jump`)'),
  maxSaid: shareSchema
    .default(0.1)
    .describe('when a larger share of the same deals of a part has moved, the build says so, with status 4'),
});

export type GateSettings = Readonly<z.infer<typeof gateSettingsSchema>>;

export type GateSettingName = keyof GateSettings;
