import { pruneSnapshots, removeLeftovers } from '../../build/publish/prune.ts';
import { publishSnapshot } from '../../build/publish/publish.ts';
import { acquireStoreLock } from '../../data/store/lock.ts';
import { createContentNumber } from '../unit/build/publish/snapshot-content.ts';

// Run as a process of its own, to be killed: publishes one snapshot after the other and says each that is done.
const [store = '', first = '1'] = process.argv.slice(2);
acquireStoreLock(store);
removeLeftovers(store);
process.stdout.write('ready\n');
for (let number = Number(first); ; number++) {
  const now = new Date(Date.UTC(2026, 10, 20, 2, number));
  const { id } = publishSnapshot(store, createContentNumber(number), { now, sources: [], gates: [] });
  process.stdout.write(`${id}\n`);
  pruneSnapshots(store);
}
