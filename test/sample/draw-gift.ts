import { drawLetters } from './letters.ts';
import { area, circleAt, ellipseAt, gradient, line, rectangle } from './svg-shape.ts';

export const GIFT_PICTURE = { width: 320, height: 400 } as const;

/** Draws a gift as SVG, on a transparent ground. */
export function drawGift(slug: string): string {
  return picture(drawObject(slug));
}

/** Draws two gifts together, for the picture of a category. */
export function drawGiftPair([first, second]: readonly [string, string]): string {
  return picture(
    [
      `<g transform="translate(62 -8) scale(0.74)">${drawObject(first)}</g>`,
      `<g transform="translate(-2 178) scale(0.56)">${drawObject(second)}</g>`,
    ].join(''),
  );
}

function picture(content: string): string {
  const { width, height } = GIFT_PICTURE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

function drawObject(slug: string): string {
  const draw = DRAWINGS[slug];
  if (draw === undefined) throw new RangeError(`no drawing of the gift ${slug}`);
  return draw();
}

const DRAWINGS: Readonly<Record<string, () => string>> = {
  'pebble-earbuds': () =>
    [
      ellipseAt(160, 366, 118, 14, '#000', 0.12),
      gradient('case', ['#f7f3ea', '#d8cfbd']),
      rectangle(44, 196, 232, 166, 70, 'url(#case)'),
      line('M46 262H274', '#b9ae98', 3),
      rectangle(138, 256, 44, 12, 6, '#b9ae98'),
      circleAt(160, 316, 6, '#58b98a'),
      drawEarbud(88, 1),
      drawEarbud(232, -1),
    ].join(''),
  'hush-headphones': () =>
    [
      ellipseAt(160, 372, 116, 13, '#000', 0.12),
      line('M58 250C46 40 274 40 262 250', '#2d3a52', 30),
      line('M66 216C64 66 256 66 254 216', '#46587a', 10),
      rectangle(34, 210, 62, 148, 30, '#2d3a52'),
      rectangle(224, 210, 62, 148, 30, '#2d3a52'),
      rectangle(82, 222, 34, 124, 17, '#d9a066'),
      rectangle(204, 222, 34, 124, 17, '#d9a066'),
      rectangle(44, 240, 12, 80, 6, '#46587a'),
      rectangle(264, 240, 12, 80, 6, '#46587a'),
      circleAt(50, 338, 4, '#d9a066'),
    ].join(''),
  'drift-speaker': () =>
    [
      ellipseAt(160, 376, 96, 12, '#000', 0.12),
      gradient('cloth', ['#f1765f', '#cf4a3c']),
      rectangle(60, 36, 200, 340, 92, 'url(#cloth)'),
      ...Array.from({ length: 7 }, (_, row) => line(`M74 ${104 + row * 34}H246`, '#a83428', 3, 0.55)),
      ellipseAt(160, 86, 66, 24, '#7f241d'),
      ellipseAt(160, 82, 58, 18, '#9c3127'),
      line('M146 82H174M160 74V90', '#f7c9bd', 5),
      rectangle(118, 316, 84, 30, 15, '#7f241d'),
      circleAt(138, 331, 5, '#f7c9bd'),
      circleAt(160, 331, 5, '#f7c9bd', 0.5),
      circleAt(182, 331, 5, '#f7c9bd', 0.5),
      line('M256 190C292 176 292 260 258 252', '#2c2f36', 9),
    ].join(''),
  'tempo-watch': () =>
    [
      gradient('strap', ['#3d6f73', '#274d52']),
      area('M112 8H208L222 118H98Z', 'url(#strap)'),
      area('M112 392H208L222 282H98Z', 'url(#strap)'),
      ...[316, 338, 360].map((y) => rectangle(152, y, 16, 8, 4, '#18363a')),
      rectangle(262, 178, 18, 44, 7, '#8b929c'),
      circleAt(160, 200, 112, '#a6adb7'),
      circleAt(160, 200, 104, '#5d646f'),
      circleAt(160, 200, 98, '#0f1218'),
      ...Array.from({ length: 12 }, (_, hour) => {
        const angle = (hour * Math.PI) / 6;
        return circleAt(160 + 82 * Math.sin(angle), 200 - 82 * Math.cos(angle), hour % 3 === 0 ? 5 : 2.5, '#e9edf3');
      }),
      line('M160 200L128 162', '#e9edf3', 9),
      line('M160 200L206 158', '#e9edf3', 7),
      line('M160 212L148 262', '#f2994a', 3.5),
      circleAt(160, 200, 9, '#f2994a'),
      `<circle cx="160" cy="240" r="19" fill="none" stroke="#2e3440" stroke-width="6"/>`,
      line('M160 221A19 19 0 1 1 143 249', '#58d3a8', 6),
    ].join(''),
  'stride-band': () =>
    [
      ellipseAt(160, 374, 80, 11, '#000', 0.12),
      line('M160 30C62 40 62 360 160 366C258 360 258 40 160 30', '#6c5bd4', 42),
      line('M160 30C62 40 62 360 160 366C258 360 258 40 160 30', '#8a7bea', 14),
      rectangle(106, 96, 108, 214, 46, '#22252d'),
      rectangle(116, 106, 88, 194, 38, '#0e1015'),
      drawLetters({
        text: '8421',
        x: 160,
        y: 138,
        height: 24,
        stroke: 4,
        colour: '#ffffff',
        isCentred: true,
        spacing: 3,
      }),
      `<circle cx="160" cy="216" r="30" fill="none" stroke="#2e3340" stroke-width="9"/>`,
      line('M160 186A30 30 0 1 1 131 208', '#a6e05f', 9),
      area('M160 228L150 218A7 7 0 0 1 160 209A7 7 0 0 1 170 218Z', '#ef6461'),
      line('M136 272H148L155 258L165 286L172 272H184', '#58c7f0', 4),
    ].join(''),
  'pocket-arcade': () =>
    [
      ellipseAt(160, 380, 100, 11, '#000', 0.12),
      gradient('console', ['#ffd45e', '#f0a93a']),
      rectangle(58, 16, 204, 362, 28, '#b9781f'),
      rectangle(58, 12, 204, 360, 28, 'url(#console)'),
      rectangle(78, 34, 164, 150, 14, '#2b2f3a'),
      rectangle(92, 48, 136, 118, 6, '#9ad7c0'),
      rectangle(92, 140, 136, 26, 0, '#4f9d7f'),
      circleAt(202, 74, 13, '#f9e58c'),
      area('M104 140V116H120V128H136V104H152V140Z', '#37795f'),
      rectangle(168, 112, 22, 28, 3, '#e2574c'),
      rectangle(172, 118, 5, 7, 1, '#fff'),
      rectangle(181, 118, 5, 7, 1, '#fff'),
      rectangle(84, 232, 78, 26, 7, '#3a3f4c'),
      rectangle(110, 206, 26, 78, 7, '#3a3f4c'),
      circleAt(190, 262, 19, '#d7443e'),
      circleAt(226, 230, 19, '#d7443e'),
      rectangle(118, 318, 36, 10, 5, '#b9781f'),
      rectangle(168, 318, 36, 10, 5, '#b9781f'),
      ...[0, 1, 2].map((i) => line(`M${206 + i * 12} 352L${214 + i * 12} 334`, '#b9781f', 4)),
    ].join(''),
  'grip-controller': () =>
    [
      ellipseAt(160, 346, 130, 12, '#000', 0.12),
      rectangle(84, 92, 152, 122, 12, '#14161b'),
      rectangle(92, 100, 136, 104, 6, '#3557b7'),
      area('M92 204L140 146L172 182L196 158L228 204Z', '#7fd0e6'),
      circleAt(198, 126, 12, '#ffd66b'),
      area(
        'M70 170C24 170 4 290 20 322C32 346 62 338 84 302Q100 278 160 278T236 302C258 338 288 346 300 322C316 290 296 170 250 170Q240 218 160 218T70 170Z',
        '#3b414d',
      ),
      area(
        'M70 170C24 170 4 290 20 322C10 280 30 184 74 186ZM250 170C296 170 316 290 300 322C310 280 290 184 246 186Z',
        '#596170',
      ),
      circleAt(76, 240, 25, '#22262e'),
      circleAt(76, 236, 18, '#737c8c'),
      circleAt(212, 270, 22, '#22262e'),
      circleAt(212, 266, 16, '#737c8c'),
      circleAt(246, 212, 8, '#f2b632'),
      circleAt(264, 230, 8, '#ea5a4f'),
      circleAt(246, 248, 8, '#34b26b'),
      circleAt(228, 230, 8, '#4b9be8'),
      rectangle(102, 258, 30, 10, 3, '#22262e'),
      rectangle(112, 248, 10, 30, 3, '#22262e'),
    ].join(''),
  'rally-headset': () =>
    [
      ellipseAt(160, 378, 112, 12, '#000', 0.12),
      line('M64 226C50 46 270 46 256 226', '#24272f', 26),
      line('M88 150C104 78 216 78 232 150', '#e0483e', 8),
      rectangle(36, 200, 66, 140, 28, '#24272f'),
      rectangle(218, 200, 66, 140, 28, '#24272f'),
      rectangle(90, 212, 32, 116, 16, '#e0483e'),
      rectangle(198, 212, 32, 116, 16, '#e0483e'),
      area('M50 236H72L62 262H76L46 304L54 270H42Z', '#e0483e'),
      area('M248 236H270L260 262H274L244 304L252 270H240Z', '#e0483e'),
      line('M62 334C70 378 104 372 134 366', '#3d424d', 9),
      rectangle(128, 352, 50, 26, 13, '#24272f'),
      circleAt(164, 365, 5, '#e0483e'),
    ].join(''),
  'glow-bulbs': () =>
    [
      ellipseAt(160, 372, 132, 12, '#000', 0.12),
      drawBulb(80, 166, 0.76, '#8fd3f5', '#d9f2fd'),
      drawBulb(240, 166, 0.76, '#c9a2ee', '#efe2fb'),
      drawBulb(160, 112, 1.06, '#ffc94d', '#fff0bf'),
    ].join(''),
  'castaway-tv-stick': () =>
    [
      ellipseAt(150, 376, 108, 12, '#000', 0.12),
      gradient('stick', ['#2f3540', '#1a1e26']),
      rectangle(52, 30, 62, 30, 4, '#b8bec8'),
      rectangle(62, 38, 42, 12, 2, '#7c8490'),
      rectangle(40, 56, 86, 316, 22, 'url(#stick)'),
      area('M66 196A26 26 0 0 1 100 196L83 216Z', '#f2994a'),
      line('M60 186A36 36 0 0 1 106 186', '#f2994a', 6),
      circleAt(83, 344, 5, '#58d3a8'),
      gradient('remote', ['#f4f5f7', '#cfd4db']),
      rectangle(170, 82, 96, 290, 40, '#aab1bb'),
      rectangle(170, 78, 96, 288, 40, 'url(#remote)'),
      `<circle cx="218" cy="146" r="30" fill="none" stroke="#3a414e" stroke-width="15"/>`,
      circleAt(218, 146, 11, '#3a414e'),
      circleAt(196, 212, 12, '#3a414e'),
      circleAt(240, 212, 12, '#3a414e'),
      rectangle(184, 240, 24, 62, 12, '#3a414e'),
      circleAt(240, 252, 12, '#e2574c'),
      circleAt(240, 290, 12, '#3a414e'),
    ].join(''),
  'spare-power-bank': () =>
    [
      ellipseAt(160, 378, 92, 12, '#000', 0.12),
      gradient('bank', ['#3aa17e', '#23705a']),
      rectangle(78, 62, 164, 314, 26, '#185243'),
      rectangle(78, 56, 164, 314, 26, 'url(#bank)'),
      rectangle(110, 40, 36, 22, 3, '#b8bec8'),
      rectangle(174, 40, 36, 22, 3, '#b8bec8'),
      ...[0, 1, 2, 3].map((i) => circleAt(124 + i * 24, 100, 7, i < 3 ? '#e8ffd0' : '#1d5c4a')),
      area('M172 148L120 232H156L142 296L202 204H164Z', '#f7d967'),
      line('M128 40C128 -6 250 -6 252 70V250', '#2a2e37', 9),
      rectangle(240, 246, 24, 40, 6, '#2a2e37'),
      rectangle(245, 284, 14, 14, 2, '#b8bec8'),
    ].join(''),
  'snapback-camera': () =>
    [
      ellipseAt(160, 384, 100, 10, '#000', 0.12),
      rectangle(92, 226, 136, 154, 6, '#d9dce2'),
      rectangle(92, 222, 136, 152, 6, '#ffffff'),
      rectangle(104, 226, 112, 108, 3, '#8ec9ee'),
      area('M104 334V300L140 266L166 296L184 278L216 310V334Z', '#4f9d7f'),
      circleAt(190, 254, 11, '#ffd66b'),
      gradient('camera', ['#fdf6ea', '#e7d8bf']),
      rectangle(26, 42, 268, 204, 40, '#c7b493'),
      rectangle(26, 36, 268, 204, 40, 'url(#camera)'),
      rectangle(26, 150, 268, 12, 0, '#ef6f6c'),
      rectangle(26, 162, 268, 12, 0, '#f2b65c'),
      rectangle(26, 174, 268, 12, 0, '#58a9a5'),
      circleAt(160, 138, 70, '#2b2f3a'),
      circleAt(160, 138, 58, '#474d5b'),
      circleAt(160, 138, 42, '#161922'),
      circleAt(160, 138, 25, '#2f4a7a'),
      circleAt(149, 126, 8, '#dbe7fb'),
      rectangle(214, 60, 54, 38, 10, '#2b2f3a'),
      rectangle(221, 67, 40, 24, 6, '#fff3cf'),
      circleAt(66, 82, 19, '#d7443e'),
      rectangle(54, 214, 212, 12, 6, '#3a3329'),
    ].join(''),
  'market-square-gift-card-50': () =>
    [
      ellipseAt(160, 330, 124, 12, '#000', 0.12),
      `<g transform="rotate(-9 160 200)">`,
      rectangle(22, 112, 276, 178, 22, '#12695f'),
      gradient('card', ['#2aa795', '#17796c']),
      rectangle(22, 106, 276, 178, 22, 'url(#card)'),
      rectangle(232, 106, 26, 178, 0, '#ffd66b'),
      rectangle(22, 224, 276, 22, 0, '#ffd66b'),
      area('M245 226C206 178 186 232 245 235C304 232 284 178 245 226Z', '#ef6f6c'),
      circleAt(245, 234, 10, '#c94a42'),
      // The pound sign and the amount.
      line('M92 140A16 16 0 0 0 64 152V186M50 166H82M50 186H94', '#ffffff', 9),
      drawLetters({ text: '50', x: 112, y: 136, height: 51, stroke: 9, colour: '#ffffff', spacing: 3.4 }),
      rectangle(46, 258, 84, 8, 4, '#ffffff', 0.6),
      '</g>',
    ].join(''),
  'cinema-tickets-for-two': () =>
    [
      ellipseAt(160, 372, 112, 12, '#000', 0.12),
      drawTicket(12, '#7a3fb0', '#9a5fd0'),
      drawTicket(-10, '#d7443e', '#ee6a5c'),
    ].join(''),
};

function drawEarbud(x: number, direction: number): string {
  return [
    `<g transform="translate(${x} 128) rotate(${direction * -14})">`,
    rectangle(-15, -4, 30, 112, 15, '#e9e3d6'),
    circleAt(direction * 5, -30, 45, '#fdfaf3'),
    ellipseAt(direction * 28, -36, 20, 26, '#3a3f4a'),
    ellipseAt(direction * 32, -38, 11, 16, '#5a6170'),
    rectangle(-5, 74, 10, 22, 5, '#c9bfab'),
    '</g>',
  ].join('');
}

function drawBulb(x: number, y: number, scale: number, colour: string, light: string): string {
  return [
    `<g transform="translate(${x} ${y}) scale(${scale})">`,
    circleAt(0, 40, 94, colour, 0.16),
    area('M0-40A76 76 0 0 1 48 94Q36 108 34 130H-34Q-36 108-48 94A76 76 0 0 1 0-40Z', colour),
    area('M-10-26A62 62 0 0 0-56 62Q-36 8-10-26Z', light),
    line('M-18 130V70L0 88L18 70V130', '#ffffff', 5, 0.8),
    rectangle(-36, 130, 72, 18, 6, '#aab1bb'),
    rectangle(-33, 150, 66, 16, 6, '#8b929c'),
    rectangle(-29, 168, 58, 16, 6, '#aab1bb'),
    area('M-22 186H22L10 200H-10Z', '#3a3f4a'),
    '</g>',
  ].join('');
}

function drawTicket(angle: number, colour: string, light: string): string {
  return [
    `<g transform="rotate(${angle} 160 210)">`,
    area('M84 36H142A18 18 0 0 0 178 36H236V364H178A18 18 0 0 0 142 364H84Z', colour),
    rectangle(98, 66, 124, 196, 8, light),
    area('M160 108L173 138L206 141L181 162L189 194L160 177L131 194L139 162L114 141L147 138Z', '#fff3cf'),
    ...Array.from({ length: 8 }, (_, i) => circleAt(95 + i * 18.6, 286, 3.4, '#ffffff', 0.75)),
    rectangle(108, 312, 104, 9, 4.5, '#ffffff', 0.8),
    rectangle(108, 332, 66, 9, 4.5, '#ffffff', 0.5),
    rectangle(112, 222, 96, 9, 4.5, '#fff3cf', 0.8),
    rectangle(128, 240, 64, 8, 4, '#fff3cf', 0.5),
    '</g>',
  ].join('');
}
