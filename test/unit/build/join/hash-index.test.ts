import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashIndex } from '../../../../build/join/hash-index.ts';

describe('an index of hashes', () => {
  it('finds the last row of each hash, and nothing for others, with any room at its start', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.array(fc.nat(60), { maxLength: 60 }), (room, hashes) => {
        // Zero counts as one, which no other hash here is.
        const rows = new Map(hashes.map((hash, row) => [hash * 2 ** 40, row]));
        const index = new HashIndex(room);
        for (const [row, hash] of hashes.entries()) index.set(hash * 2 ** 40, row);
        expect(index.size).toBe(rows.size);
        for (let hash = 0; hash <= 61; hash++) expect(index.get(hash * 2 ** 40)).toBe(rows.get(hash * 2 ** 40));
      }),
    );
  });
});
