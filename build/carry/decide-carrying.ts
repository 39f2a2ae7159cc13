import type { ServedSnapshot } from '../gate/served-snapshot.ts';

/** What becomes of the deals that the snapshot being served has of a feed that cannot be read. */
export type Carrying =
  /** It has none. */
  | { readonly kind: 'nothing' }
  /** They stay, until they are too old. */
  | { readonly kind: 'carry'; readonly freshAt: Date; readonly until: Date }
  /** They are too old: a wrong price is worse than none. */
  | { readonly kind: 'withdraw'; readonly freshAt: Date; readonly until: Date };

/** Decides by the time since the deals were last found in the feed (INPUTS "A source is held, not the build"). */
export function decideCarrying(served: ServedSnapshot, feed: string, now: Date, maxCarriedMs: number): Carrying {
  if (served.kind !== 'known') return { kind: 'nothing' };
  const source = served.manifest.sources.find(({ name, kind }) => name === feed && kind === 'feed');
  if (source === undefined || source.kept === 0) return { kind: 'nothing' };
  const recorded = source.freshAt ?? served.manifest.createdAt;
  const freshAt = findLatest(source.state === 'fresh' ? [recorded, served.confirmedAt] : [recorded], now);
  const until = new Date(freshAt.getTime() + maxCarriedMs);
  return { kind: now.getTime() <= until.getTime() ? 'carry' : 'withdraw', freshAt, until };
}

/** A time in the future is of a build under a wrong clock: the hours begin with the first build that finds it. */
function findLatest(times: readonly string[], now: Date): Date {
  const passed = times.map((time) => Date.parse(time)).filter((time) => time <= now.getTime());
  return passed.length === 0 ? now : new Date(Math.max(...passed));
}
