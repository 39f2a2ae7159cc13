import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DEALS, PROGRAM_ROOT } from '../../fault/program.ts';
import { endOf, untilAddress } from './run-deals.ts';

// Some seconds; the limit is for a machine that does much else.
it('the compiled program builds the sample, serves it and answers what it shows', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deals-smoke-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(PROGRAM_ROOT, 'data/sample'), folder, { recursive: true, filter: (path) => !path.includes('/images') });
  const config = JSON.parse(readFileSync(join(folder, 'catalogue.json'), 'utf8')) as object;
  // Pictures take longer than all the rest.
  writeFileSync(join(folder, 'catalogue.json'), JSON.stringify({ ...config, images: { render: false } }));
  const child = spawn(process.execPath, [DEALS, 'demo', '--config', 'catalogue.json', '--store', 'store'], {
    cwd: folder,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const end = endOf(child);
  const said = await Promise.race([untilAddress(child), end.then(({ stderr }) => stderr)]);
  const [, keyText = '', target = ''] = /^curl -g -H 'x-api-key: (\S+)' '(\S+)'$/m.exec(said) ?? [];
  const response = await fetch(target, { headers: { 'x-api-key': keyText } });
  expect([response.status, await response.json()]).toMatchObject([200, { products: [{}, {}] }]);
  child.kill('SIGTERM');
  expect((await end).exitCode).toBe(0);
});
