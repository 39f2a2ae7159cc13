import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey, isWellFormedKey } from '../../server/keys/api-key.ts';
import { callDeals } from '../unit/cli/call-deals.ts';
import { runDeals, type DealsRun } from '../unit/cli/run-deals.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'deals-cli-keys-'));
  process.chdir(cwd);
});

afterEach(() => rmSync(cwd, { recursive: true }));

function keys(...args: readonly string[]): Promise<DealsRun> {
  return callDeals(['keys', ...args]);
}

function keyFile(): { keys: { id: string; name: string; sha256: string; from?: string; until?: string }[] } {
  return JSON.parse(readFileSync(join(cwd, 'keys.json'), 'utf8'));
}

describe('deals keys create', () => {
  it('prints the key alone on stdout, and stores its hash alone', async () => {
    const created = await runDeals(['keys', 'create', '--keys', 'keys.json', '--name', 'website'], { cwd });
    const keyText = created.stdout.trimEnd();
    expect(created.exitCode).toBe(0);
    expect(created.stdout).toBe(`${keyText}\n`);
    expect(isWellFormedKey(keyText)).toBe(true);
    expect(keyFile().keys).toMatchObject([{ name: 'website', sha256: hashApiKey(keyText) }]);
    expect(created.stderr).toBe(
      `keys.json: added the key ${keyFile().keys[0]?.id} of website. It is not shown again.\n`,
    );
    expect(statSync(join(cwd, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, 'keys.json'), 'utf8')).not.toContain(keyText.slice(6));
  });

  it('takes a date as its first moment in UTC, regardless of the zone of the machine', async () => {
    const args = [
      'keys',
      'create',
      '--keys',
      'keys.json',
      '--name',
      'a',
      '--from',
      '2026-12-01',
      '--until',
      '2999-01-01T12:00:00+02:00',
    ];
    await runDeals(args, { cwd, env: { TZ: 'Pacific/Auckland' } });
    expect(keyFile().keys).toMatchObject([{ from: '2026-12-01T00:00:00.000Z', until: '2999-01-01T10:00:00.000Z' }]);
  });

  it.each([
    [
      'a name that cannot be printed',
      ['--keys', 'keys.json', '--name', 'a\nb'],
      '--name: expected 1 to 80 printable characters',
    ],
    [
      'an end that has passed',
      ['--keys', 'keys.json', '--name', 'a', '--until', '2020-01-01'],
      '--until: expected a time to come, got 2020-01-01T00:00:00.000Z',
    ],
    [
      'an end before its beginning',
      ['--keys', 'keys.json', '--name', 'a', '--from', '2999-02-01', '--until', '2999-01-01'],
      '--until: expected a time after --from 2999-02-01T00:00:00.000Z, got 2999-01-01T00:00:00.000Z',
    ],
    [
      'a day that is not in the calendar',
      ['--keys', 'keys.json', '--name', 'a', '--until', '2999-02-30'],
      "option '--until <time>' argument '2999-02-30' is invalid. Expected a date such as 2026-12-01, or a time with its zone such as 2026-12-01T02:30:00Z; see deals keys create --help",
    ],
    [
      'a limit that is none',
      ['--keys', 'keys.json', '--name', 'a', '--rate-limit', '600/60'],
      "option '--rate-limit <requests/duration>' argument '600/60' is invalid. Expected requests per duration such as 600/1m, or off; see deals keys create --help",
    ],
  ])('with %s makes no key', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await keys('create', ...args);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: '', stderr: `deals: ${message}\n` });
    expect(() => keyFile()).toThrow('ENOENT');
  });
});

describe('the limit of a key', () => {
  it.each(['60/1m', 'off'])('is in the file and in the list: %s', async (rateLimit) => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    await keys('create', '--keys', 'keys.json', '--name', 'partner', '--rate-limit', rateLimit);
    expect(keyFile().keys.map((entry) => 'rateLimit' in entry && entry.rateLimit)).toEqual([false, rateLimit]);
    const listed = JSON.parse((await keys('list', '--keys', 'keys.json', '--json')).stdout) as { keys: object[] };
    expect(listed.keys[0]).not.toHaveProperty('rateLimit');
    expect(listed.keys[1]).toMatchObject({ name: 'partner', rateLimit });
    expect((await keys('list', '--keys', 'keys.json')).stdout).toMatch(new RegExp(` ${rateLimit} `));
  });
});

describe('the operator mark', () => {
  it('is in the file and in the list, and not there unless it is asked for', async () => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    await keys('create', '--keys', 'keys.json', '--name', 'editor', '--operator');
    expect(keyFile().keys.map((entry) => 'operator' in entry && entry.operator)).toEqual([false, true]);
    const listed = JSON.parse((await keys('list', '--keys', 'keys.json', '--json')).stdout) as { keys: object[] };
    expect(listed.keys[0]).not.toHaveProperty('operator');
    expect(listed.keys[1]).toMatchObject({ name: 'editor', operator: true });
    const [, website, editor] = (await keys('list', '--keys', 'keys.json')).stdout.split('\n');
    expect([website?.includes(' operator '), editor?.includes(' operator ')]).toEqual([false, true]);
  });
});

