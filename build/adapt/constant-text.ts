import type { DealField } from './deals-column.ts';

/** What the configuration says of every deal of a feed or a merchant. */
export type Constants = Readonly<Partial<Record<DealField, string>>>;

/**
 * A constant, with what stands in its holes: `{network} {dataGb}` becomes `Three 100GB`. Undefined when one of them is
 * missing.
 */
export function fillConstant(text: string, found: (field: DealField) => string | undefined): string | undefined {
  let isComplete = true;
  const filled = text.replaceAll(HOLE, (_whole, name: string) => {
    const value = found(name as DealField);
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}

/** The fields in the holes of a constant. */
export function holesOf(text: string): readonly string[] {
  return [...text.matchAll(HOLE)].map(([, name]) => name ?? '');
}

const HOLE = /\{([A-Za-z]+)\}/g;

/** The constants of a configuration as texts, without those that are not given. */
export function compileConstants(
  settings: Readonly<Partial<Record<DealField, string | number | undefined>>>,
): Constants {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, String(value)]));
}
