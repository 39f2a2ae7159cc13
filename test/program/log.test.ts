import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createLog, LogDestination } from '../../cli/console/log.ts';
import { endOf } from '../unit/cli/run-deals.ts';

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const MODULE = pathToFileURL(join(import.meta.dirname, '../../cli/console/log.ts')).href;
const folder = mkdtempSync(join(tmpdir(), 'deals-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The start of every script; imports the tested names and defines `wait(milliseconds)`. */
const PROLOGUE = `
  import { constants, openSync } from 'node:fs';
  import { setTimeout as wait } from 'node:timers/promises';
  import { ${createLog.name}, ${LogDestination.name} } from '${MODULE}';`;

const argumentsFor = (script: string): readonly string[] => [
  '--import',
  LOADER,
  '--input-type=module',
  '-e',
  PROLOGUE + script,
];

/** Runs `script` in a process whose file descriptor 3 is `file`. */
async function runOn(file: string, script: string): Promise<number | null> {
  const descriptor = openSync(file, 'w');
  const child = spawn(process.execPath, argumentsFor(`const log = new ${LogDestination.name}(3); ${script}`), {
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  closeSync(descriptor);
  return exitCode;
}

/** Starts `script` with a log on a named pipe. The pipe gives EAGAIN when it is full, and opens without a reader. */
function startOnPipe(pipe: string, script: string) {
  execFileSync('mkfifo', [pipe]);
  const log = `new ${LogDestination.name}(openSync('${pipe}', constants.O_RDWR | constants.O_NONBLOCK))`;
  return spawn(process.execPath, argumentsFor(`const log = ${log}; ${script}`));
}

/** What a process writes to stderr that logs ten entries and then runs `ending`. */
async function logAndEnd(ending: string): Promise<string> {
  const script = `
    const log = ${createLog.name}({ isStderrTerminal: false });
    for (let i = 0; i < 10; i++) log({ event: 'test', i, 'x-api-key': 'deals_secret', url: '/\\u009b2J\\u202e' });
    ${ending}`;
  return (await endOf(spawn(process.execPath, argumentsFor(script)))).stderr;
}

describe('the log', () => {
  it.each([
    ['by itself', ''],
    ['with process.exit', 'process.exit(1)'],
    ['with an error', 'throw new Error("a fault")'],
    ['with an unhandled rejection', 'void Promise.reject(new Error("a fault")); setTimeout(() => {}, 1_000)'],
  ])('is complete when the process ends %s', async (_, ending) => {
    const lines = (await logAndEnd(ending)).split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => (JSON.parse(line) as { i: number }).i)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is written before the process ends', async () => {
    // SIGKILL leaves no time to write anything.
    const stderr = await logAndEnd("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)");
    expect(stderr.trimEnd().split('\n').length).toBe(10);
  });

  it('escapes control characters, leaves out keys, and gives an entry for the operator the level error', async () => {
    const stderr = await logAndEnd("log({ event: 'snapshot-refused' });");
    const lines = stderr.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { level: string; url?: string });
    expect(lines[0]?.replace(/(?<="time":")[0-9T:.-]{23}Z/, 'TIME')).toBe(
      '{"level":"info","time":"TIME","event":"test","i":0,"url":"/\\u009b2J\\u202e"}',
    );
    expect(entries[0]).toMatchObject({ level: 'info', url: '/\u009b2J\u202e' });
    expect(entries.at(-1)?.level).toBe('error');
    expect(stderr).not.toContain('deals_secret');
  });
});

describe('the destination of the log', () => {
  it('writes every line once and in order', async () => {
    const file = join(folder, 'order.log');
    const script = 'for (let i = 0; i < 20_000; i++) { log.write(`${i}\\n`); if (i % 500 === 0) await wait(1); }';
    expect(await runOn(file, script)).toBe(0);
    const expected = Array.from({ length: 20_000 }, (_, i) => String(i));
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(expected);
  });

  it('goes on when the disk is full, and ends with the process', async () => {
    if (!existsSync('/dev/full')) return;
    const script = `
      for (let i = 0; i < 10; i++) { log.write('x'.repeat(5_000) + '\\n'); await wait(60); }
      log.write('the last\\n');`;
    expect(await runOn('/dev/full', script)).toBe(0);
  });

  it('waits for a slow reader, and loses nothing', async () => {
    const pipe = join(folder, 'slow');
    const writing = startOnPipe(
      pipe,
      `
      for (let i = 0; i < 5_000; i++) { log.write('x'.repeat(99) + '\\n'); if (i % 100 === 0) await wait(1); }
      await wait(1_500);`,
    );
    const reading = endOf(spawn('sh', ['-c', `sleep 0.5; cat '${pipe}' | wc -l`]));
    expect((await endOf(writing)).exitCode).toBe(0);
    expect((await reading).stdout.trim()).toBe('5000');
  });

  it('keeps some megabytes for a reader that takes nothing, and writes how many lines it dropped', async () => {
    const pipe = join(folder, 'unread');
    const writing = startOnPipe(
      pipe,
      `
      let count = 0;
      const write = () => log.write(String(count++).padStart(999) + '\\n');
      while (count < 40_000) { write(); if (count % 1_000 === 0) await wait(5); }
      let isRead = false;
      process.stdin.on('end', () => (isRead = true)).resume();
      console.log('offered');
      while (!isRead) { await wait(5); write(); }`,
    );
    const ended = once(writing, 'close');
    await once(writing.stdout, 'data');
    const reading = spawn('cat', [pipe]);
    let rest = '';
    const before: number[] = [];
    let dropped: number | undefined;
    let firstAfter: number | undefined;
    for await (const text of reading.stdout) {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('{')) dropped ??= (JSON.parse(line) as { lines: number }).lines;
        else if (dropped === undefined) before.push(Number(line));
        else firstAfter ??= Number(line);
      }
      if (firstAfter !== undefined) break;
    }
    writing.stdin.end();
    await ended;
    reading.kill();
    expect(before).toEqual(before.map((_, i) => i));
    expect(before.length).toBeGreaterThan(16_000);
    // A pipe holds 64 KB more.
    expect(before.length).toBeLessThan(17_000);
    expect(firstAfter).toBe(before.length + (dropped ?? 0));
  });
});
