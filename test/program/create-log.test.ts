import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const MODULE = pathToFileURL(join(import.meta.dirname, '../../cli/console/log.ts')).href;

/** What a process that logs ten entries and then ends as `ending` says wrote to stderr. */
function logAndEnd(ending: string): Promise<string> {
  const script = `
    import { createLog } from '${MODULE}';
    const log = createLog({ isStderrTerminal: false });
    for (let i = 0; i < 10; i++) log({ event: 'test', i, 'x-api-key': 'deals_secret', url: '/\\u009b2J\\u202e' });
    ${ending}
  `;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', LOADER, '--input-type=module', '-e', script], (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}

describe('the log', () => {
  it.each([
    ['by itself', ''],
    ['with process.exit', 'process.exit(1)'],
    ['by a fault', 'throw new Error("a fault")'],
    ['by a fault of later', 'setTimeout(() => { throw new Error("a fault"); }, 10)'],
    ['by a promise that was not caught', 'void Promise.reject(new Error("a fault")); setTimeout(() => {}, 1_000)'],
  ])('is whole when the process ends %s', async (_, ending) => {
    const lines = (await logAndEnd(ending)).split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => (JSON.parse(line) as { i: number }).i)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('does not wait for the end', async () => {
    // SIGKILL leaves no time for anything.
    const stderr = await logAndEnd("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)");
    expect(stderr.trimEnd().split('\n').length).toBe(10);
  });

  it('does nothing to the terminal on which it is read', async () => {
    const stderr = await logAndEnd('');
    expect(stderr).toContain('"url":"/\\u009b2J\\u202e"');
    expect(JSON.parse(stderr.split('\n')[0] ?? '')).toMatchObject({ url: '/\u009b2J\u202e' });
  });

  it('gives what someone must mend the level of an error, and all else that of information', async () => {
    const stderr = await logAndEnd("log({ event: 'snapshot-refused' });");
    const levels = stderr
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level);
    expect([levels[0], levels.at(-1)]).toEqual(['info', 'error']);
  });

  it('leaves out a key', async () => {
    expect(await logAndEnd('')).not.toContain('deals_secret');
  });
});
