/** A 53-bit hash of a text (cyrb53): two multiplicative hashes side by side, mixed at the end. */
export function hashText(text: string): number {
  let high = 0xdead_beef;
  let low = 0x41c6_ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e37_79b1);
    low = Math.imul(low ^ unit, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  return 0x1_0000_0000 * (low & 0x1f_ffff) + (high >>> 0);
}
