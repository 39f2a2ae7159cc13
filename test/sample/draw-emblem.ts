import type { MakerSlug } from './maker.ts';

/** The makers' emblems, on a grid ten units wide and high, around its middle. */
const EMBLEMS = {
  // A wing.
  kestrel:
    'M-5 2C-3-3 1-4.5 5-4.5C4-2.6 3-1.8 1.4-1.2C2.6-1.1 3.4-1.2 4.2-1.5C3.2.6 1.6 1.4-.2 1.7C.7 2 1.4 2 2.2 1.8C.6 4-2.2 4.4-5 2Z',
  // A rising sun.
  aurel:
    'M-4 2.4A4 4 0 0 1 4 2.4ZM-4.6 3.4H4.6V4.4H-4.6ZM-.5-4.6H.5V-2.6H-.5ZM-4.3-2.9L-3.5-3.6L-2.4-2.2L-3.1-1.6ZM4.3-2.9L3.5-3.6L2.4-2.2L3.1-1.6Z',
  // Two peaks.
  halden: 'M-5 4L-1.4-3.6L.4 0L1.8-2.4L5 4Z',
  // An iris.
  mirrin: 'M-5 0C-2.6-4 2.6-4 5 0C2.6 4-2.6 4-5 0ZM0-2.2A2.2 2.2 0 1 0 0 2.2A2.2 2.2 0 1 0 0-2.2Z',
  // A bell flower.
  tamsin: 'M0-4.6C3-4.6 3.4-1 3.6 1.2L5 3H-5L-3.6 1.2C-3.4-1-3-4.6 0-4.6ZM-1.2 3.6H1.2A1.2 1.2 0 0 1-1.2 3.6Z',
  // An evening star.
  vesper: 'M0-5C.6-1.4 1.4-.6 5 0C1.4.6.6 1.4 0 5C-.6 1.4-1.4.6-5 0C-1.4-.6-.6-1.4 0-5Z',
  // A leaf.
  wren: 'M-4.4 4.4C-5-1.6-1-4.8 4.6-4.6C4.8 1.2 1.6 4.8-2.6 3.4L1.4-1.2L-3.4 3Z',
} satisfies Record<MakerSlug, string>;

export function drawEmblem(maker: MakerSlug, x: number, y: number, size: number, colour: string): string {
  return `<path transform="translate(${x} ${y}) scale(${size / 10})" d="${EMBLEMS[maker]}" fill="${colour}" fill-rule="evenodd"/>`;
}
