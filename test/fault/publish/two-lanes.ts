/** As many as the machine has cores to spare, in the tests of one file. */
const LANES = ['left', 'right'] as const;

const SHOWN_FAILURES = 20;

/**
 * Works through the items, two at a time; each lane knows its name, so that it can have a store of its own.
 *
 * @throws {Error} when the work on any of them failed: all are tried, and it says how many failed and how the first did
 */
export async function inTwoLanes<Item>(
  items: readonly Item[],
  work: (item: Item, lane: string) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const failures: string[] = [];
  const runLane = async (lane: string): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item, lane);
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
  };
  await Promise.all(LANES.map(runLane));
  if (failures.length === 0) return;
  throw new Error(`${failures.length} of ${items.length} failed:\n${failures.slice(0, SHOWN_FAILURES).join('\n\n')}`);
}
