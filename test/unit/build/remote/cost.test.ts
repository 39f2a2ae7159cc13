import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastBuildPath } from '../../../../data/store/layout.ts';
import { createTemporaryFolder, publishNumber } from '../publish/temporary-store.ts';
import { createKey, createPuller, openMemoryStore, push } from './remote-stores.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../data/spec/many-machines.md'), 'utf8');

const SERVERS = 1_000;
/** One look every ten seconds. */
const LOOKS_AN_HOUR = 360;
const GET_DOLLARS = 0.0004 / 1_000;
const PUT_DOLLARS = 0.005 / 1_000;

/** The figures of a row of the table of costs: all numbers, and the dollars at its end. */
function readRow(start: string): { readonly counts: readonly number[]; readonly dollars: number } {
  const [, requests = '', cost = ''] =
    PAGE.split('\n')
      .find((line) => line.startsWith(`| ${start}`))
      ?.match(/\| ([^|]*) \| \$([0-9.]+) \|$/) ?? [];
  const counts = Array.from(requests.matchAll(/[0-9][0-9,]*/g), ([text]) => Number(text.replaceAll(',', '')));
  return { counts, dollars: Number(cost) };
}

const toCents = (dollars: number): number => Math.round(dollars * 100) / 100;

describe('the costs in many-machines.md', () => {
  it('are those of the requests that a push and pulls make', async () => {
    const { remote, s3 } = await openMemoryStore();
    const [builder, key] = [createTemporaryFolder(), createKey()];
    publishNumber(builder, 1);
    writeFileSync(lastBuildPath(builder), '{}');
    await push(builder, remote, key);
    const [lists, puts] = [s3.count('LIST'), s3.count('PUT')];
    s3.clearRequests();

    const puller = createPuller(createTemporaryFolder(), remote, key);
    await puller.look();
    // Nothing of it was there: every file has changed.
    const fetches = s3.count('GET');
    s3.clearRequests();

    for (let look = 0; look < LOOKS_AN_HOUR; look++) await puller.look();
    const heads = s3.requests.filter(({ key: name, status }) => name.endsWith('/head.json') && status === 304).length;
    const searches = s3.requests.filter(({ key: name, status }) => name.includes('/switch/') && status === 404).length;
    expect(s3.requests).toHaveLength(heads + searches);

    const rows = [
      { start: 'looks without news', counts: [heads * 24 * SERVERS], price: GET_DOLLARS },
      { start: 'every tenth look', counts: [searches * 24 * SERVERS], price: GET_DOLLARS },
      { start: 'the new snapshot', counts: [fetches * SERVERS], price: GET_DOLLARS },
      { start: 'the push', counts: [lists, puts], price: PUT_DOLLARS },
    ];
    let total = 0;
    for (const { start, counts, price } of rows) {
      const dollars = counts.reduce((sum, count) => sum + count, 0) * price;
      total += dollars;
      expect([start, readRow(start)]).toEqual([start, { counts, dollars: toCents(dollars) }]);
    }
    expect(readRow('together').dollars).toBe(toCents(total));
    expect(PAGE).toContain(`$${Math.round(total * 30)} a month`);
  });
});
