/** How much is tried: a little within `npm test`, more in `npm run test:fault`, for hours in `npm run test:long`. */
const TIERS = ['first', 'second', 'long'] as const;
export type Tier = (typeof TIERS)[number];

export const TIER: Tier = readTier(process.env['FAULT_TIER']);

/** Whether to leave out what a machine that is busy with all other tests may fail. */
export const IS_SHARED_MACHINE = TIER === 'first';

/** The count, or another size that grows with the tier, of the tier that runs. */
export function byTier<Value>(values: Readonly<Record<Tier, Value>>): Value {
  return values[TIER];
}

function readTier(text: string | undefined): Tier {
  if (text === undefined) return 'first';
  const tier = TIERS.find((candidate) => candidate === text);
  if (tier === undefined)
    throw new Error(`FAULT_TIER: expected one of ${TIERS.join(', ')}, got ${JSON.stringify(text)}`);
  return tier;
}
