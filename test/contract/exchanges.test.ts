import { describe, it } from 'vitest';
import { withServer, type ServerOptions } from '../harness.ts';
import { readTable } from '../support/table.ts';
import { exchange, type Exchange } from './exchange.ts';
import { MANY } from './fixture-catalogue.ts';

const HOUR_MS = 3_600_000;
const hoursAfterBuild = (hours: number) => () => new Date(Date.parse('2026-11-19T02:30:00Z') + hours * HOUR_MS);

/** The servers that rows name. */
const SERVERS: Readonly<Record<string, ServerOptions>> = {
  'the fixture': {},
  '123 products': { catalogue: MANY },
  'no snapshot': { catalogue: null },
  'at most 4 deals': { settings: { maxDealsPerAnswer: 4 } },
  'an age of 1': { settings: { maxAgeSeconds: 1 } },
  'the morning after': { now: hoursAfterBuild(25) },
  'a day without a build': { now: hoursAfterBuild(27) },
  'CORS for one origin': { settings: { corsOrigins: ['https://shop.example'] } },
  'CORS for two origins': { settings: { corsOrigins: ['https://other.example', 'https://shop.example'] } },
  'CORS for any origin': { settings: { corsOrigins: ['*'] } },
};

const EXCHANGES = readTable<Exchange>(import.meta.url, 'exchanges.ndjson');

describe.each(Object.entries(SERVERS))('%s', async (name, options) => {
  const server = await withServer(options);

  const rows = EXCHANGES.filter(({ on = 'the fixture' }) => on === name);
  it.each(rows.map((row) => [`${row.name}: ${[row.request].flat()[0]} (${row.cite})`, row] as const))('%s', (_, row) =>
    exchange(server, row),
  );
});
