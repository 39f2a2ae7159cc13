import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openLog } from '../../cli/console/log.ts';
import { isMissing } from '../fault/needs.ts';
import { until } from '../harness.ts';
import { endOf } from '../unit/cli/run-deals.ts';

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const MODULE = pathToFileURL(join(import.meta.dirname, '../../cli/console/log.ts')).href;
const folder = mkdtempSync(join(tmpdir(), 'deals-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines on stderr of a process that logs ten entries and then runs `ending`. */
async function logAndEnd(ending: string): Promise<readonly string[]> {
  const script = `import { createLog } from '${MODULE}';
    const log = createLog({ isStderrTerminal: false });
    for (let i = 0; i < 10; i++) log({ event: 'test', i, 'x-api-key': 'deals_secret', url: '/\\u009b2J\\u202e' });
    ${ending}`;
  const { stderr } = await endOf(spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', script]));
  return stderr.split('\n').filter((line) => line.startsWith('{'));
}

describe('the log', () => {
  it.each([
    ['by itself', ''],
    ['with process.exit', 'process.exit(1)'],
    ['with an error', 'throw new Error("a fault")'],
    ['with an unhandled rejection', 'void Promise.reject(new Error("a fault")); setTimeout(() => {}, 1_000)'],
    ['by a signal that leaves no time', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)"],
  ])('is complete when the process ends %s', async (_, ending) => {
    const entries = (await logAndEnd(ending)).map((line) => JSON.parse(line) as { readonly i: number });
    expect(entries.map(({ i }) => i)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('escapes control characters, leaves out keys, and gives an entry for the operator the level error', async () => {
    const lines = await logAndEnd("log({ event: 'snapshot-refused' });");
    expect(lines[0]?.replace(/(?<="time":")[0-9T:.-]{23}Z/, 'TIME')).toBe(
      '{"level":"info","time":"TIME","event":"test","i":0,"url":"/\\u009b2J\\u202e"}',
    );
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error' });
    expect(lines.join('')).not.toContain('deals_secret');
  });
});

describe('the destination of the log', () => {
  /** A log on a named pipe, which gives EAGAIN when it is full, and opens without a reader. */
  const openPipe = (name: string): ((line: string) => void) => {
    execFileSync('mkfifo', [join(folder, name)]);
    return openLog(openSync(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK));
  };

  it.skipIf(isMissing('a full disk', { name: '/dev/full', isThere: existsSync('/dev/full') }))(
    'goes on when the disk is full, and ends with the process',
    async () => {
      const script = `import { openLog } from '${MODULE}'; import { openSync } from 'node:fs';
        const log = openLog(openSync('/dev/full', 'w'));
        for (let i = 0; i < 10; i++) { log('x'.repeat(5_000)); await new Promise((done) => setTimeout(done, 60)); }`;
      const child = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', script]);
      expect(await endOf(child)).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  it('waits for a slow reader, and loses nothing', async () => {
    const log = openPipe('slow');
    for (let i = 0; i < 5_000; i++) log(`${'x'.repeat(99)}\n`);
    const reader = spawn('sh', ['-c', `sleep 0.5; head -n 5000 '${join(folder, 'slow')}' | wc -l`]);
    expect((await endOf(reader)).stdout.trim()).toBe('5000');
  });

  it('keeps some megabytes for a reader that takes nothing, and writes how many lines it dropped', async () => {
    const log = openPipe('unread');
    let count = 0;
    const writeNext = (): void => log(`${String(count++).padStart(999)}\n`);
    for (let i = 0; i < 40_000; i++) {
      writeNext();
      if (i % 1_000 === 999) await sleep(5);
    }
    const writing = setInterval(writeNext, 5);
    const reader = spawn('cat', [join(folder, 'unread')]);
    const closed = once(reader, 'close');
    let text = '';
    let told = '';
    reader.stdout.on('data', (part) => {
      text += String(part);
      if (told !== '' || String(part).includes('{')) told += String(part);
    });
    await until(async () => /\{.*\n +\d+\n/.test(told));
    clearInterval(writing);
    reader.kill();
    await closed;
    const [before = '', entry = '', after = ''] = text.split(/^(\{.*\})\n/m);
    const numbers = before.trimEnd().split('\n').map(Number);
    expect(numbers).toEqual(numbers.map((_, i) => i));
    // 16 MB, and 64 KB in the pipe.
    expect(numbers.length).toBeGreaterThan(16_000);
    expect(numbers.length).toBeLessThan(17_000);
    const { lines } = JSON.parse(entry) as { readonly lines: number };
    expect(Number.parseInt(after)).toBe(numbers.length + lines);
  });
});
