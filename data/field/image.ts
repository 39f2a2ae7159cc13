/** Sizes of a picture with their box in pixels (spec §2.9, §8). */
export const SIZES = ['large', 'medium', 'small'] as const;
export const VIEWS = ['front', 'back', 'left', 'right'] as const;
export const FORMATS = ['webp', 'png', 'jpg'] as const;

export type Size = (typeof SIZES)[number];
export type View = (typeof VIEWS)[number];
export type Format = (typeof FORMATS)[number];

export const SIZE_BOX = {
  large: { width: 200, height: 400 },
  medium: { width: 100, height: 200 },
  small: { width: 60, height: 120 },
} as const satisfies Record<Size, { width: number; height: number }>;

/** The badges of networks and retailers in pixels; `deal` is that of `cheapestDeal` (spec §2.5, §2.10). */
export const LOGO_BOX = {
  network: {
    small: { width: 50, height: 25 },
    medium: { width: 100, height: 50 },
    large: { width: 200, height: 100 },
    deal: { width: 100, height: 50 },
  },
  retailer: { large: { width: 200, height: 100 }, deal: { width: 50, height: 50 } },
} as const;

/** As sent. The specification writes image/jpg, which is not a registered type (D7). */
export const MEDIA_TYPE = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
} as const satisfies Record<Format, string>;

export type ImageKey = `${Size}${Capitalize<View>}Image${Capitalize<Format>}`;

/** `largeFrontImageWebp`: the JSON key of one picture (spec §2.9). */
export function imageKey(size: Size, view: View, format: Format): ImageKey {
  return `${size}${capitalize(view)}Image${capitalize(format)}`;
}

/** All 36 pictures of a product, in the order in which they are written. */
export const IMAGE_FIELDS = VIEWS.flatMap((view) =>
  SIZES.flatMap((size) =>
    FORMATS.map((format) => ({
      key: imageKey(size, view, format),
      view,
      size,
      format,
      meaning: `URL of the ${view} view as ${MEDIA_TYPE[format]}, fitted into ${SIZE_BOX[size].width} x ${SIZE_BOX[size].height} pixels`,
      example: `https://deals.example/images/9a721489497be624c924b346dd18c17c/${size}.${format}`,
    })),
  ),
);

export const IMAGE_KEYS: readonly ImageKey[] = IMAGE_FIELDS.map(({ key }) => key);

/** The three keys of a gift or a gift category (spec §2.11, D7). */
export const GIFT_IMAGE_KEYS: readonly ImageKey[] = FORMATS.map((format) => imageKey('large', 'front', format));

function capitalize<Text extends string>(text: Text): Capitalize<Text> {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<Text>;
}
