import type { Wallpaper } from './look.ts';
import { area, circleAt, ellipseAt, fixed, gradient, line, rectangle, type Box } from './svg-shape.ts';

/** Draws a wallpaper in a space 100 units wide and as high as the box is in proportion; the caller clips it. */
export function drawWallpaper(wallpaper: Wallpaper, box: Box, id: string): string {
  const [top, bottom] = wallpaper.colours;
  const scale = box.width / 100;
  const height = box.height / scale;
  return [
    gradient(id, [top, bottom]),
    `<g transform="translate(${fixed(box.x)} ${fixed(box.y)}) scale(${fixed(scale)})">`,
    rectangle(0, 0, 101, height + 1, 0, `url(#${id})`),
    drawScene(wallpaper, height),
    '</g>',
  ].join('');
}

function drawScene({ kind, colours }: Wallpaper, height: number): string {
  const [top, bottom, first, second, third] = colours;
  const end = fixed(height + 1);
  const y = (share: number): number => fixed(height * share);
  switch (kind) {
    case 'hills':
      return [
        circleAt(68, y(0.46), 13, '#fff', 0.75),
        area(`M0 ${y(0.62)}Q18 ${y(0.5)} 40 ${y(0.6)}T101 ${y(0.54)}V${end}H0Z`, first),
        area(`M0 ${y(0.74)}Q30 ${y(0.62)} 58 ${y(0.72)}T101 ${y(0.68)}V${end}H0Z`, second),
        area(`M0 ${y(0.82)}Q22 ${y(0.92)} 52 ${y(0.84)}T101 ${y(0.86)}V${end}H0Z`, third),
      ].join('');
    case 'waves':
      return [
        area(`M0 ${y(0.42)}C40 ${y(0.3)} 55 ${y(0.62)} 101 ${y(0.44)}V${end}H0Z`, first),
        area(`M0 ${y(0.62)}C35 ${y(0.48)} 60 ${y(0.78)} 101 ${y(0.58)}V${end}H0Z`, second),
        area(`M0 ${y(0.8)}C30 ${y(0.68)} 65 ${y(0.94)} 101 ${y(0.74)}V${end}H0Z`, third),
      ].join('');
    case 'rings':
      return [
        circleAt(16, y(0.92), 108, first),
        circleAt(16, y(0.92), 82, second),
        circleAt(16, y(0.92), 56, third),
        circleAt(16, y(0.92), 30, top),
      ].join('');
    case 'petals':
      return [
        ...[first, second, third, second, first].map(
          (colour, i) =>
            `<g transform="rotate(${i * 36} 50 ${y(0.58)})">${ellipseAt(50, y(0.58), 17, 62, colour, 0.72)}</g>`,
        ),
        circleAt(50, y(0.58), 9, top),
      ].join('');
    case 'prism':
      return [
        area(`M0 ${y(0.45)}L62 ${y(0.28)}L38 ${end}H0Z`, first),
        area(`M101 ${y(0.36)}L62 ${y(0.28)}L38 ${end}H101Z`, second),
        area(`M101 ${y(0.62)}L54 ${y(0.55)}L38 ${end}H101Z`, third),
        area(`M0 ${y(0.8)}L46 ${y(0.74)}L38 ${end}H0Z`, bottom),
      ].join('');
    case 'orbit':
      return [
        ...STARS.map(([x, share]) => circleAt(x, y(share), 1, third)),
        circleAt(50, y(0.66), 30, first),
        area(`M20.5 ${y(0.66) + 5}A30 30 0 0 0 79.5 ${y(0.66) + 5}Q50 ${y(0.66) + 14} 20.5 ${y(0.66) + 5}Z`, second),
        line(`M12 ${y(0.66) + 12}C24 ${y(0.66) + 26} 96 ${y(0.66) - 6} 90 ${y(0.66) - 14}`, third, 3.4),
        circleAt(80, y(0.47), 5, second),
      ].join('');
    case 'stripes':
      return [first, second, third, first]
        .map((colour, i) => {
          const middle = y(0.48 + i * 0.15);
          return `<path d="M-20 ${middle + 22}L120 ${middle - 22}" stroke="${colour}" stroke-width="17"/>`;
        })
        .join('');
    case 'blobs':
      return [
        circleAt(86, y(0.42), 26, first),
        circleAt(14, y(0.62), 34, second),
        circleAt(74, y(0.82), 38, third),
        circleAt(48, y(0.66), 12, top, 0.9),
        circleAt(20, y(0.95), 20, first),
      ].join('');
    case 'skyline':
      return [
        circleAt(62, y(0.55), 19, third, 0.9),
        area(
          `M0 ${y(0.62)}H14V${y(0.54)}H26V${y(0.66)}H38V${y(0.5)}H48V${y(0.6)}H64V${y(0.53)}H72V${y(0.64)}H86V${y(0.56)}H101V${end}H0Z`,
          first,
        ),
        area(
          `M0 ${y(0.74)}H10V${y(0.68)}H20V${y(0.78)}H32V${y(0.66)}H46V${y(0.76)}H58V${y(0.7)}H66V${y(0.8)}H80V${y(0.68)}H92V${y(0.76)}H101V${end}H0Z`,
          second,
        ),
      ].join('');
    case 'leaves':
      return [
        drawLeaf(16, y(0.98), 92, -14, first),
        drawLeaf(52, y(1.02), 112, 8, second),
        drawLeaf(88, y(1), 90, 26, third),
        drawLeaf(32, y(1.03), 62, -34, second),
        drawLeaf(74, y(1.04), 60, -6, first),
      ].join('');
  }
}

const STARS: readonly (readonly [number, number])[] = [
  [14, 0.3],
  [84, 0.36],
  [30, 0.42],
  [72, 0.27],
  [90, 0.6],
  [10, 0.68],
  [24, 0.9],
  [78, 0.92],
];

function drawLeaf(x: number, y: number, length: number, angle: number, colour: string): string {
  const half = fixed(length * 0.2);
  const [low, high] = [fixed(length * 0.35), fixed(length * 0.8)];
  const outline = `M0 0C${-1.5 * half} ${-low} ${-half} ${-high} 0 ${-length}C${half} ${-high} ${1.5 * half} ${-low} 0 0Z`;
  return [
    `<g transform="translate(${x} ${y}) rotate(${angle})">`,
    area(outline, colour),
    line(`M0 0V${fixed(-length * 0.84)}`, '#ffffff', 1.2, 0.35),
    '</g>',
  ].join('');
}
