import { luminance, shade } from './colour.ts';
import { drawEmblem } from './draw-emblem.ts';
import { drawWallpaper } from './draw-wallpaper.ts';
import { drawLetters } from './letters.ts';
import type { Look } from './look.ts';
import type { Model, View } from './models.ts';
import { circleAt, fixed, gradient, rectangle, type Box } from './svg-shape.ts';

/** The size of a phone's picture: the proportions of the published ones (spec §2.9), larger than the largest. */
export const PHONE_PICTURE = { width: 300, height: 600 } as const;

/** The space in which the shapes are placed. */
const CANVAS = { width: 360, height: 720 } as const;

const PIXELS_PER_MILLIMETRE = 4.15;

/** Draws one view of a model as SVG, on a transparent ground. */
export function drawPhone(model: Model, view: View): string {
  switch (view) {
    case 'front':
      return picture(drawFront(model));
    case 'back':
      return picture(drawBack(model));
    case 'left':
      return picture(drawSide(model, 'left'));
    case 'right':
      return picture(drawSide(model, 'right'));
  }
}

function picture(content: string): string {
  const { width, height } = PHONE_PICTURE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${CANVAS.width} ${CANVAS.height}">${content}</svg>`;
}

/** The outline of the phone, in pixels, in the middle of the picture. */
function outlineOf(model: Model): Box {
  const width = Math.round(model.facts.width * PIXELS_PER_MILLIMETRE);
  const height = Math.round((model.look.openHeight ?? model.facts.height) * PIXELS_PER_MILLIMETRE);
  return { x: (CANVAS.width - width) / 2, y: (CANVAS.height - height) / 2, width, height };
}

// The front

function drawFront(model: Model): string {
  const { look } = model;
  const body = outlineOf(model);
  switch (look.form) {
    case 'slab':
      return [drawKeysBehind(body, look, 'front'), drawShell(body, look), drawTouchscreen(body, look)].join('');
    case 'fold':
      return [
        drawKeysBehind(body, look, 'front'),
        drawShell(body, look),
        drawTouchscreen(body, look),
        // The crease and the hinge.
        rectangle(body.x + px(look.bezel), middle(body) - 5, body.width - 2 * px(look.bezel), 5, 0, '#000', 0.12),
        rectangle(body.x + px(look.bezel), middle(body), body.width - 2 * px(look.bezel), 4, 0, '#fff', 0.16),
        rectangle(body.x - 3, middle(body) - 17, 7, 34, 3, shade(look.frame, -0.25)),
        rectangle(body.x + body.width - 4, middle(body) - 17, 7, 34, 3, shade(look.frame, -0.25)),
      ].join('');
    case 'clamshell':
      return drawClamshellFront(body, look);
    case 'keypad':
      return drawKeypadFront(body, look);
  }
}

/** The keys at the sides, of which front and back show only the edge; volume at the left as one looks at the screen. */
function drawKeysBehind(body: Box, look: Look, view: 'front' | 'back'): string {
  const key = shade(look.frame, -0.2);
  const volume = body.y + body.height * 0.2;
  const power = body.y + body.height * (look.form === 'fold' ? 0.26 : 0.28);
  const left = body.x - 3;
  const right = body.x + body.width - 5;
  const [volumeSide, powerSide] = view === 'front' ? [left, right] : [right, left];
  return [
    rectangle(volumeSide, volume, 8, 52, 3, key),
    rectangle(volumeSide, volume + 62, 8, 52, 3, key),
    rectangle(powerSide, power, 8, 74, 3, key),
  ].join('');
}

function drawShell(body: Box, look: Look): string {
  const corner = px(look.corner);
  return [
    rectangle(body.x, body.y, body.width, body.height, corner, shade(look.frame, -0.3)),
    rectangle(body.x + 1.5, body.y + 1.5, body.width - 3, body.height - 3, corner - 1, look.frame),
    rectangle(body.x + 4, body.y + 4, body.width - 8, body.height - 8, corner - 3, '#0c0d10'),
  ].join('');
}

function drawTouchscreen(body: Box, look: Look): string {
  const side = px(look.bezel) + 4;
  const top = side + px(look.brow ?? 0);
  const bottom = side + px(look.chin ?? 0);
  const screen: Box = {
    x: body.x + side,
    y: body.y + top,
    width: body.width - 2 * side,
    height: body.height - top - bottom,
  };
  // A phone with a high brow has a screen with square corners.
  const corner = look.brow === undefined ? Math.max(4, px(look.corner) - side) : 5;
  const hasLightGround = luminance(look.wallpaper.colours[0]) > 0.55;
  const ink = hasLightGround ? '#20242c' : '#ffffff';
  return [
    `<clipPath id="screen">${rectangle(screen.x, screen.y, screen.width, screen.height, corner, '#000')}</clipPath>`,
    '<g clip-path="url(#screen)">',
    drawWallpaper(look.wallpaper, screen, 'wallpaper'),
    drawStatusBar(screen, ink, look.opening === 'hole-left'),
    look.screen === 'lock' ? drawLockScreen(screen, look, ink) : drawHomeScreen(screen, look),
    '</g>',
    drawOpening(screen, look),
    look.brow === undefined ? '' : drawEarpiece(body, top),
    look.chin !== undefined && look.chin > 8 ? drawHomeKey(body, bottom) : '',
  ].join('');
}

