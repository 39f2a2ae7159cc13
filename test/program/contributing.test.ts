import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReadme } from '../docs/readme-tables.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What the compiler reads. */
const COMPILED = ['build', 'cli', 'data', 'server', 'test', 'package.json', 'tsconfig.json'];

let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'deals-contributing-'));
  for (const name of COMPILED) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.png') });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true }));

describe('the first change of CONTRIBUTING.md', () => {
  it('compiles when it is made as it is told', { timeout: 120_000 }, () => {
    const [, file = '', word = '', row = ''] =
      /In `([^`]+)`, below the row of `([^`]+)`:\n\n```ts\n([^]*?)```/.exec(readReadme('CONTRIBUTING.md')) ?? [];
    const path = join(copy, file);
    const lines = readFileSync(path, 'utf8').split('\n');
    const place = lines.findIndex((line) => line.startsWith(`  { word: '${word}',`));
    expect(place).toBeGreaterThan(0);
    writeFileSync(path, lines.toSpliced(place + 1, 0, row.trimEnd()).join('\n'));
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const { status, stdout } = spawnSync(compiler, ['-p', 'test/tsconfig.json'], { cwd: copy, encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });
});
