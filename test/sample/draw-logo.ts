import { drawLetters } from './letters.ts';
import { area, circleAt, line, rectangle } from './svg-shape.ts';

export const NETWORK_LOGO = { width: 400, height: 200 } as const;
export const RETAILER_LOGO = { width: 200, height: 200 } as const;

/** Draws the logo of a network: a sign and the name, on a plate twice as wide as high (spec §2.10). */
export function drawNetworkLogo(slug: string): string {
  const logo = NETWORK_LOGOS[slug];
  if (logo === undefined) throw new RangeError(`no logo of the network ${slug}`);
  const { width, height } = NETWORK_LOGO;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    rectangle(0, 0, width, height, 28, logo.ground),
    `<g transform="translate(200 66)">${logo.sign}</g>`,
    drawLetters({
      text: logo.text,
      x: 200,
      y: 130,
      height: 36,
      stroke: logo.stroke,
      colour: logo.ink,
      isCentred: true,
      spacing: 3.1,
    }),
    '</svg>',
  ].join('');
}

/** Draws the badge of a retailer: a sign on a square plate. */
export function drawRetailerLogo(slug: string): string {
  const logo = RETAILER_LOGOS[slug];
  if (logo === undefined) throw new RangeError(`no logo of the retailer ${slug}`);
  const { width, height } = RETAILER_LOGO;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    rectangle(0, 0, width, height, 44, logo.ground),
    `<g transform="translate(100 100)">${logo.sign}</g>`,
    '</svg>',
  ].join('');
}

interface NetworkLogo {
  readonly text: string;
  readonly ground: string;
  readonly ink: string;
  readonly stroke: number;
  /** Drawn around its middle, about 80 units wide and high. */
  readonly sign: string;
}

const NETWORK_LOGOS: Readonly<Record<string, NetworkLogo>> = {
  northway: {
    text: 'NORTHWAY',
    ground: '#10294f',
    ink: '#ffffff',
    stroke: 6,
    sign: area('M0-42L26 34L0 18L-26 34Z', '#f3b23c') + area('M0-42L0 18L-26 34Z', '#ffd98a'),
  },
  tideline: {
    text: 'TIDELINE',
    ground: '#0c7fa6',
    ink: '#ffffff',
    stroke: 5,
    sign:
      line('M-56-14C-38-36-20-36 0-14S38 8 56-14', '#ffffff', 11) +
      line('M-56 20C-38-2-20-2 0 20S38 42 56 20', '#a9e4f4', 11),
  },
  corvane: {
    text: 'CORVANE',
    ground: '#4b1d6b',
    ink: '#ffffff',
    stroke: 7,
    sign: area('M-54-30L0 38L54-30L24-18L0 10L-24-18Z', '#ff7ab2') + area('M-18-38H18L0-12Z', '#ffc2dc'),
  },
  quartet: {
    text: 'QUARTET',
    ground: '#f1f2f5',
    ink: '#20242c',
    stroke: 6.5,
    sign:
      rectangle(-40, -40, 36, 36, 10, '#e2453c') +
      rectangle(4, -40, 36, 36, 18, '#f2b632') +
      rectangle(-40, 4, 36, 36, 18, '#2f8f6b') +
      rectangle(4, 4, 36, 36, 10, '#2f62b5'),
  },
  fernlink: {
    text: 'FERNLINK',
    ground: '#1f5b43',
    ink: '#eaf6dc',
    stroke: 5,
    sign:
      line('M0 40V-36', '#b8e08a', 7) +
      line('M0 24C-30 22-40 4-42-8M0 24C30 22 40 4 42-8M0 0C-22-2-30-14-32-26M0 0C22-2 30-14 32-26', '#b8e08a', 8) +
      circleAt(0, -40, 7, '#eaf6dc'),
  },
  beckside: {
    text: 'BECKSIDE',
    ground: '#dff1f4',
    ink: '#17506b',
    stroke: 5.5,
    sign:
      area('M0-44C20-14 34 0 34 16A34 30 0 0 1-34 16C-34 0-20-14 0-44Z', '#2b8cb3') +
      line('M-18 18C-8 6 4 30 18 16', '#ffffff', 7),
  },
  emberly: {
    text: 'EMBERLY',
    ground: '#2a1512',
    ink: '#ffe2c4',
    stroke: 6,
    sign:
      area('M4-46C10-18 40-8 34 20C30 44-30 46-34 18C-36 0-22-8-20-24C-10-20-8-12-6-4C2-14 6-28 4-46Z', '#f0592b') +
      area('M4 0C8 12 18 14 15 26C12 38-14 38-16 24C-17 14-8 10-6 2C-2 6 0 8 0 12C3 8 4 4 4 0Z', '#ffc65c'),
  },
  larkcall: {
    text: 'LARKCALL',
    ground: '#f7c93e',
    ink: '#2b2416',
    stroke: 6,
    sign:
      area('M-46 10C-30-26 10-34 24-14L44-20L30 0C24 30-10 40-34 26C-20 26-10 20-6 12C-18 16-34 16-46 10Z', '#2b2416') +
      circleAt(18, -10, 4, '#f7c93e') +
      line('M52-34A22 22 0 0 1 56 0', '#2b2416', 6),
  },
  moorland: {
    text: 'MOORLAND',
    ground: '#7a5c8e',
    ink: '#ffffff',
    stroke: 5.5,
    sign:
      circleAt(20, -18, 17, '#f6d7a0') +
      area('M-62 36C-44-16-14-16 8 36Z', '#4c3960') +
      area('M-22 36C-4 0 34-2 60 36Z', '#a487b8'),
  },
};

