import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProblemCode } from '../../data/query/problem.ts';
import { addKey } from '../../server/keys/key-file.ts';
import type { StartOptions } from '../../server/start.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { FIXTURE } from './fixture-catalogue.ts';
import { linksOf, until, withServer, type TextResponse } from './serve.ts';

/** Gets a problem of `target` from a server of its own. */
type Scenario = (target: string, start?: Partial<StartOptions>) => Promise<TextResponse>;

/** The problems that need more than a request: a clock, a setting, or several requests. */
export const SCENARIOS = {
  'expired-key': (target) => {
    const clock = { now: new Date() };
    return withServer({ start: { now: () => clock.now } }, async (server) => {
      const expiresAt = new Date(clock.now.getTime() + 60_000);
      const { keyText } = await addKey(server.keysFile, { name: 'brief', until: expiresAt }, clock.now);
      const ask = () => server.ask(target, { headers: { 'x-api-key': keyText } });
      await until(async () => (await ask()).status === 200);
      clock.now = expiresAt;
      return ask();
    });
  },
  'rate-limited': (target) =>
    withServer({ start: { settings: { rateLimit: { requests: 1, seconds: 10 } } } }, async (server) => {
      await server.ask(target);
      return server.ask(target);
    }),
  'repeated-header': (target) =>
    withServer({}, (server) => {
      const keys = `x-api-key: ${server.key}\r\nx-api-key: ${server.key}`;
      return server.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\n${keys}\r\nConnection: close\r\n\r\n`);
    }),
  'snapshot-expired': () =>
    withServer({}, async (server) => {
      const { headers } = await server.ask('/deals/v1/products/?limit=2');
      await server.publish({ ...FIXTURE, giftCategories: [] });
      await server.publish({ ...FIXTURE, giftCategories: FIXTURE.giftCategories.slice(1) });
      return server.ask(linksOf(headers)['next'] ?? '');
    }),
  'internal-error': (target: string, start: Partial<StartOptions> = {}) => {
    const clock = { isBroken: false };
    const now = (): Date => {
      if (clock.isBroken) throw new Error('the clock stands still');
      return new Date();
    };
    return withServer({ start: { ...start, now } }, (server) => {
      clock.isBroken = true;
      return server.ask(target).finally(() => (clock.isBroken = false));
    });
  },
  'snapshot-not-yet': () =>
    withServer({}, async (server) => {
      const { link, contentHash } = await askAhead({ ...FIXTURE, giftCategories: [] }, '/deals/v1/products/?limit=2');
      await server.announce({ contentHash });
      return server.ask(link);
    }),
  'no-snapshot': (target) => withServer({ hasSnapshot: false }, (server) => server.ask(target)),
  overloaded: (target) => withServer({ start: { shedder: { isLate: () => true } } }, (server) => server.ask(target)),
} as const satisfies Partial<Record<ProblemCode, Scenario>>;

/** The next page of `target` as a server gives it that has loaded `catalogue` already, and the content of its snapshot. */
function askAhead(
  catalogue: OracleCatalogue,
  target: string,
): Promise<{ readonly link: string; readonly contentHash: string; readonly page: TextResponse }> {
  return withServer({ catalogue }, async (server) => {
    const { headers } = await server.ask(target);
    const link = linksOf(headers)['next'] ?? '';
    const manifest = readFileSync(join(server.store, headers.get('x-snapshot') ?? '', 'manifest.json'), 'utf8');
    const { contentHash } = JSON.parse(manifest) as { readonly contentHash: string };
    return { link, contentHash, page: await server.ask(link) };
  });
}
