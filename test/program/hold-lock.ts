import { acquireStoreLock, StoreBusyError } from '../../data/store/lock.ts';

// Run as a process of its own: waits for a line on stdin, takes the lock, says so, and holds it until stdin ends.
const [store = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
process.stdin.once('data', () => {
  try {
    acquireStoreLock(store);
    process.stdout.write('held\n');
    process.stdin.resume();
  } catch (error) {
    process.stdout.write(error instanceof StoreBusyError ? 'busy\n' : `${String(error)}\n`);
    process.exit();
  }
});
