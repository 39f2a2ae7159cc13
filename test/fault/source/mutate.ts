import type { Random } from './random.ts';

/** What readers stumble over, to be put anywhere. */
const TOKENS = [
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r\n',
  '\r',
  '\0',
  '\ufeff',
  '\\',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ':',
  'null',
  '1e999',
  '-0',
  '0x10',
  '9007199254740993',
  '__proto__',
  'constructor',
  'toString',
  '"__proto__":{"x":1},',
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '&a;',
  '&#x0;',
  '&#x110000;',
  '&amp;',
  '<?xml version="1.0" encoding="utf-16"?>',
  'xmlns:g="x"',
  '<item>',
  '</item>',
  '<rss>',
  '\xff\xfe',
  '\xc0\x80',
  '\xed\xa0\x80',
  '\u2028',
  'javascript:',
  '%00',
  '../',
  '=cmd|',
  '\t',
  '|',
  'unlimited',
  '£',
  '{{{{{{{{',
  '[[[[[[[[',
  "'",
  '%',
].map((token) => Buffer.from(token, /[\x80-\xff]/.test(token) && !/[\u0100-\uffff]/.test(token) ? 'latin1' : 'utf8'));

/** Small, so that many can be tried: what is wrong with large files are the bounds, which have tests of their own. */
const MAX_BYTES = 1_500;

/** One of the sound inputs, damaged in one to eight places. */
export function mutate(random: Random, sound: readonly Buffer[]): Buffer {
  const pick = () => sound[random(sound.length)] as Buffer;
  let bytes: Buffer = Buffer.from(pick());
  const times = 1 + random(8);
  for (let i = 0; i < times; i++) bytes = damage(random, bytes, pick);
  return bytes.subarray(0, MAX_BYTES);
}

function damage(random: Random, bytes: Buffer, pick: () => Buffer): Buffer {
  const at = random(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + random(random(2) === 0 ? 4 : 64));
  const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random(9)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] as number) ^ (1 << random(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, Buffer.from([random(256)]), after]);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return before;
    case 4:
      return Buffer.concat([before, ...Array.from({ length: 2 + random(30) }, () => piece), after]);
    case 5: {
      const other = pick();
      const from = random(other.length);
      return Buffer.concat([before, other.subarray(from, from + random(200)), after]);
    }
    case 6:
      return Buffer.concat([piece, before, after]);
    default: {
      const token = TOKENS[random(TOKENS.length)] as Buffer;
      return Buffer.concat([
        before,
        ...Array.from({ length: random(8) === 0 ? 1 + random(60) : 1 }, () => token),
        after,
      ]);
    }
  }
}