function drawStatusBar(screen: Box, ink: string, isShifted: boolean): string {
  const y = screen.y + 14;
  const right = screen.x + screen.width - 24;
  const bars = [4, 6, 8, 10].map((height, i) => rectangle(right - 52 + i * 5, y + 10 - height, 3, height, 1, ink));
  const left = screen.x + (isShifted ? 48 : 24);
  return [
    ...bars,
    `<rect x="${right - 24}" y="${y + 0.5}" width="19" height="9" rx="2.5" fill="none" stroke="${ink}" stroke-width="1.2"/>`,
    rectangle(right - 22, y + 2.5, 12, 5, 1, ink),
    rectangle(left, y + 1, 24, 8, 4, ink),
  ].join('');
}

function drawLockScreen(screen: Box, look: Look, ink: string): string {
  const centre = screen.x + screen.width / 2;
  const { height } = screen;
  const card = screen.y + height * 0.72;
  return [
    drawLetters({
      text: clockOf(look),
      x: centre,
      y: screen.y + height * 0.145,
      height: height * 0.082,
      stroke: 5.5,
      colour: ink,
      isCentred: true,
      spacing: 3.2,
    }),
    rectangle(centre - 46, screen.y + height * 0.115, 92, 6, 3, ink, 0.75),
    rectangle(screen.x + 18, card, screen.width - 36, 58, 14, '#fff', 0.82),
    rectangle(screen.x + 30, card + 13, 32, 32, 9, look.wallpaper.colours[3]),
    rectangle(screen.x + 74, card + 17, screen.width * 0.3, 7, 3.5, '#2a2e37'),
    rectangle(screen.x + 74, card + 33, screen.width * 0.46, 6, 3, '#2a2e37', 0.45),
    circleAt(screen.x + 42, screen.y + height - 46, 19, '#000', 0.35),
    `<path d="M${screen.x + 38} ${screen.y + height - 54}h8l-2.4 6v10h-3.2v-10z" fill="#fff"/>`,
    circleAt(screen.x + screen.width - 42, screen.y + height - 46, 19, '#000', 0.35),
    rectangle(screen.x + screen.width - 52, screen.y + height - 52, 20, 13, 4, '#fff'),
    circleAt(screen.x + screen.width - 42, screen.y + height - 45.5, 3.6, '#333'),
    rectangle(centre - 44, screen.y + height - 12, 88, 4, 2, '#fff', 0.9),
  ].join('');
}

function clockOf(look: Look): string {
  return `${look.time.slice(0, 2)}:${look.time.slice(2)}`;
}

const ICON_GROUNDS = ['#ffffff', '#2f7de1', '#34b26b', '#f2b632', '#ea5a4f', '#7c5cd6', '#20242c', '#18a7b5'] as const;

function drawHomeScreen(screen: Box, look: Look): string {
  const columns = 4;
  const isLarge = look.brow !== undefined && look.chin !== undefined && look.chin > 8;
  const count = isLarge ? 2 : columns;
  const margin = screen.width * 0.085;
  const pitch = (screen.width - 2 * margin) / count;
  const size = pitch * (isLarge ? 0.78 : 0.68);
  const rows = 3;
  const icons: string[] = [];
  const top = screen.y + screen.height * (isLarge ? 0.13 : 0.3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < count; column++) {
      // A few places stay free, as on a phone in use.
      if (!isLarge && row === 2 && column > look.time.charCodeAt(3) % 3) continue;
      const position = row * count + column + look.time.charCodeAt(2);
      icons.push(
        drawIcon(
          screen.x + margin + column * pitch + (pitch - size) / 2,
          top + row * pitch * (isLarge ? 1 : 1.16),
          size,
          position,
        ),
      );
    }
  }
  const dock = screen.y + screen.height - pitch * (isLarge ? 0.9 : 1.2);
  const dockIcons = Array.from({ length: isLarge ? 0 : columns }, (_, column) =>
    drawIcon(screen.x + margin + column * pitch + (pitch - size) / 2, dock, size, column + look.time.charCodeAt(1)),
  );
  const search = screen.y + screen.height * 0.115;
  return [
    isLarge ? '' : rectangle(screen.x + margin, search, screen.width - 2 * margin, 36, 18, '#fff', 0.85),
    isLarge
      ? ''
      : `<circle cx="${screen.x + margin + 20}" cy="${search + 17}" r="6" fill="none" stroke="#59606c" stroke-width="2.4"/>`,
    isLarge
      ? ''
      : `<path d="M${screen.x + margin + 24.5} ${search + 21.5}l5 5" stroke="#59606c" stroke-width="2.6" stroke-linecap="round"/>`,
    isLarge ? '' : rectangle(screen.x + 10, dock - 13, screen.width - 20, size + 26, 20, '#fff', 0.34),
    ...icons,
    ...dockIcons,
    isLarge ? '' : rectangle(screen.x + screen.width / 2 - 44, screen.y + screen.height - 9, 88, 4, 2, '#fff', 0.9),
  ].join('');
}

