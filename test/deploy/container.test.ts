import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { withServer } from '../harness.ts';
import { findUnknownWords, VARIABLES } from './deals-words.ts';
import { readDeployed } from './deploy-folder.ts';

const LINES = readDeployed('Containerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => !/^\s*(#|$)/.test(line));

const textsOf = (name: string) =>
  LINES.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** The words of the last instruction of a name, which has the form of a list. */
function wordsOf(name: string): string[] {
  return JSON.parse(/\[.*\]$/.exec(textsOf(name).at(-1) ?? '')?.[0] ?? '[]') as string[];
}

describe('the Containerfile', () => {
  it('copies only what there is', () => {
    const copied = textsOf('COPY')
      .filter((text) => !text.startsWith('--from='))
      .flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((path) => !existsSync(join(PROGRAM_ROOT, path)))).toEqual([]);
  });

  it('sets what a command reads, and runs a command that there is', () => {
    const set = textsOf('ENV').flatMap((text) => Array.from(text.matchAll(/(DEALS_\w+)=/g), ([, name]) => name ?? ''));
    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(findUnknownWords(wordsOf('CMD'))).toEqual([]);
    expect(existsSync(join(PROGRAM_ROOT, wordsOf('ENTRYPOINT')[1] ?? 'none'))).toBe(true);
  });

  it.each([
    ['healthy when the server is ready', true],
    ['not healthy when it has no snapshot', false],
  ])('is %s', async (_, isReady) => {
    const { port } = await withServer(isReady ? {} : { catalogue: null });
    const [, ...probe] = wordsOf('HEALTHCHECK');
    const env = { DEALS_PORT: String(port) };
    const isHealthy = await promisify(execFile)(process.execPath, probe, { env }).then(
      () => true,
      () => false,
    );
    expect(isHealthy).toBe(isReady);
  });
});
