/** How much is tried: a little within `npm test`, more in `npm run test:fault`, for hours in `npm run test:long`. */
const TIERS = ['first', 'second', 'long'] as const;
type Tier = (typeof TIERS)[number];

export const TIER: Tier = readTier(process.env['FAULT_TIER'] ?? 'first');

/** The count, or another size that grows with the tier, of the tier that runs. */
export function byTier<Value>(values: Readonly<Record<Tier, Value>>): Value {
  return values[TIER];
}

function readTier(text: string): Tier {
  const tier = TIERS.find((candidate) => candidate === text);
  if (tier === undefined) throw new Error(`FAULT_TIER: expected one of ${TIERS.join(', ')}, got ${text}`);
  return tier;
}
