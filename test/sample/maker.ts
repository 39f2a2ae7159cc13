/** The makers of the sample. All are invented. */
export const MAKERS = [
  { slug: 'aurel', name: 'Aurel', feedId: '61' },
  { slug: 'halden', name: 'Halden', feedId: '62' },
  { slug: 'kestrel', name: 'Kestrel', feedId: '63' },
  { slug: 'mirrin', name: 'Mirrin', feedId: '64' },
  { slug: 'tamsin', name: 'Tamsin', feedId: '65' },
  { slug: 'vesper', name: 'Vesper', feedId: '66' },
  { slug: 'wren', name: 'Wren', feedId: '67' },
] as const;

export type MakerSlug = (typeof MAKERS)[number]['slug'];
export type Maker = (typeof MAKERS)[number];

export function makerOf(slug: MakerSlug): Maker {
  const maker = MAKERS.find((candidate) => candidate.slug === slug);
  if (maker === undefined) throw new RangeError(`unknown maker ${slug}`);
  return maker;
}
