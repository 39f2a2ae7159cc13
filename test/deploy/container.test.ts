import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { withServer } from '../harness.ts';
import { findUnknownWords, VARIABLES } from './deals-words.ts';
import { readDeployed } from './deploy-folder.ts';

const TEXT = readDeployed('Containerfile').replaceAll(/\\\n/g, ' ');

const textsOf = (name: string): readonly string[] =>
  Array.from(TEXT.matchAll(new RegExp(`^${name} (.*)$`, 'gm')), ([, text = '']) => text);

/** The words of the last instruction of a name, which has the form of a list. */
const wordsOf = (name: string): readonly string[] =>
  JSON.parse(/\[.*\]$/.exec(textsOf(name).at(-1) ?? '')?.[0] ?? '[]') as string[];

describe('the Containerfile', () => {
  it('copies what there is, sets what a command reads, and runs a command that there is', () => {
    const ofHere = textsOf('COPY').filter((text) => !text.startsWith('--from='));
    const copied = ofHere.flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((path) => !existsSync(join(PROGRAM_ROOT, path)))).toEqual([]);
    const set =
      textsOf('ENV')
        .join(' ')
        .match(/DEALS_\w+(?==)/g) ?? [];
    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !VARIABLES.has(name))).toEqual([]);
    expect(findUnknownWords(wordsOf('CMD'))).toEqual([]);
    expect(existsSync(join(PROGRAM_ROOT, wordsOf('ENTRYPOINT')[1] ?? 'none'))).toBe(true);
  });

  it('is healthy when the server is ready, and not when it has no snapshot', async () => {
    const [, ...probe] = wordsOf('HEALTHCHECK');
    const isHealthy = async (port: number): Promise<boolean> =>
      promisify(execFile)(process.execPath, probe, { env: { DEALS_PORT: String(port) } }).then(
        () => true,
        () => false,
      );
    expect(await isHealthy((await withServer()).port)).toBe(true);
    expect(await isHealthy((await withServer({ catalogue: null })).port)).toBe(false);
  });
});
