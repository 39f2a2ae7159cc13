/** Order by UTF-16 code unit: the same on every machine and in every locale. */
export function compareCodeUnits(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
