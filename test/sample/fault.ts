/** What a build does with a record (the sample's README tells it for each intentional fault). */
export type Outcome = 'served' | 'served with a notice' | 'duplicate' | 'out of scope' | 'quarantined';

/** A record that is wrong, or odd, on purpose. */
export interface Fault {
  readonly file: string;
  /** Absent where the place is a record of a JSON file. */
  readonly line?: number;
  readonly id: string;
  readonly what: string;
  readonly outcome: Outcome;
}

/** Puts the odd rows between the sound ones, spread over the whole file. */
export function spread<Row>(sound: readonly Row[], odd: readonly Row[]): readonly Row[] {
  const rows: Row[] = [];
  const step = sound.length / (odd.length + 1);
  let next = 0;
  for (const [i, row] of sound.entries()) {
    const oddRow = odd[next];
    if (oddRow !== undefined && i >= step * (next + 1)) {
      rows.push(oddRow);
      next += 1;
    }
    rows.push(row);
  }
  return rows.concat(odd.slice(next));
}
