import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePullState } from '../support/pull-state.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { requireSuccess } from '../unit/cli/run-deals.ts';
import { writeSmallSource } from '../unit/cli/small-source.ts';

let cwd = '';

/** A store with one snapshot, and its configuration. */
async function build(name: string, ...args: readonly string[]): Promise<readonly string[]> {
  const folder = join(cwd, name);
  writeSmallSource(folder);
  const options = ['--config', join(folder, 'catalogue.json'), '--store', join(cwd, `${name}-store`)];
  requireSuccess(await callDeals(['build', ...options, ...args]));
  return options;
}

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-status-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

describe('deals status', () => {
  it('shows what is current, its age, its sources and the last build, and ends with 0 when there is nothing to do', async () => {
    const options = await build('fine');
    const { exitCode, stdout, stderr } = await callDeals(['status', ...options]);
    const id = '[0-9]{8}T[0-9]{4}Z-[0-9a-f]{8}';
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      'state       fine',
      expect.stringMatching(`^current     ${id}, 1 products, 3 deals, made 0 minutes ago, confirmed 0 minutes ago$`),
      'source      site: fresh, 3 of 3 records kept, 0 quarantined',
      'source      house: fresh, 3 of 3 records kept, 0 quarantined',
      expect.stringMatching(/^last build {2}[0-9T:.-]+Z: Published /),
    ]);
    expect(await callDeals(['status', ...options, '--line'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(`^fine: ${id}, 1 products, 3 deals, [^\n]+ minutes ago\n$`),
    });
  });

  it('ends with 4 for a feed that is held, says why and until when its deals are served, and what to do', async () => {
    const options = await build('held');
    writeFileSync(join(cwd, 'held/feeds/house/deals.csv'), '<html>Down for maintenance</html>\n');
    expect((await callDeals(['build', ...options])).exitCode).toBe(4);
    const { exitCode, stdout } = await callDeals(['status', ...options]);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^source +house: carried-forward, .* last read /m);
    expect(stdout).toMatch(/^the last one that ended, .* Held: house could not be read .* are served until /m);
    expect(stdout).toMatch(/^ {2}what to do: fetch house again/m);
    const line = await callDeals(['status', ...options, '--line']);
    expect(line).toMatchObject({ exitCode: 4, stdout: expect.stringMatching(/^attention: [^\n]+\n$/) });
  });

  it('ends with 4 for a snapshot that no build has confirmed for too long', async () => {
    const options = await build('stale', '--now', new Date(Date.now() - 30 * 3_600_000).toISOString());
    const { exitCode, stdout } = await callDeals(['status', ...options, '--line']);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^attention: \S+: no build has confirmed it for 30\.0 hours\n$/);
    expect((await callDeals(['status', ...options, '--stale-after', '31h'])).exitCode).toBe(0);
  });

  it('ends with 4 for a store in which nothing is published, and with 2 without a store', async () => {
    const store = mkdtempSync(join(cwd, 'empty-'));
    const { exitCode, stdout } = await callDeals(['status', '--store', store, '--json']);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      state: 'attention',
      sources: [],
      attention: [{ state: 'fault', found: `${store}: nothing is published`, remedy: 'run deals build' }],
    });
    expect((await callDeals(['status', '--store', join(cwd, 'missing')])).exitCode).toBe(2);
  });

  it('says what the last pull came to, for programs as /status/ has it', async () => {
    const options = await build('pulled');
    const at = new Date().toISOString();
    const failure = { at, step: 'blob' as const, message: 'HTTP 503' };
    writePullState(join(cwd, 'pulled-store'), { lastContactAt: at, lastFailure: failure });
    const { exitCode, stdout } = await callDeals(['status', ...options, '--json']);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'attention',
      current: { products: 1, deals: 3, stale: false },
      lastBuild: { outcome: 'published' },
      pull: { url: 's3://catalogue/uk', lastFailure: failure },
      attention: [{ found: `deals pull failed at ${at} (blob): HTTP 503` }],
    });
    writePullState(join(cwd, 'pulled-store'), { lastContactAt: at });
    const screen = await callDeals(['status', ...options]);
    expect(screen.exitCode).toBe(0);
    expect(screen.stdout).toContain(`pull        no revision yet of s3://catalogue/uk, last contact ${at}\n`);
  });
});
