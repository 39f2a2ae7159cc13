import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addKey } from '../../../server/keys/key-file.ts';
import { fetchText, until, withStore } from '../../harness.ts';
import { serveProgram } from '../run-deals.ts';

const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';

/** What is searched for: a key is known by any long part of what follows its prefix. */
const secretOf = (key: string): string => key.slice(10, 34);

/** The strings of the heap after a collection. */
async function takeHeapSnapshot(pid: number, folder: string): Promise<string> {
  process.kill(pid, 'SIGUSR2');
  const read = (): string => {
    const file = readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
    return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  };
  await until(async () => read().trimEnd().endsWith('}'));
  return read();
}

it('the text of a key is not remembered: not in the heap after a collection, and in no metric (D16)', async () => {
  const { folder, store, keysFile, key: first } = await withStore();
  const program = await serveProgram({ store, keysFile, cwd: folder, node: ['--heapsnapshot-signal=SIGUSR2'] });
  onTestFinished(() => void program.stop());
  const ask = (target: string, key: string) => fetchText(program.url + target, { headers: { 'x-api-key': key } });
  const { keyText: second } = await addKey(keysFile, { name: 'holder-two' }, new Date());
  await until(async () => (await ask(TARGET, second)).status === 200);
  for (const target of [TARGET, `/deals/v1/${first}/`, `${TARGET}&sort=${first}`]) {
    for (let i = 0; i < 20; i++) await ask(target, first);
  }
  const { text: metrics } = await fetchText(program.metricsUrl);
  expect(metrics).not.toMatch(new RegExp(`${secretOf(first)}|holder-two`));
  // The client keeps a connection, of which Node holds the last request: let another key be the one.
  for (let i = 0; i < 50; i++) await ask(TARGET, second);
  const heap = await takeHeapSnapshot(program.pid, folder);
  // The target shows that what the program does remember is found, and so would a key be.
  const found = { target: heap.includes('products(cheapestDeal)'), key: heap.includes(secretOf(first)) };
  expect(found).toEqual({ target: true, key: false });
  expect(program.output()).not.toContain(secretOf(first));
});