/** One of eight icons; `position` chooses ground and sign. */
function drawIcon(x: number, y: number, size: number, position: number): string {
  const ground = ICON_GROUNDS[position % ICON_GROUNDS.length] ?? '#ffffff';
  const ink = ground === '#ffffff' ? '#ea5a4f' : '#ffffff';
  const unit = size / 10;
  const sign = [
    `<circle cx="5" cy="5" r="2.4" fill="none" stroke="${ink}" stroke-width="1.3"/>`,
    `<path d="M3.8 2.8V7.2L7.4 5Z" fill="${ink}"/>`,
    `<path d="M2.6 3H7.4V6.4H5L3.6 7.8V6.4H2.6Z" fill="${ink}"/>`,
    `<path d="M5 2.4L7.8 7.4H2.2Z" fill="${ink}"/>`,
    `<path d="M5 7.6L2.6 5A1.5 1.5 0 0 1 5 3.3A1.5 1.5 0 0 1 7.4 5Z" fill="${ink}"/>`,
    `<path d="M3 7.4V5H4.2V7.4ZM4.6 7.4V2.8H5.8V7.4ZM6.2 7.4V4H7.4V7.4Z" fill="${ink}"/>`,
    `<path d="M2.4 3.2H7.6V7H2.4ZM2.6 3.4L5 5.4L7.4 3.4" fill="none" stroke="${ink}" stroke-width="0.9"/>`,
    `<path d="M5 2.3L5.8 4.2L7.8 4.4L6.3 5.7L6.8 7.7L5 6.6L3.2 7.7L3.7 5.7L2.2 4.4L4.2 4.2Z" fill="${ink}"/>`,
  ][(position * 3) % 8];
  return `<g transform="translate(${fixed(x)} ${fixed(y)}) scale(${fixed(unit)})"><rect width="10" height="10" rx="2.6" fill="${ground}"/>${sign ?? ''}</g>`;
}

function drawOpening(screen: Box, look: Look): string {
  const centre = screen.x + screen.width / 2;
  switch (look.opening) {
    case 'hole-centre':
      return lensHole(centre, screen.y + 19, 8.5);
    case 'hole-left':
      return lensHole(screen.x + 26, screen.y + 20, 9);
    case 'pill':
      return (
        rectangle(centre - 42, screen.y + 8, 84, 23, 11.5, '#07080a') +
        circleAt(centre + 28, screen.y + 19.5, 5, '#1d2a44')
      );
    case 'drop':
      return `<path d="M${centre - 27} ${screen.y - 1}C${centre - 15} ${screen.y} ${centre - 17} ${screen.y + 22} ${centre} ${screen.y + 22}C${centre + 17} ${screen.y + 22} ${centre + 15} ${screen.y} ${centre + 27} ${screen.y - 1}Z" fill="#0c0d10"/>${circleAt(centre, screen.y + 11, 5, '#1d2a44')}`;
    case 'notch':
      return `<path d="M${centre - 72} ${screen.y - 1}Q${centre - 63} ${screen.y} ${centre - 63} ${screen.y + 9}Q${centre - 63} ${screen.y + 25} ${centre - 46} ${screen.y + 25}H${centre + 46}Q${centre + 63} ${screen.y + 25} ${centre + 63} ${screen.y + 9}Q${centre + 63} ${screen.y} ${centre + 72} ${screen.y - 1}Z" fill="#0c0d10"/>${rectangle(centre - 22, screen.y + 9, 44, 5, 2.5, '#2a2d33')}${circleAt(centre + 38, screen.y + 12, 5, '#1d2a44')}`;
    case 'none':
      return '';
  }
}

function lensHole(x: number, y: number, radius: number): string {
  return (
    circleAt(x, y, radius, '#07080a') +
    circleAt(x, y, radius * 0.5, '#1d2a44') +
    circleAt(x - 1.5, y - 1.5, 1.4, '#6d86b8')
  );
}

function drawEarpiece(body: Box, top: number): string {
  const centre = body.x + body.width / 2;
  const y = body.y + top / 2;
  return rectangle(centre - 30, y - 1, 60, 6, 3, '#34373d') + circleAt(centre + 52, y + 2, 5, '#1d2a44');
}

function drawHomeKey(body: Box, bottom: number): string {
  const y = body.y + body.height - bottom / 2 - 4;
  const centre = body.x + body.width / 2;
  return [
    rectangle(centre - 92, y - 12, 52, 24, 12, '#2f9d62'),
    circleAt(centre, y, 15, '#2a2d33'),
    rectangle(centre - 6, y - 6, 12, 12, 3, '#d9dce2'),
    rectangle(centre + 40, y - 12, 52, 24, 12, '#c94a42'),
  ].join('');
}

const KEY_ROWS = ['123', '456', '789'] as const;

