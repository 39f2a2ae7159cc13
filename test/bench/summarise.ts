export interface Summary {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) throw new RangeError('expected at least one value');
  return {
    median: quantile(sorted, 0.5),
    lowest: sorted[0] as number,
    highest: sorted.at(-1) as number,
  };
}

/** The value below which a share of the sorted values lies; between two, that much of the way. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * Milliseconds of two rivals, run in turns so that other work of the machine meets both, as one ratio a round: how
 * many times longer `slow` takes.
 */
export function compareInTurns(slow: () => void, quick: () => void, roundCount: number): readonly number[] {
  const ratios: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const first = timeOf(slow);
    const second = timeOf(quick);
    ratios.push(first / second);
  }
  return ratios;
}

export function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
