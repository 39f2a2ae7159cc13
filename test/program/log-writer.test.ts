import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogDestination } from '../../cli/console/log.ts';

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
/** The class, by its name in the script of another process. */
const LOG_DESTINATION = LogDestination.name;
const MODULE = pathToFileURL(join(import.meta.dirname, '../../cli/console/log.ts')).href;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deals-log-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `script` with a writer `log` on the open file `fd`, in a process of its own. */
function start(script: string, stdio: readonly (number | 'pipe' | 'ignore')[]) {
  const lines = `import { ${LOG_DESTINATION} } from '${MODULE}'; const log = new ${LOG_DESTINATION}(3); ${script}`;
  return spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', lines], { stdio: [...stdio] });
}

async function run(script: string, fd: number): Promise<number | null> {
  const [code] = (await once(start(script, ['ignore', 'ignore', 'ignore', fd]), 'close')) as [number | null];
  return code;
}

describe('the writer of the log', () => {
  it('writes every line once and in order, however they come', async () => {
    const file = join(folder, 'order.log');
    const fd = openSync(file, 'w');
    const code = await run(
      `for (let i = 0; i < 20_000; i++) {
        log.write(i + '\\n');
        if (i % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }`,
      fd,
    );
    closeSync(fd);
    expect(code).toBe(0);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toEqual(
      Array.from({ length: 20_000 }, (_, i) => String(i)),
    );
  });

  it('with a full disk goes on, and ends when the process does', async () => {
    if (!existsSync('/dev/full')) return;
    const fd = openSync('/dev/full', 'w');
    const code = await run(
      `for (let i = 0; i < 10; i++) {
        log.write('x'.repeat(5_000) + '\\n');
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      log.write('the last\\n');`,
      fd,
    );
    closeSync(fd);
    expect(code).toBe(0);
  });

  it('waits for a reader that is behind, and loses nothing', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // A pipe that is opened for both does not wait for the other end, and one that does not block says EAGAIN when full.
    const reading = spawn('sh', ['-c', `sleep 0.5; cat '${pipe}' | wc -l`]);
    const script = `
      import { openSync, constants } from 'node:fs';
      import { ${LOG_DESTINATION} } from '${MODULE}';
      const log = new ${LOG_DESTINATION}(openSync('${pipe}', constants.O_RDWR | constants.O_NONBLOCK));
      for (let i = 0; i < 5_000; i++) {
        log.write('x'.repeat(99) + '\\n');
        if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await new Promise((resolve) => setTimeout(resolve, 1_500));`;
    const writing = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', script]);
    let counted = '';
    reading.stdout.on('data', (text) => (counted += String(text)));
    const read = once(reading, 'close');
    const [code] = (await once(writing, 'close')) as [number | null];
    await read;
    expect({ code, counted: counted.trim() }).toEqual({ code: 0, counted: '5000' });
  });

  it('keeps some megabytes for a reader that takes nothing, and tells how many lines it dropped', async () => {
    const pipe = join(folder, 'unread');
    execFileSync('mkfifo', [pipe]);
    const script = `
      import { openSync, constants } from 'node:fs';
      import { ${LOG_DESTINATION} } from '${MODULE}';
      const log = new ${LOG_DESTINATION}(openSync('${pipe}', constants.O_RDWR | constants.O_NONBLOCK));
      const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
      let count = 0;
      const write = () => log.write(String(count++).padStart(999) + '\\n');
      while (count < 40_000) {
        write();
        if (count % 1_000 === 0) await pause();
      }
      let isRead = false;
      process.stdin.on('end', () => (isRead = true)).resume();
      console.log('offered');
      while (!isRead) {
        await pause();
        write();
      }`;
    const writing = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '-e', script]);
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
