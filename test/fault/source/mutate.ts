import type { Random } from '../../support/random.ts';

/** What readers stumble over, to be put anywhere. */
const TOKENS = [
  ...'" "" , ; \\ \\u0000 \\ud800 { } [ ] : null 1e999 -0 0x10 9007199254740993 __proto__ constructor toString'.split(
    ' ',
  ),
  ...'"__proto__":{"x":1}, < > </ /> <!-- --> <![CDATA[ ]]> &a; &#x0; &#x110000; &amp; xmlns:g="x" <item> </item>'.split(
    ' ',
  ),
  ..."<rss> javascript: %00 ../ =cmd| | unlimited {{{{{{{{ [[[[[[[[ ' %".split(' '),
  ...'\n|\r\n|\r|\t|\0|\ufeff|\u2028|£|<!DOCTYPE x [<!ENTITY a "b">]>'.split('|'),
  '<?xml version="1.0" encoding="utf-16"?>',
]
  .map((token) => Buffer.from(token))
  .concat(['\xff\xfe', '\xc0\x80', '\xed\xa0\x80'].map((bytes) => Buffer.from(bytes, 'latin1')));

/** Small, so that many can be tried: what is wrong with large files are the bounds, which have tests of their own. */
const MAX_BYTES = 1_500;

/** One of the sound inputs, damaged in one to eight places. */
export function mutate(random: Random, sound: readonly Buffer[]): Buffer {
  const pick = () => sound[random.below(sound.length)] as Buffer;
  let bytes: Buffer = Buffer.from(pick());
  const times = 1 + random.below(8);
  for (let i = 0; i < times; i++) bytes = damage(random, bytes, pick);
  return bytes.subarray(0, MAX_BYTES);
}

function damage(random: Random, bytes: Buffer, pick: () => Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random.below(random.below(2) === 0 ? 4 : 64));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random.below(9)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] as number) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, Buffer.from([random.below(256)]), after]);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return before;
    case 4:
      return Buffer.concat([before, ...Array.from({ length: 2 + random.below(30) }, () => piece), after]);
    case 5: {
      const other = pick();
      const from = random.below(other.length);
      return Buffer.concat([before, other.subarray(from, from + random.below(200)), after]);
    }
    case 6:
      return Buffer.concat([piece, before, after]);
    default: {
      const token = TOKENS[random.below(TOKENS.length)] as Buffer;
      return Buffer.concat([
        before,
        ...Array.from({ length: random.below(8) === 0 ? 1 + random.below(60) : 1 }, () => token),
        after,
      ]);
    }
  }
}