function drawKeypad(x: number, y: number, width: number, height: number, ground: string, ink: string): string {
  const pitchX = width / 3;
  const pitchY = height / 4;
  const keys: string[] = [];
  for (const [row, digits] of [...KEY_ROWS, '*0#'].entries()) {
    for (const [column, digit] of digits.split('').entries()) {
      const left = x + column * pitchX + 4;
      const top = y + row * pitchY + 4;
      const centre = left + pitchX / 2 - 4;
      keys.push(rectangle(left, top + 2, pitchX - 8, pitchY - 8, 10, '#000', 0.28));
      keys.push(rectangle(left, top, pitchX - 8, pitchY - 8, 10, ground));
      const sign = { x: centre, y: top + (pitchY - 8) / 2 - 9, height: 18, stroke: 3, colour: ink, isCentred: true };
      if (digit === '*') keys.push(star(centre, top + (pitchY - 8) / 2, ink));
      else if (digit === '#') keys.push(hash(centre, top + (pitchY - 8) / 2, ink));
      else keys.push(drawLetters({ ...sign, text: digit }));
    }
  }
  return keys.join('');
}

function star(x: number, y: number, ink: string): string {
  return `<path d="M${x} ${y - 7}V${y + 7}M${x - 6} ${y - 3.5}L${x + 6} ${y + 3.5}M${x + 6} ${y - 3.5}L${x - 6} ${y + 3.5}" stroke="${ink}" stroke-width="2.6" stroke-linecap="round"/>`;
}

function hash(x: number, y: number, ink: string): string {
  return `<path d="M${x - 3} ${y - 8}V${y + 8}M${x + 3} ${y - 8}V${y + 8}M${x - 8} ${y - 3}H${x + 8}M${x - 8} ${y + 3}H${x + 8}" stroke="${ink}" stroke-width="2.4" stroke-linecap="round"/>`;
}

/** The keys between screen and digits: call, direction, end. */
function drawNavigation(x: number, y: number, width: number, accent: string, ground: string): string {
  const centre = x + width / 2;
  return [
    rectangle(x + 4, y + 8, width * 0.26, 34, 14, '#2f9d62'),
    rectangle(x + 20, y + 21, width * 0.26 - 32, 8, 4, '#fff'),
    rectangle(x + width - 4 - width * 0.26, y + 8, width * 0.26, 34, 14, '#c94a42'),
    rectangle(x + width + 12 - width * 0.26, y + 21, width * 0.26 - 32, 8, 4, '#fff'),
    circleAt(centre, y + 25, 31, accent),
    circleAt(centre, y + 25, 15, ground),
  ].join('');
}

/** A small colour screen: wallpaper, clock and two lines. */
function drawSmallScreen(screen: Box, look: Look): string {
  const centre = screen.x + screen.width / 2;
  const ink = luminance(look.wallpaper.colours[0]) > 0.55 ? '#20242c' : '#ffffff';
  return [
    `<clipPath id="screen">${rectangle(screen.x, screen.y, screen.width, screen.height, 5, '#000')}</clipPath>`,
    '<g clip-path="url(#screen)">',
    drawWallpaper(look.wallpaper, screen, 'wallpaper'),
    rectangle(screen.x, screen.y, screen.width, 20, 0, '#000', 0.3),
    ...[5, 7, 9, 11].map((height, i) => rectangle(screen.x + 8 + i * 6, screen.y + 16 - height, 4, height, 1, '#fff')),
    rectangle(screen.x + screen.width - 30, screen.y + 6, 20, 9, 2, '#fff'),
    drawLetters({
      text: clockOf(look),
      x: centre,
      y: screen.y + 44,
      height: 40,
      stroke: 5,
      colour: ink,
      isCentred: true,
      spacing: 3.2,
    }),
    rectangle(screen.x, screen.y + screen.height - 24, screen.width, 24, 0, '#000', 0.34),
    rectangle(screen.x + 10, screen.y + screen.height - 15, 44, 7, 3.5, '#fff'),
    rectangle(screen.x + screen.width - 54, screen.y + screen.height - 15, 44, 7, 3.5, '#fff'),
    '</g>',
  ].join('');
}

function drawClamshellFront(body: Box, look: Look): string {
  const half = body.height / 2;
  const corner = px(look.corner);
  const border = px(look.bezel);
  const dark = shade(look.body[1], -0.45);
  const lid: Box = { ...body, height: half - 4 };
  const base: Box = { ...body, y: body.y + half + 4, height: half - 4 };
  const screen: Box = { x: lid.x + border + 4, y: lid.y + 44, width: lid.width - 2 * border - 8, height: half - 94 };
  return [
    rectangle(lid.x, lid.y, lid.width, lid.height, corner, look.frame),
    rectangle(lid.x + 5, lid.y + 5, lid.width - 10, lid.height - 10, corner - 4, dark),
    rectangle(base.x, base.y, base.width, base.height, corner, look.frame),
    rectangle(base.x + 5, base.y + 5, base.width - 10, base.height - 10, corner - 4, dark),
    rectangle(body.x + 26, middle(body) - 16, body.width - 52, 32, 14, shade(look.frame, -0.25)),
    rectangle(body.x + 26, middle(body) - 12, body.width - 52, 8, 4, shade(look.frame, 0.25)),
    rectangle(body.x + body.width / 2 - 26, lid.y + 19, 52, 7, 3.5, shade(dark, 0.35)),
    rectangle(screen.x - 4, screen.y - 4, screen.width + 8, screen.height + 8, 8, '#0b0c0e'),
    drawSmallScreen(screen, look),
    drawNavigation(base.x + 12, base.y + 30, base.width - 24, shade(look.frame, 0.3), dark),
    drawKeypad(base.x + 12, base.y + 92, base.width - 24, base.height - 110, look.body[0], '#ffffff'),
  ].join('');
}

