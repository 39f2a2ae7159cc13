/** Like `items.map(work)`, with at most `limit` calls at a time; results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length });
  const queue = items.entries();
  const drain = async () => {
    for (const [position, item] of queue) results[position] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, drain));
  return results;
}
