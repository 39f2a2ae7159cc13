/**
 * Work that is done in steps of a millisecond or two: whoever takes them may give way to others in between. The result
 * comes with the last.
 */
export type IncrementalTask<Result> = Generator<undefined, Result>;

/** As `map`, in steps. */
export function* mapIncrementally<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Result,
  itemsPerStep = 100,
): IncrementalTask<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(make(item));
    if (results.length % itemsPerStep === 0) yield;
  }
  return results;
}