function drawKeypadFront(body: Box, look: Look): string {
  const corner = px(look.corner);
  const screen: Box = { x: body.x + 32, y: body.y + 62, width: body.width - 64, height: body.height * 0.32 };
  const keys = screen.y + screen.height + 84;
  return [
    drawBumpers(body, look),
    rectangle(body.x, body.y, body.width, body.height, corner, look.body[1]),
    rectangle(body.x + 7, body.y + 7, body.width - 14, body.height - 14, corner - 5, look.body[0]),
    rectangle(body.x + body.width / 2 - 28, body.y + 30, 56, 8, 4, '#0c0d0f'),
    circleAt(body.x + 36, body.y + 34, 4, look.frame),
    rectangle(screen.x - 8, screen.y - 8, screen.width + 16, screen.height + 16, 10, '#0b0c0e'),
    drawSmallScreen(screen, look),
    drawNavigation(body.x + 20, screen.y + screen.height + 20, body.width - 40, look.frame, look.body[1]),
    drawKeypad(body.x + 20, keys, body.width - 40, body.y + body.height - keys - 20, '#474b51', '#ffffff'),
  ].join('');
}

/** The coloured corners of a phone made to be dropped. */
function drawBumpers(body: Box, look: Look): string {
  const out = 6;
  const size = 74;
  const corners = [
    [body.x - out, body.y - out],
    [body.x + body.width + out - size, body.y - out],
    [body.x - out, body.y + body.height + out - size],
    [body.x + body.width + out - size, body.y + body.height + out - size],
  ];
  return corners.map(([x = 0, y = 0]) => rectangle(x, y, size, size, 26, look.frame)).join('');
}

// The back

function drawBack(model: Model): string {
  const { look } = model;
  const body = outlineOf(model);
  switch (look.form) {
    case 'slab':
      return [
        drawKeysBehind(body, look, 'back'),
        drawCover(body, look),
        drawCameras(body, look),
        drawEmblem(model.maker, body.x + body.width / 2, body.y + body.height * 0.54, 50, emblemColour(look)),
      ].join('');
    case 'fold':
      return drawFoldBack(body, model);
    case 'clamshell':
      return drawClamshellBack(body, model);
    case 'keypad':
      return drawKeypadBack(body, model);
  }
}

function emblemColour(look: Look): string {
  return luminance(look.body[0]) > 0.45 ? shade(look.body[1], -0.3) : shade(look.body[0], 0.35);
}

function drawCover(body: Box, look: Look): string {
  const corner = px(look.corner);
  const inner: Box = { x: body.x + 3, y: body.y + 3, width: body.width - 6, height: body.height - 6 };
  return [
    gradient('cover', look.body),
    `<clipPath id="back">${rectangle(inner.x, inner.y, inner.width, inner.height, corner - 2, '#000')}</clipPath>`,
    rectangle(body.x, body.y, body.width, body.height, corner, shade(look.frame, -0.25)),
    rectangle(inner.x, inner.y, inner.width, inner.height, corner - 2, 'url(#cover)'),
    `<g clip-path="url(#back)">${drawFinish(inner, look)}</g>`,
  ].join('');
}

