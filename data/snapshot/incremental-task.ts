/**
 * Work in steps of a millisecond or two. The caller may let other work run between two steps. The last step returns the
 * result.
 */
export type IncrementalTask<Result> = Generator<undefined, Result>;

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
