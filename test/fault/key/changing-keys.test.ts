import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../../server/keys/api-key.ts';
import { ask, createKey, deals, startProgram, type RunningProgram } from '../running-program.ts';

const TARGET = '/deals/v1/networks/';
/** What is promised. */
const PROMISED_MS = 2_000;

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.stop());

/** How long it takes until a key gets `status`, from now on; the answer is cached. */
async function untilStatus(key: string, status: number): Promise<number> {
  const beganAt = performance.now();
  while ((await ask(program.url + TARGET, key)).status !== status) {
    if (performance.now() - beganAt > 10 * PROMISED_MS) throw new Error(`a key does not get ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - beganAt;
}

describe('keys of a running server', () => {
  it('are taken up and refused within 2 s of the command, and two are alive at once', async () => {
    expect((await ask(program.url + TARGET, program.key)).status).toBe(200);
    const next = createKey(program.folder, '--name', 'next');
    expect(await untilStatus(next, 200)).toBeLessThan(PROMISED_MS);
    expect((await ask(program.url + TARGET, program.key)).status).toBe(200);
    deals(program.folder, 'keys', 'revoke', 'holder-one', '--keys', 'keys.json');
    expect(await untilStatus(program.key, 401)).toBeLessThan(PROMISED_MS);
    expect((await ask(program.url + TARGET, next)).status).toBe(200);
    deals(program.folder, 'keys', 'revoke', next, '--keys', 'keys.json');
    expect(await untilStatus(next, 401)).toBeLessThan(PROMISED_MS);
  });

  it('that were revoked get what a key gets that never was', async () => {
    const seen = async (key: string) => {
      const { status, headers, text } = await ask(program.url + TARGET, key);
      return { status, text: text.replace(/"instance":"[^"]*"/, ''), names: [...headers.keys()].sort() };
    };
    expect(await seen(program.key)).toEqual(await seen(createApiKey()));
  });
});
