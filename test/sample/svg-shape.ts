/** A rectangle of a drawing, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  corner: number,
  fill: string,
  opacity = 1,
): string {
  const round = corner > 0 ? ` rx="${fixed(corner)}"` : '';
  return `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}"${round} fill="${fill}"${veil(opacity)}/>`;
}

export function circleAt(x: number, y: number, radius: number, fill: string, opacity = 1): string {
  return `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(radius)}" fill="${fill}"${veil(opacity)}/>`;
}

export function ellipseAt(x: number, y: number, rx: number, ry: number, fill: string, opacity = 1): string {
  return `<ellipse cx="${fixed(x)}" cy="${fixed(y)}" rx="${fixed(rx)}" ry="${fixed(ry)}" fill="${fill}"${veil(opacity)}/>`;
}

export function area(commands: string, fill: string, opacity = 1): string {
  return `<path d="${commands}" fill="${fill}"${veil(opacity)}/>`;
}

/** A line with round ends. */
export function line(commands: string, colour: string, width: number, opacity = 1): string {
  const seen = opacity < 1 ? ` stroke-opacity="${opacity}"` : '';
  return `<path d="${commands}" fill="none" stroke="${colour}" stroke-width="${fixed(width)}" stroke-linecap="round" stroke-linejoin="round"${seen}/>`;
}

/** A gradient from top to bottom, to be used as `url(#id)`. */
export function gradient(id: string, [top, bottom]: readonly [string, string]): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`;
}

/** Two decimals are enough for a drawing, and the same on every machine. */
export function fixed(value: number): number {
  return Math.round(value * 100) / 100;
}

function veil(opacity: number): string {
  return opacity < 1 ? ` fill-opacity="${opacity}"` : '';
}
