import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../harness.ts';
import { ask, createKey, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';

/** What is searched for: a key is known by any long part of what follows its prefix. */
const secretOf = (key: string): string => key.slice(10, 34);

/** The strings of the heap after a collection. */
async function takeHeapSnapshot({ pid, folder }: RunningProgram): Promise<string> {
  process.kill(pid, 'SIGUSR2');
  let file: string | undefined;
  await until(async () => {
    file = readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
    if (file === undefined) return false;
    return readFileSync(join(folder, file), 'latin1').trimEnd().endsWith('}');
  });
  return readFileSync(join(folder, file ?? ''), 'utf8');
}

it('the text of a key is not remembered: not in the heap after a collection, and in no metric (D16)', async () => {
  const program = await startProgram({ nodeArgs: ['--heapsnapshot-signal=SIGUSR2'] });
  onTestFinished(() => program.stop());
  const second = createKey(program.folder, '--name', 'holder-two');
  await until(async () => (await ask(program.url + TARGET, second)).status === 200);
  for (const path of [TARGET, `/deals/v1/${program.key}/`, `${TARGET}&sort=${program.key}`]) {
    for (let i = 0; i < 20; i++) await ask(program.url + path, program.key);
  }
  expect((await ask(program.metricsUrl, undefined)).text).not.toMatch(new RegExp(`${secretOf(program.key)}|holder-`));
  // The client keeps a connection, of which Node holds the last request: let another key be the one.
  for (let i = 0; i < 50; i++) await ask(program.url + TARGET, second);
  const heap = await takeHeapSnapshot(program);
  // The target shows that what the program does remember is found, and so would a key be.
  const found = { target: heap.includes('products(cheapestDeal)'), key: heap.includes(secretOf(program.key)) };
  expect(found).toEqual({ target: true, key: false });
  expect(program.output()).not.toContain(secretOf(program.key));
});
