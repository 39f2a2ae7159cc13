import type { DealFigures, FeedSummary } from '../../data/report/summary.ts';
import type { Measure, Measuring } from './gate-input.ts';

/** What the deals of a source divide into. */
export type PartKind = 'retailer' | 'network';

/**
 * The measure of the retailer or network of a source that is furthest beyond its limit, or nearest to it, of those that
 * had at least `minRows` deals; it names the part.
 */
export function measureWorstPart(
  kind: PartKind,
  before: FeedSummary,
  now: FeedSummary,
  minRows: number,
  measure: (before: DealFigures, now: DealFigures | undefined) => Measuring,
): Measuring {
  const list = kind === 'retailer' ? 'retailers' : 'networks';
  const after = new Map(now[list].map((part) => [part.id, part]));
  const measures = before[list]
    .filter(({ deals }) => deals >= minRows)
    .flatMap((part) => {
      const measuring = measure(part, after.get(part.id));
      return 'silent' in measuring ? [] : [{ slug: part.slug, ...measuring }];
    })
    .sort((a, b) => excessOf(b) - excessOf(a));
  const [worst, ...others] = measures;
  if (worst === undefined) return { silent: `no ${kind} with ${minRows} deals before to compare` };
  const refusedCount = others.filter((other) => excessOf(other) > 0).length;
  const more = refusedCount > 0 ? `; ${refusedCount} more are like it` : '';
  const { slug, measured, limit, detail } = worst;
  return { measured, limit, detail: `${kind} ${JSON.stringify(slug)}: ${detail}${more}` };
}

function excessOf({ measured, limit }: Measure): number {
  return measured - limit;
}
