/**
 * Like `items.map(work)`, with at most `limit` calls at a time; results are in the order of the items. After an error no further
 * call begins, and the error is thrown when those under way have ended: nothing goes on behind the back of the caller.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length });
  const queue = items.entries();
  let hasFailed = false;
  const drain = async () => {
    try {
      for (const [position, item] of queue) {
        if (hasFailed) return;
        results[position] = await work(item);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, drain));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results;
}