interface RetailerLogo {
  readonly ground: string;
  /** Drawn around its middle, about 130 units wide and high. */
  readonly sign: string;
}

const RETAILER_LOGOS: Readonly<Record<string, RetailerLogo>> = {
  // An anchor.
  'handset-harbour': {
    ground: '#12395b',
    sign:
      `<circle cx="0" cy="-48" r="14" fill="none" stroke="#fff" stroke-width="11"/>` +
      line('M0-32V58M-26-10H26M-56 18C-52 46-28 58 0 58C28 58 52 46 56 18', '#ffffff', 12),
  },
  // A phone and a hammer's head.
  phonewright: {
    ground: '#c8502f',
    sign:
      rectangle(-32, -62, 64, 124, 14, '#fff4e6') +
      rectangle(-22, -46, 44, 84, 5, '#c8502f') +
      circleAt(0, 50, 5, '#c8502f') +
      line('M-14 26L12-16', '#fff4e6', 9) +
      line('M-4-30L22-14', '#fff4e6', 16),
  },
  // The dial of an old telephone.
  dialstone: {
    ground: '#3c4a46',
    sign:
      `<circle r="58" fill="#dfe7d9"/><circle r="22" fill="#3c4a46"/>` +
      Array.from({ length: 8 }, (_, i) => {
        const angle = ((i + 0.5) * Math.PI) / 5 - Math.PI * 0.35;
        return circleAt(40 * Math.cos(angle), 40 * Math.sin(angle), 8.5, '#3c4a46');
      }).join(''),
  },
  // Rings that travel outwards.
  'ringfield-mobiles': {
    ground: '#2f8f6b',
    sign:
      circleAt(-34, 34, 17, '#ffffff') +
      line('M-34-8A42 42 0 0 1 8 34', '#ffffff', 13) +
      line('M-34-40A74 74 0 0 1 40 34', '#ffffff', 13, 0.7),
  },
  // A berry and its leaf.
  'bramble-mobiles': {
    ground: '#f1e4ef',
    sign:
      [
        [0, -6],
        [-24, 2],
        [24, 2],
        [-13, 22],
        [13, 22],
        [0, 42],
        [-30, -18],
        [30, -18],
      ]
        .map(([x = 0, y = 0], i) => circleAt(x, y, 18, i % 2 === 0 ? '#6a2a63' : '#823a7a'))
        .join('') +
      area('M0-26C-8-58-34-62-48-52C-44-32-24-22 0-26ZM0-26C8-58 34-62 48-52C44-32 24-22 0-26Z', '#4f8a4a'),
  },
  // The network's wave above a shopping bag.
  'tideline-store': {
    ground: '#0c7fa6',
    sign:
      area('M-46-16H46L54 60H-54Z', '#ffffff') +
      line('M-24-14V-32A24 24 0 0 1 24-32V-14', '#ffffff', 11) +
      line('M-34 22C-22 6-12 6 0 22S22 38 34 22', '#0c7fa6', 10),
  },
  // The network's needle, on the move.
  'northway-direct': {
    ground: '#10294f',
    sign:
      `<g transform="rotate(45)">${area('M0-62L34 46L0 24L-34 46Z', '#f3b23c')}${area('M0-62V24L-34 46Z', '#ffd98a')}</g>` +
      line('M-62 8H-40M-52 34H-30', '#ffffff', 9),
  },
  // Two rings that hold each other.
  secondring: {
    ground: '#e8f0e2',
    sign:
      `<circle cx="-20" cy="0" r="38" fill="none" stroke="#3a7d5d" stroke-width="15"/>` +
      `<circle cx="22" cy="0" r="38" fill="none" stroke="#e08a3c" stroke-width="15"/>` +
      line('M-3-34A38 38 0 0 1 17 8', '#3a7d5d', 15),
  },
};
