import { z } from 'zod';
import { decimalIdSchema, orWholeNumber, slugSchema } from './id.ts';
import { feedIdsSchema, nameSchema, webUrlSchema } from './product.ts';

function logoSchema(size: string): z.ZodOptional<typeof webUrlSchema> {
  return webUrlSchema.optional().meta({ description: size, examples: ['https://images.example.com/fernlink.png'] });
}

/** The ready-made badges of a network: three sizes for deals, one for `cheapestDeal` (spec §2.5, §2.10). */
const networkLogosSchema = z.object({
  small: logoSchema('50x25 pixels'),
  medium: logoSchema('100x50 pixels'),
  large: logoSchema('200x100 pixels'),
  deal: logoSchema('of the cheapest deal, 100x50 pixels'),
});

const retailerLogosSchema = z.object({
  large: logoSchema('200x100 pixels'),
  deal: logoSchema('of the cheapest deal, 50x50 pixels'),
});

const logosMeaning = 'ready-made badges';

const supplier = {
  id: orWholeNumber(decimalIdSchema).meta({ description: 'decimal digits, which never change', examples: ['21'] }),
  name: nameSchema.meta({ description: 'as it is shown', examples: ['Fernlink'] }),
  slug: slugSchema.meta({ description: 'its part of an address, and its name in a query', examples: ['fernlink'] }),
  aliases: z
    .array(nameSchema)
    .max(1_000)
    .default([])
    .meta({ description: 'other names by which feeds mean it', examples: [['Fernlink UK']] }),
  feedIds: feedIdsSchema.optional(),
  logo: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description: 'the path of an original, which is rendered in place of `logos`',
      examples: ['images/fernlink.png'],
    }),
};

/** A network: the contract supplier of the specification. */
export const networkRecordSchema = z.object({
  ...supplier,
  logos: networkLogosSchema.optional().describe(logosMeaning),
});

/** A retailer: the supplier of the specification. */
export const retailerRecordSchema = z.object({
  ...supplier,
  logos: retailerLogosSchema.optional().describe(logosMeaning),
});

export const manufacturerRecordSchema = z.object({
  slug: slugSchema.meta({ description: 'what `manufacturer` of a product says', examples: ['google'] }),
  name: nameSchema.optional().meta({ description: 'as it is shown', examples: ['Google'] }),
});

export type NetworkRecord = z.infer<typeof networkRecordSchema>;
export type RetailerRecord = z.infer<typeof retailerRecordSchema>;
export type ManufacturerRecord = z.infer<typeof manufacturerRecordSchema>;
