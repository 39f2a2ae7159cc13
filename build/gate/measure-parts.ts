import type { DealFigures } from '../../data/report/summary.ts';
import { NOTHING_KEPT, type KeptDeals, type KeptParts } from '../catalogue/compare-deals.ts';
import type { ComparedFeed } from './compare-sources.ts';
import { isBeyond, nearnessOf, worstOf, type GateInput, type Measuring } from './gate-input.ts';

/** What the deals of a source divide into. */
export type PartKind = 'retailer' | 'network';

/** All deals of a source, or those of a retailer or network in it, as they were and as they are. */
export interface ComparedPart {
  readonly kind: 'source' | PartKind;
  readonly before: DealFigures;
  /** Absent where it has no deal any more. */
  readonly now: DealFigures | undefined;
  readonly kept: KeptDeals;
  /** How many days have passed since the source was read. */
  readonly days: number;
}

/**
 * The measure of a source if it is beyond its limit, else that of its retailer or network that is furthest beyond: what
 * is wrong with all of a source is wrong with its parts.
 */
export function measureSourceAndParts(
  input: GateInput,
  feed: ComparedFeed,
  measure: (part: ComparedPart) => Measuring,
): Measuring {
  const { name, before, now, days } = feed;
  const kept = input.comparison.feeds.get(name);
  const whole = measure({ kind: 'source', before, now, kept: kept?.all ?? NOTHING_KEPT, days });
  if ('measured' in whole && isBeyond(whole)) return whole;
  const kinds: readonly PartKind[] = ['retailer', 'network'];
  return worstOf([whole, ...kinds.map((kind) => measureWorstPart(kind, feed, kept, input.settings.minRows, measure))]);
}

/**
 * The measure of the retailer or network of a source that is furthest beyond its limit, or nearest to it, of those that
 * had at least `minRows` deals; it names the part.
 */
export function measureWorstPart(
  kind: PartKind,
  { before, now, days }: ComparedFeed,
  kept: KeptParts | undefined,
  minRows: number,
  measure: (part: ComparedPart) => Measuring,
): Measuring {
  const list = kind === 'retailer' ? 'retailers' : 'networks';
  const after = new Map(now[list].map((part) => [part.id, part]));
  const measures = before[list]
    .filter(({ deals }) => deals >= minRows)
    .flatMap((part) => {
      const keptOfPart = kept?.[list].get(part.id) ?? NOTHING_KEPT;
      const measuring = measure({ kind, before: part, now: after.get(part.id), kept: keptOfPart, days });
      return 'silent' in measuring ? [] : [{ slug: part.slug, ...measuring }];
    })
    .sort((a, b) => Number(nearnessOf(b) > nearnessOf(a)) - Number(nearnessOf(b) < nearnessOf(a)));
  const [worst, ...others] = measures;
  if (worst === undefined) return { silent: `no ${kind} with ${minRows} deals before to compare` };
  const refusedCount = others.filter((other) => isBeyond(other)).length;
  const more = refusedCount > 0 ? `; ${refusedCount} more are like it` : '';
  const { slug, measured, limit, detail } = worst;
  return { measured, limit, detail: `${kind} ${slug}: ${detail}${more}` };
}
