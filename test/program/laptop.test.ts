import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PROGRAM_ROOT } from '../fault/program.ts';
import { findFreePort } from '../support/ports.ts';

const PAGE = readFileSync(join(PROGRAM_ROOT, 'data/spec/many-machines.md'), 'utf8');
const [, SECTION = ''] = /\n## On a laptop\n([^]*?)\n## /.exec(PAGE) ?? [];
const WALK = Array.from(SECTION.matchAll(/```sh\n([^]*?)```/g), ([, block = '']) => block).join('');

/** The ports of the page, in the order in which the servers are asked. */
const PORTS = ['8081', '8082', '8083'];

it('the walk of many-machines.md takes three servers of a laptop from snapshot to snapshot and back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deals-laptop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'dist'));
  for (const name of ['data', 'dist/js']) symlinkSync(join(PROGRAM_ROOT, name), join(folder, name));
  let script = WALK;
  const replace = (from: string, to: string): void => {
    expect(script).toContain(from);
    script = script.replaceAll(from, to);
  };
  // It is compiled, and its packages are installed.
  replace('npm ci\nnpm run compile\n', '');
  for (const port of PORTS) replace(port, String(await findFreePort()));
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-c', `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`],
    { cwd: folder, encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  const shown = Array.from(stdout.matchAll(/"snapshot":"([^"]+)"/g), ([, id]) => id);
  const published = Array.from(stdout.matchAll(/^published: (\S+) as revision/gm), ([, id]) => id);
  expect(published).toHaveLength(3);
  expect(published[2]).toBe(published[0]);
  expect(new Set(published).size).toBe(2);
  expect(shown).toEqual(published.flatMap((id) => PORTS.map(() => id)));
  expect(stdout).toMatch(/^\{"products":\[\{"id":/m);
  expect(readFileSync(join(folder, 'dist/many/pull.log'), 'utf8')).toContain('"event":"pull-failed"');
}, 180_000);
