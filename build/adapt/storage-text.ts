const SIZE = /([0-9]{1,4}) ?(mb|gb|tb)?(?![\p{L}\p{N}])/giu;

const GIGABYTES = { MB: 0.001, GB: 1, TB: 1_000 } as const;

/** Below this a number without a unit is no storage of a phone in gigabytes. */
const LEAST_BARE = 4;

interface Size {
  readonly text: string;
  readonly gigabytes: number;
}

/**
 * A storage as a field of its own states it: `128GB`, `128`, `1 TB`, or with the memory beside it, `8GB/128GB`; the larger
 * size is the storage. Undefined when it is anything else.
 */
export function parseStorage(text: string): string | undefined {
  const rest = text.replaceAll(SIZE, '').replaceAll(/\b(?:ram|rom|storage)\b|[+/,\s]/gi, '');
  const sizes = listSizes(text, LEAST_BARE);
  if (rest !== '' || sizes.length === 0) return undefined;
  return sizes.reduce((largest, size) => (size.gigabytes > largest.gigabytes ? size : largest)).text;
}

/** @param leastBare from where on a number without a unit is one of gigabytes */
function listSizes(text: string, leastBare: number): readonly Size[] {
  return [...text.matchAll(SIZE)].flatMap(([, number = '', unit]): readonly Size[] => {
    if (unit === undefined && Number(number) < leastBare) return [];
    const inUnit = (unit?.toUpperCase() ?? 'GB') as keyof typeof GIGABYTES;
    return [{ text: `${Number(number)}${inUnit}`, gigabytes: Number(number) * GIGABYTES[inUnit] }];
  });
}
