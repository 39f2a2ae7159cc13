import type { Random } from '../oracle/random.ts';

const KEYBOARD_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const SLIPS = {
  'a letter or digit dropped': (text, at) => text.slice(0, at) + text.slice(at + 1),
  'a letter or digit doubled': (text, at) => text.slice(0, at + 1) + text.slice(at),
  'two letters or digits swapped': (text, at) => {
    const after = text[at + 1];
    return after === undefined ? text : text.slice(0, at) + after + text.charAt(at) + text.slice(at + 2);
  },
  'the neighbouring key': (text, at, random) =>
    text.slice(0, at) + neighbourOf(text.charAt(at), random) + text.slice(at + 1),
} as const satisfies Record<string, (text: string, at: number, random: Random) => string>;

export type Slip = keyof typeof SLIPS;

export const SLIP_KINDS = Object.keys(SLIPS) as Slip[];

/** The text with one slip of the typing in a letter or digit. */
export function slip(kind: Slip, text: string, random: Random): string {
  const positions = [...text.matchAll(/[a-z0-9]/gi)].map(({ index }) => index);
  return SLIPS[kind](text, random.pick(positions), random);
}

function neighbourOf(character: string, random: Random): string {
  const row = KEYBOARD_ROWS.find((keys) => keys.includes(character.toLowerCase())) ?? '';
  const at = row.indexOf(character.toLowerCase());
  const neighbour = random.pick([row[at - 1], row[at + 1]].filter((key) => key !== undefined));
  return character === character.toUpperCase() ? neighbour.toUpperCase() : neighbour;
}