function drawFinish(inner: Box, look: Look): string {
  switch (look.finish) {
    case 'plain':
      // A sheen across the glass.
      return `<path d="M${inner.x + inner.width * 0.62} ${inner.y}H${inner.x + inner.width}V${inner.y + inner.height * 0.42}L${inner.x} ${inner.y + inner.height}V${inner.y + inner.height * 0.72}Z" fill="#fff" fill-opacity="0.07"/>`;
    case 'two-tone':
      return rectangle(inner.x, inner.y, inner.width, inner.height * 0.31, 0, shade(look.body[0], 0.22));
    case 'ridges':
      return Array.from({ length: Math.ceil(inner.height / 22) }, (_, i) =>
        rectangle(inner.x, inner.y + 12 + i * 22, inner.width, 4, 0, '#000', 0.09),
      ).join('');
    case 'band':
      return rectangle(inner.x + inner.width * 0.76, inner.y, inner.width * 0.09, inner.height, 0, '#fff', 0.2);
  }
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function drawCameras(body: Box, look: Look): string {
  const island = shade(look.body[1], luminance(look.body[1]) > 0.45 ? -0.1 : 0.1);
  const left = body.x + 22;
  const top = body.y + 24;
  const right = body.x + body.width;
  const centre = body.x + body.width / 2;
  switch (look.cameras) {
    case 'square-two':
      return (
        plate(left, top, 118, 118, 30, island) +
        lenses([at(left + 36, top + 36, 25), at(left + 82, top + 82, 25)]) +
        flash(left + 86, top + 32)
      );
    case 'square-three':
      return (
        plate(left, top, 130, 130, 32, island) +
        lenses([at(left + 38, top + 38, 26), at(left + 38, top + 94, 26), at(left + 94, top + 66, 26)]) +
        flash(left + 94, top + 22) +
        circleAt(left + 94, top + 112, 6, '#15171b')
      );
    case 'square-four':
      return (
        plate(left, top, 150, 150, 36, island) +
        lenses([
          at(left + 42, top + 42, 28),
          at(left + 42, top + 108, 28),
          at(left + 108, top + 42, 28),
          at(left + 108, top + 108, 20),
        ]) +
        flash(left + 75, top + 75)
      );
    case 'pill-two':
      return (
        plate(left, top, 68, 140, 34, island) +
        lenses([at(left + 34, top + 36, 23), at(left + 34, top + 104, 23)]) +
        flash(left + 34, top + 70)
      );
    case 'pill-three':
      return (
        plate(left, top, 70, 206, 35, island) +
        lenses([at(left + 35, top + 36, 23), at(left + 35, top + 98, 23), at(left + 35, top + 158, 19)]) +
        flash(left + 35, top + 190)
      );
    case 'loose-one':
      return lenses([at(left + 38, top + 38, 30)], true) + flash(left + 90, top + 38);
    case 'loose-two':
      return lenses([at(left + 38, top + 38, 29), at(left + 38, top + 112, 29)], true) + flash(left + 90, top + 75);
    case 'loose-three':
      return (
        lenses([at(left + 36, top + 38, 30), at(left + 36, top + 114, 30), at(left + 104, top + 76, 30)], true) +
        flash(left + 104, top + 24) +
        circleAt(left + 104, top + 128, 6, '#15171b')
      );
    case 'disc-three':
      return (
        circleAt(centre, body.y + 120, 84, shade(island, -0.2)) +
        circleAt(centre, body.y + 120, 80, island) +
        lenses([at(centre, body.y + 84, 24), at(centre - 36, body.y + 142, 24), at(centre + 36, body.y + 142, 24)]) +
        flash(centre, body.y + 138)
      );
    case 'disc-four':
      return (
        circleAt(centre, body.y + 124, 90, shade(island, -0.2)) +
        circleAt(centre, body.y + 124, 86, '#17191d') +
        lenses([
          at(centre - 34, body.y + 90, 26),
          at(centre + 34, body.y + 90, 26),
          at(centre - 34, body.y + 158, 26),
          at(centre + 34, body.y + 158, 18),
        ]) +
        flash(centre, body.y + 124)
      );
    case 'bar-two':
      return (
        rectangle(body.x, body.y + 84, body.width, 84, 8, shade(island, -0.25)) +
        rectangle(body.x, body.y + 86, body.width, 78, 8, island) +
        lenses([at(body.x + 62, body.y + 125, 29), at(body.x + 136, body.y + 125, 29)]) +
        flash(right - 50, body.y + 125)
      );
    case 'bar-three':
      return (
        rectangle(body.x, body.y + 80, body.width, 92, 10, shade(island, -0.3)) +
        rectangle(body.x, body.y + 82, body.width, 86, 10, '#191b1f') +
        lenses([
          at(body.x + 58, body.y + 125, 31),
          at(body.x + 134, body.y + 125, 31),
          at(body.x + 204, body.y + 125, 24),
        ]) +
        flash(right - 42, body.y + 125)
      );
    case 'corner-two':
      return (
        plate(left - 6, top - 6, 134, 134, 40, island) +
        lenses([at(left + 36, top + 36, 27), at(left + 86, top + 86, 27)]) +
        flash(left + 92, top + 28)
      );
    case 'corner-one':
      return (
        plate(left - 4, top - 4, 76, 122, 38, island) +
        lenses([at(left + 34, top + 34, 27)]) +
        flash(left + 34, top + 90)
      );
  }
}

function at(x: number, y: number, radius: number): Spot {
  return { x, y, radius };
}

function plate(x: number, y: number, width: number, height: number, corner: number, colour: string): string {
  return (
    rectangle(x - 2, y - 2, width + 4, height + 5, corner + 2, '#000', 0.22) +
    rectangle(x, y, width, height, corner, colour)
  );
}

function lenses(spots: readonly Spot[], hasShadow = false): string {
  return spots
    .map(({ x, y, radius }) =>
      [
        hasShadow ? circleAt(x, y + 2, radius + 3, '#000', 0.2) : '',
        circleAt(x, y, radius, '#7d838c'),
        circleAt(x, y, radius - 2.5, '#0d0f12'),
        circleAt(x, y, radius * 0.6, '#1c2433'),
        circleAt(x, y, radius * 0.36, '#31466e'),
        circleAt(x - radius * 0.2, y - radius * 0.24, radius * 0.14, '#c9d8f5'),
      ].join(''),
    )
    .join('');
}

function flash(x: number, y: number): string {
  return circleAt(x, y, 8, '#d9cfae') + circleAt(x, y, 5.5, '#fff6d8');
}

function drawFoldBack(body: Box, model: Model): string {
  const { look } = model;
  const isLarge = model.slug === 'vesper-fold-2';
  const cover: Box = isLarge
    ? { x: body.x + 12, y: body.y + 12, width: body.width - 24, height: body.height / 2 - 34 }
    : { x: body.x + 104, y: body.y + 34, width: body.width - 130, height: 108 };
  const x = body.x + (isLarge ? 62 : 52);
  return [
    drawKeysBehind(body, look, 'back'),
    drawCover(body, look),
    // The cover display, with the cameras in or beside it.
    rectangle(cover.x - 4, cover.y - 4, cover.width + 8, cover.height + 8, 22, '#0b0c10'),
    `<clipPath id="cover-screen">${rectangle(cover.x, cover.y, cover.width, cover.height, 18, '#000')}</clipPath>`,
    `<g clip-path="url(#cover-screen)">${drawWallpaper(look.wallpaper, { ...cover, y: cover.y - cover.width * 0.45, height: cover.width * 1.6 }, 'cover-wallpaper')}</g>`,
    isLarge ? '' : rectangle(cover.x, cover.y, cover.width, cover.height, 18, '#2c2036', 0.62),
    drawLetters({
      text: clockOf(look),
      x: cover.x + cover.width * (isLarge ? 0.6 : 0.5),
      y: cover.y + (isLarge ? 52 : 32),
      height: 46,
      stroke: 5,
      colour: '#ffffff',
      isCentred: true,
      spacing: 3.2,
    }),
    isLarge
      ? lenses([at(x, cover.y + cover.height - 44, 31), at(x + 82, cover.y + cover.height - 44, 31)], true) +
        flash(x + 140, cover.y + cover.height - 44)
      : lenses([at(x, body.y + 58, 25), at(x, body.y + 118, 25)], true) + flash(x, body.y + 156),
    rectangle(body.x, middle(body) - 13, body.width, 26, 0, shade(look.frame, -0.15)),
    rectangle(body.x, middle(body) - 9, body.width, 7, 0, shade(look.frame, 0.3)),
    drawEmblem(model.maker, body.x + body.width / 2, body.y + body.height * 0.77, 46, emblemColour(look)),
  ].join('');
}

function drawClamshellBack(body: Box, model: Model): string {
  const { look } = model;
  const half = body.height / 2;
  const corner = px(look.corner);
  const lid = { ...body, height: half - 4 };
  return [
    gradient('cover', look.body),
    rectangle(lid.x, lid.y, lid.width, lid.height, corner, look.frame),
    rectangle(lid.x + 4, lid.y + 4, lid.width - 8, lid.height - 8, corner - 3, 'url(#cover)'),
    rectangle(body.x, body.y + half + 4, body.width, half - 4, corner, look.frame),
    rectangle(body.x + 4, body.y + half + 8, body.width - 8, half - 12, corner - 3, 'url(#cover)'),
    rectangle(body.x + 26, middle(body) - 16, body.width - 52, 32, 14, shade(look.frame, -0.25)),
    rectangle(body.x + 26, middle(body) - 12, body.width - 52, 8, 4, shade(look.frame, 0.25)),
    // The small outer display shows the time while the lid is closed.
    rectangle(body.x + 42, lid.y + 130, body.width - 84, 66, 12, '#0b0c0e'),
    drawLetters({
      text: clockOf(look),
      x: body.x + body.width / 2,
      y: lid.y + 149,
      height: 28,
      stroke: 3.5,
      colour: '#d8ecff',
      isCentred: true,
      spacing: 3.2,
    }),
    lenses([at(body.x + body.width / 2 - 18, lid.y + 66, 24)], true),
    flash(body.x + body.width / 2 + 34, lid.y + 66),
    drawEmblem(model.maker, body.x + body.width / 2, lid.y + 254, 34, '#e6c9e2'),
    rectangle(body.x + 20, body.y + half + 60, body.width - 40, half - 90, 18, '#000', 0.1),
    ...[0, 1, 2].map((i) =>
      rectangle(body.x + body.width / 2 - 33, body.y + body.height - 58 + i * 11, 66, 5, 2.5, '#000', 0.35),
    ),
  ].join('');
}

function drawKeypadBack(body: Box, model: Model): string {
  const { look } = model;
  const centre = body.x + body.width / 2;
  return [
    drawBumpers(body, look),
    drawCover(body, look),
    lenses([at(centre, body.y + 66, 27)], true),
    rectangle(centre - 62, body.y + 52, 24, 28, 6, '#fff6d8'),
    drawEmblem(model.maker, centre, body.y + body.height * 0.5, 46, look.frame),
    ...[
      [-74, 150],
      [74, 150],
      [-74, body.height - 60],
      [74, body.height - 60],
    ].map(
      ([dx = 0, dy = 0]) =>
        circleAt(centre + dx, body.y + dy, 8, '#8f959c') +
        rectangle(centre + dx - 5, body.y + dy - 1.5, 10, 3, 1, '#44484e'),
    ),
    ...[0, 1, 2, 3].map((i) => rectangle(centre - 40, body.y + body.height - 82 + i * 13, 80, 6, 3, '#000', 0.45)),
  ].join('');
}

// The sides

/** A side shows the thickness, the keys of that side and, behind, the camera's rise. The screen faces inwards. */
function drawSide(model: Model, side: 'left' | 'right'): string {
  const { look, facts } = model;
  const body = outlineOf(model);
  const depth = Math.round((look.form === 'clamshell' ? facts.depth / 2 : facts.depth) * PIXELS_PER_MILLIMETRE * 1.15);
  const x = (CANVAS.width - depth) / 2;
  // Seen from the left, the screen is at the right hand.
  const direction = side === 'left' ? 1 : -1;
  const facing = (offset: number, width: number): number => (direction === 1 ? x + depth - offset - width : x + offset);
  const behind = (offset: number, width: number): number => (direction === 1 ? x - offset - width : x + depth + offset);
  const corner = Math.min(depth / 2.4, 14);
  const bump = sideBump(look, body);
  return [
    `<linearGradient id="edge" x1="${direction === 1 ? 0 : 1}" y1="0" x2="${direction === 1 ? 1 : 0}" y2="0">`,
    `<stop offset="0" stop-color="${shade(look.frame, -0.35)}"/><stop offset="0.3" stop-color="${shade(look.frame, 0.3)}"/><stop offset="1" stop-color="${shade(look.frame, -0.2)}"/></linearGradient>`,
    bump === undefined
      ? ''
      : rectangle(behind(-6, 15), bump.y, 15, bump.height, 5, '#24272c') +
        rectangle(behind(5, 5), bump.y + 12, 5, Math.max(16, bump.height - 24), 2, '#4a5160'),
    // Back, frame, glass.
    rectangle(x, body.y, depth, body.height, corner, 'url(#edge)'),
    rectangle(facing(0, 5), body.y + 7, 5, body.height - 14, 2.5, '#0c0d10'),
    rectangle(behind(-5, 5), body.y + 7, 5, body.height - 14, 2.5, look.body[0]),
    rectangle(x, body.y + 44, depth, 3, 0, shade(look.frame, -0.4), 0.5),
    rectangle(x, body.y + body.height - 47, depth, 3, 0, shade(look.frame, -0.4), 0.5),
    drawSideKeys(model, side, { x, y: body.y, width: depth, height: body.height }),
  ].join('');
}

function sideBump(look: Look, body: Box): { readonly y: number; readonly height: number } | undefined {
  if (look.form === 'clamshell' || look.form === 'keypad') return undefined;
  if (look.cameras.startsWith('bar')) return { y: body.y + 84, height: 84 };
  if (look.cameras.startsWith('disc')) return { y: body.y + 40, height: 164 };
  if (look.cameras === 'pill-three') return { y: body.y + 24, height: 206 };
  if (look.cameras.endsWith('-one')) return { y: body.y + 28, height: 58 };
  return { y: body.y + 24, height: 132 };
}

function drawSideKeys(model: Model, side: 'left' | 'right', box: Box): string {
  const { look } = model;
  const key = shade(look.frame, -0.28);
  const light = shade(look.frame, 0.35);
  const width = Math.max(12, box.width * 0.34);
  const x = box.x + (box.width - width) / 2;
  const raised = (y: number, height: number, colour: string): string =>
    rectangle(x - 2, y - 2, width + 4, height + 4, 8, key) + rectangle(x, y, width, height, 7, colour);
  if (look.form === 'clamshell') {
    const hinge =
      rectangle(box.x - 8, middle(box) - 22, box.width + 16, 44, 20, key) +
      circleAt(box.x + box.width / 2, middle(box), 13, light);
    return (
      hinge +
      (side === 'left' ? raised(middle(box) + 70, 84, light) : rectangle(x, middle(box) + 96, width, 36, 5, '#15171a'))
    );
  }
  const seam =
    look.form === 'fold'
      ? rectangle(box.x - 7, middle(box) - 24, box.width + 14, 48, 12, key) +
        rectangle(box.x - 3, middle(box) - 3, box.width + 6, 6, 3, light)
      : '';
  const volume = box.y + box.height * 0.2;
  if (side === 'left') {
    const rocker =
      look.form === 'keypad' ? raised(volume, 96, light) : raised(volume, 52, light) + raised(volume + 62, 52, light);
    const tray =
      rectangle(x, box.y + box.height * 0.56, width, 70, 6, key, 0.55) +
      circleAt(x + width / 2, box.y + box.height * 0.56 + 84, 3, '#15171a');
    return seam + rocker + (look.form === 'fold' ? '' : tray);
  }
  const power = raised(
    box.y + box.height * (look.form === 'fold' ? 0.26 : 0.28),
    74,
    model.maker === 'tamsin' ? '#e2652b' : light,
  );
  const slot = look.form === 'keypad' ? rectangle(x, box.y + box.height * 0.6, width, 60, 5, '#15171a') : '';
  return seam + power + slot;
}

function px(millimetres: number): number {
  return Math.round(millimetres * PIXELS_PER_MILLIMETRE);
}

function middle(box: Box): number {
  return box.y + box.height / 2;
}
