/** A glyph as a single stroke: a path on a grid ten units high, and its width. */
interface Glyph {
  readonly width: number;
  readonly path: string;
}

/** Letters as shapes, so that no drawing depends on the fonts of the machine that renders it. */
const GLYPHS: Readonly<Record<string, Glyph>> = {
  A: { width: 8.4, path: 'M0 10L4.2 0L8.4 10M1.7 6.4H6.7' },
  B: { width: 6.6, path: 'M0 0V10H3.8A2.75 2.75 0 0 0 3.8 4.6H0M3.4 4.6A2.3 2.3 0 0 0 3.4 0H0' },
  C: { width: 8, path: 'M8 1.9A5 5 0 1 0 8 8.1' },
  D: { width: 7.6, path: 'M0 0V10H2.6A5 5 0 0 0 2.6 0Z' },
  E: { width: 5.6, path: 'M5.6 0H0V10H5.6M0 5H4.8' },
  F: { width: 5.6, path: 'M5.6 0H0V10M0 5H4.8' },
  G: { width: 8.6, path: 'M8 1.9A5 5 0 1 0 8.6 7.4V5.4H5.4' },
  H: { width: 7, path: 'M0 0V10M7 0V10M0 5H7' },
  I: { width: 0, path: 'M0 0V10' },
  K: { width: 6.6, path: 'M0 0V10M6.3 0L0 6M2.3 4L6.6 10' },
  L: { width: 5.2, path: 'M0 0V10H5.2' },
  M: { width: 9, path: 'M0 10V0L4.5 6.6L9 0V10' },
  N: { width: 7.2, path: 'M0 10V0L7.2 10V0' },
  O: { width: 10, path: 'M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0Z' },
  P: { width: 6.3, path: 'M0 10V0H3.4A2.9 2.9 0 0 1 3.4 5.8H0' },
  Q: { width: 10, path: 'M5 0A5 5 0 1 0 5 10A5 5 0 1 0 5 0ZM6.4 7L9.4 10.4' },
  R: { width: 6.5, path: 'M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0M3 5.6L6.5 10' },
  S: {
    width: 6.2,
    path: 'M5.8 1.6C5.2.5 4.2 0 3.1 0C1.4 0 .3 1 .3 2.5C.3 5.7 6.2 4.2 6.2 7.5C6.2 9 5 10 3.1 10C1.7 10 .6 9.4 0 8.3',
  },
  T: { width: 7, path: 'M0 0H7M3.5 0V10' },
  U: { width: 7, path: 'M0 0V6.5A3.5 3.5 0 0 0 7 6.5V0' },
  V: { width: 8.2, path: 'M0 0L4.1 10L8.2 0' },
  W: { width: 11.6, path: 'M0 0L2.9 10L5.8 1.4L8.7 10L11.6 0' },
  Y: { width: 7.6, path: 'M0 0L3.8 5.2L7.6 0M3.8 5.2V10' },
  0: { width: 6, path: 'M3 0A3 3.4 0 0 0 0 3.4V6.6A3 3.4 0 0 0 6 6.6V3.4A3 3.4 0 0 0 3 0Z' },
  1: { width: 2.8, path: 'M0 2.2L2.8 0V10' },
  2: { width: 6, path: 'M.2 2.8A2.9 2.9 0 0 1 5.9 2.9C5.9 5 1.6 7.4 0 10H6' },
  3: { width: 6, path: 'M.4 0H5.6L2.6 4A3 3 0 1 1 .1 8.2' },
  4: { width: 6.2, path: 'M4.6 10V0L0 7H6.2' },
  5: { width: 6, path: 'M5.5 0H1.1L.6 4.6A3.1 3.1 0 1 1 .1 8.4' },
  6: { width: 6, path: 'M5 .2C2 1.4 0 4 0 7A3 3 0 1 0 3 4A3 3 0 0 0 0 7' },
  7: { width: 6, path: 'M0 0H6L2 10' },
  8: { width: 6, path: 'M3 4.6A2.3 2.3 0 1 0 3 0A2.3 2.3 0 1 0 3 4.6A2.7 2.7 0 1 0 3 10A2.7 2.7 0 1 0 3 4.6Z' },
  9: { width: 6, path: 'M1 9.8C4 8.6 6 6 6 3A3 3 0 1 0 3 6A3 3 0 0 0 6 3' },
  ':': { width: 0, path: 'M0 3V3.01M0 7.2V7.21' },
};

export interface Lettering {
  readonly text: string;
  /** Left edge, or the middle where `isCentred`. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly stroke: number;
  readonly colour: string;
  readonly isCentred?: boolean;
  /** Space between letters, in tenths of the height. */
  readonly spacing?: number;
}

function widthOf(text: string, height: number, spacing: number): number {
  const widths = text.split('').map((letter) => glyphOf(letter).width);
  return ((widths.reduce((sum, width) => sum + width, 0) + spacing * (widths.length - 1)) * height) / 10;
}

/** Draws a text as strokes with round ends. */
export function drawLetters(lettering: Lettering): string {
  const { text, y, height, stroke, colour, isCentred = false, spacing = 2.6 } = lettering;
  const scale = height / 10;
  let left = isCentred ? lettering.x - widthOf(text, height, spacing) / 2 : lettering.x;
  const letters = text.split('').map((letter) => {
    const glyph = glyphOf(letter);
    const drawn = `<path transform="translate(${round(left)} ${round(y)}) scale(${round(scale)})" d="${glyph.path}"/>`;
    left += (glyph.width + spacing) * scale;
    return drawn;
  });
  const width = round(stroke / scale);
  return `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${letters.join('')}</g>`;
}

function glyphOf(letter: string): Glyph {
  const glyph = GLYPHS[letter];
  if (glyph === undefined) throw new RangeError(`no shape for the letter ${JSON.stringify(letter)}`);
  return glyph;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
