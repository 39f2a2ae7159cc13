import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { EncodingNegotiator } from '../../../../server/http/compression.ts';

/** Of a request, only its headers are read. */
const requestWith = (text: string) => ({ headers: { 'accept-encoding': text } }) as unknown as IncomingMessage;

describe('the memory of encodings', () => {
  it('knows a text only after it was negotiated, and none without asking', () => {
    const memory = new EncodingNegotiator();
    expect(memory.findKnown(undefined)).toBe('identity');
    expect(memory.findKnown('gzip;q=1, br;q=0')).toBeUndefined();
    expect(memory.negotiate(requestWith('gzip;q=1, br;q=0'))).toBe('gzip');
    expect(memory.findKnown('gzip;q=1, br;q=0')).toBe('gzip');
    expect(memory.negotiate(requestWith('gzip;q=1, br;q=0'))).toBe('gzip');
  });

  it('keeps a bounded number of texts, none of them long', () => {
    const memory = new EncodingNegotiator();
    const texts = Array.from({ length: 1_000 }, (_, i) => `gzip, x${i}`);
    for (const text of texts) expect(memory.negotiate(requestWith(text))).toBe('gzip');
    expect(texts.filter((text) => memory.findKnown(text) !== undefined).length).toBeLessThanOrEqual(100);
    const long = `gzip, ${'x'.repeat(1_000)}`;
    expect(memory.negotiate(requestWith(long))).toBe('gzip');
    expect(memory.findKnown(long)).toBeUndefined();
  });
});
