/** From 0, black, to 1, white; of a colour such as `#4fb0aa`. */
export function luminance(colour: string): number {
  const [red, green, blue] = channels(colour);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** The colour moved towards white (a positive share) or black (a negative one). */
export function shade(colour: string, share: number): string {
  const target = share > 0 ? 255 : 0;
  const mix = (channel: number): string =>
    Math.round(channel + (target - channel) * Math.abs(share))
      .toString(16)
      .padStart(2, '0');
  const [red, green, blue] = channels(colour);
  return `#${mix(red)}${mix(green)}${mix(blue)}`;
}

function channels(colour: string): readonly [number, number, number] {
  const channel = (from: number): number => Number.parseInt(colour.slice(from, from + 2), 16);
  return [channel(1), channel(3), channel(5)];
}
