import { describe, expect, it } from 'vitest';
import { EncodingNegotiator } from '../../../../server/http/compression.ts';

describe('the memory of encodings', () => {
  it('gives the same encoding for the same text', () => {
    const memory = new EncodingNegotiator();
    expect(memory.negotiate(undefined)).toBe('identity');
    expect(memory.negotiate('gzip;q=1, br;q=0')).toBe('gzip');
    expect(memory.negotiate('gzip;q=1, br;q=0')).toBe('gzip');
    expect(memory.size).toBe(1);
  });

  it('keeps a bounded number of texts, none of them long', () => {
    const memory = new EncodingNegotiator();
    for (let i = 0; i < 1_000; i++) {
      expect(memory.negotiate(`gzip, x${i}`)).toBe('gzip');
      expect(memory.size).toBeLessThanOrEqual(100);
    }
    const before = memory.size;
    expect(memory.negotiate(`gzip, ${'x'.repeat(1_000)}`)).toBe('gzip');
    expect(memory.size).toBe(before);
  });
});
