import type { ProblemCode } from '../../data/query/problem.ts';
import { addKey } from '../../server/keys/key-file.ts';
import { until, withServer, type ServerOptions, type TextResponse } from '../harness.ts';
import type { OracleCatalogue } from '../oracle/catalogue.ts';
import { linksOf } from './exchange.ts';
import { FIXTURE } from './fixture-catalogue.ts';

/** Gets a problem of `target` from a server of its own. */
type Scenario = (target: string, options?: ServerOptions) => Promise<TextResponse>;

/** The problems that need more than a request: a clock, a setting, or several requests. */
export const SCENARIOS = {
  'expired-key': async (target) => {
    let now = new Date();
    const server = await withServer({ now: () => now });
    const expiresAt = new Date(now.getTime() + 60_000);
    const { keyText } = await addKey(server.keysFile, { name: 'brief', until: expiresAt }, now);
    const ask = () => server.ask(target, { headers: { 'x-api-key': keyText } });
    await until(async () => (await ask()).status === 200);
    now = expiresAt;
    return ask();
  },
  'rate-limited': async (target) => {
    const server = await withServer({ settings: { rateLimit: { requests: 1, seconds: 10 } } });
    await server.ask(target);
    return server.ask(target);
  },
  'snapshot-expired': async () => {
    const server = await withServer();
    const { headers } = await server.ask('/deals/v1/products/?limit=2');
    await server.publish({ ...FIXTURE, giftCategories: [] });
    await server.publish({ ...FIXTURE, giftCategories: FIXTURE.giftCategories.slice(1) });
    return server.ask(linksOf(headers)['next'] ?? '');
  },
  'internal-error': async (target: string, options: ServerOptions = {}) => {
    let isBroken = false;
    const now = (): Date => {
      if (isBroken) throw new Error('the clock stands still');
      return new Date();
    };
    const server = await withServer({ ...options, now });
    isBroken = true;
    return server.ask(target).finally(() => (isBroken = false));
  },
  'snapshot-not-yet': async () => {
    const server = await withServer();
    const { link } = await askAhead({ ...FIXTURE, giftCategories: [] }, '/deals/v1/products/?limit=2');
    return server.ask(link);
  },
  'no-snapshot': async (target) => (await withServer({ catalogue: null })).ask(target),
  overloaded: async (target) => (await withServer({ shedder: { isLate: () => true } })).ask(target),
} as const satisfies Partial<Record<ProblemCode, Scenario>>;

/** The next page of `target`, as a server gives it that has loaded `catalogue` after the fixture. */
export async function askAhead(catalogue: OracleCatalogue, target: string) {
  const ahead = await withServer();
  await ahead.publish(catalogue);
  const link = linksOf((await ahead.ask(target)).headers)['next'] ?? 'no next link';
  return { link, page: await ahead.ask(link) };
}
