import type { Random } from './random.ts';

/**
 * Bytes with one damage at a random place: a bit is flipped, a piece is taken away, zeroed, repeated or put first, the rest
 * is cut off, or noise or one of `tokens` is put in.
 */
export function damageBytes(random: Random, bytes: Buffer, tokens: readonly Buffer[] = []): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(random.pick([4, 64, 4_096])));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  const repeated = (part: Buffer, most: number) => Array.from({ length: 1 + random.below(most) }, () => part);
  const noise = Buffer.from(Array.from({ length: random.pick([1, 1, 1, 100]) }, () => random.below(256)));
  const ways: readonly (() => readonly Buffer[])[] = [
    () => [before, piece.map((byte, i) => (i === 0 ? byte ^ (1 << random.below(8)) : byte)), after],
    () => [before, after],
    () => [before, Buffer.alloc(piece.length), after],
    () => [before, ...repeated(piece, 30), piece, after],
    () => [piece, before, after],
    () => [before],
    () => [before, noise, piece, after],
    () => [before, noise, after],
    ...[1, 2, 3, 4].map(() => () => {
      const token = tokens.length === 0 ? noise : random.pick(tokens);
      return [before, ...repeated(token, random.isLikely(0.1) ? 60 : 1), piece, after];
    }),
  ].map((way) => () => way().map((part) => Buffer.from(part)));
  return Buffer.concat(random.pick(ways)());
}