describe('deals keys list', () => {
  it('shows every key with its state, and neither key nor hash', async () => {
    const { stdout: keyText } = await keys('create', '--keys', 'keys.json', '--name', 'website');
    await keys('create', '--keys', 'keys.json', '--name', 'partner', '--from', '2999-01-01');
    const file = keyFile();
    file.keys.push({
      ...file.keys[0],
      id: '00000000',
      name: 'old',
      sha256: hashApiKey('old'),
      until: '2020-01-01T00:00:00Z',
    });
    writeFileSync(join(cwd, 'keys.json'), JSON.stringify(file));

    const listed = await keys('list', '--keys', 'keys.json');
    expect(listed.exitCode).toBe(0);
    expect(listed.stderr).toBe('');
    expect(listed.stdout.split('\n').map((line) => line.slice(10, 35).trim())).toEqual([
      expect.stringMatching(/^name +state/),
      expect.stringMatching(/^website +valid/),
      expect.stringMatching(/^partner +not yet valid/),
      expect.stringMatching(/^old +expired/),
      '',
    ]);
    const json = await keys('list', '--keys', 'keys.json', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      keys: [{ state: 'valid' }, { state: 'not yet valid' }, { state: 'expired' }],
    });
    for (const { sha256 } of file.keys) expect(listed.stdout + json.stdout).not.toContain(sha256);
    expect(listed.stdout + json.stdout).not.toContain(keyText.slice(6, -1));
  });

  it('takes the file from the environment, and a flag before it', async () => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    const env = { DEALS_KEYS: 'keys.json' };
    expect((await callDeals(['keys', 'list'], env)).stdout).toContain('website');
    const other = await callDeals(['keys', 'list', '--keys', 'other.json'], env);
    expect(other).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'deals: other.json: expected a key file, found none; deals keys create --keys other.json --name website makes one\n',
    });
  });

  it('takes the file from .env, and the environment before it', async () => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    writeFileSync(join(cwd, '.env'), 'DEALS_KEYS=keys.json\n');
    expect((await runDeals(['keys', 'list'], { cwd })).stdout).toContain('website');
    expect((await runDeals(['keys', 'list'], { cwd, env: { DEALS_KEYS: 'other.json' } })).stderr).toContain(
      'other.json',
    );
  });

  it('refuses a broken file', async () => {
    writeFileSync(join(cwd, 'keys.json'), '{"keys": [');
    expect(await keys('list', '--keys', 'keys.json')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'deals: keys.json: expected JSON, got text that is not; mend it, or move it away and make another: deals keys create --keys keys.json --name website\n',
    });
  });
});

describe('deals keys revoke', () => {
  it.each([
    ['its id', () => keyFile().keys[0]?.id ?? ''],
    ['its name', () => 'website'],
    ['the key itself, where it leaked', (keyText: string) => keyText],
  ])('removes a key by %s', async (_, nameKey) => {
    const { stdout } = await keys('create', '--keys', 'keys.json', '--name', 'website');
    await keys('create', '--keys', 'keys.json', '--name', 'partner');
    const id = keyFile().keys[0]?.id;
    const revoked = await keys('revoke', nameKey(stdout.trimEnd()), '--keys', 'keys.json');
    expect(revoked).toEqual({ exitCode: 0, stdout: '', stderr: `keys.json: revoked the key ${id} of website\n` });
    expect(keyFile().keys).toMatchObject([{ name: 'partner' }]);
  });

  it('removes nothing when the key is not there, and does not repeat what may be a key', async () => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    expect(await keys('revoke', 'deals_secret', '--keys', 'keys.json')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'deals: keys.json: holds no such key; deals keys list shows those there are\n',
    });
    expect(keyFile().keys).toHaveLength(1);
  });

  it('asks for an id when several keys have the name', async () => {
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    await keys('create', '--keys', 'keys.json', '--name', 'website');
    const ids = keyFile().keys.map(({ id }) => id);
    expect(await keys('revoke', 'website', '--keys', 'keys.json')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `deals: keys.json: 2 keys have this name; give an id: ${ids.join(', ')}\n`,
    });
    expect(keyFile().keys).toHaveLength(2);
  });
});

describe('a key file that cannot be read', () => {
  it.each([[['keys', 'list']], [['serve']]])(
    'ends %s with exit code 2, as one that is damaged does',
    async (command) => {
      const run = await callDeals([...command, '--keys', cwd, ...(command[0] === 'serve' ? ['--store', cwd] : [])]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('it has to be a file that this user may read');
    },
  );
});
