import { startSiteNginx } from '../../deploy/site-nginx.ts';
import { readCaseOptions } from '../bench-data.ts';
import { compareRounds, measureInTurns, measureLoad, type Comparison, type Load } from '../load.ts';
import { requireSameResponse, sampleResponse, startBare } from '../peer/start-bare.ts';
import { hasNginx, startNginx } from '../peer/start-nginx.ts';
import { reportLines, type BenchLine } from '../report-lines.ts';
import { NO_CACHE, NO_LOG, withStage, type Server } from '../server-process.ts';

/**
 * A page of 20 products from a server as it is deployed, and with less switched on; against bare `node:http` with the
 * same bytes. The processor time of the server counts, since the clock also measures wrk and the rest of the machine.
 */
const { data, scale } = readCaseOptions();
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';
const headers = { 'x-api-key': data.key };
const LOAD: Load = { targets: [TARGET], headers, connections: 16, seconds: 1 };
const ROUND_COUNT = scale === 'full' ? 15 : 1;
const METRICS = ['--metrics-port', '0'];

await withStage(data, async ({ folder, start, serve }) => {
  const cached = await serve('1m', ...NO_LOG);
  const logging = await serve('1m');
  const deployed = await serve('1m', ...METRICS);
  const uncached = await serve('1m', ...NO_CACHE, ...NO_LOG);
  const uncachedDeployed = await serve('1m', ...NO_CACHE, ...METRICS);
  const sample = await sampleResponse(cached.url + TARGET, headers);
  for (const [name, { url }] of Object.entries({ logging, deployed, uncached, uncachedDeployed })) {
    requireSameResponse(name, sample, await sampleResponse(url + TARGET, headers));
  }
  const bare = await start(startBare(sample, folder));

  const conditional: Load = { ...LOAD, headers: { ...headers, 'If-None-Match': sample.tag } };
  const measure =
    (server: Pick<Server, 'url' | 'pid'>, load = LOAD) =>
    () =>
      measureLoad(server, load);
  const rounds = await measureInTurns(
    {
      cached: measure(cached),
      logging: measure(logging),
      deployed: measure(deployed),
      bare: measure(bare),
      uncached: measure(uncached),
      uncachedDeployed: measure(uncachedDeployed),
      notModified: measure(cached, conditional),
      bareNotModified: measure(bare, conditional),
    },
    ROUND_COUNT,
  );
  const note = `wrk, ${LOAD.connections} connections, ${sample.full.body.byteLength} bytes`;
  const comparisons: readonly Comparison<keyof (typeof rounds)[number]>[] = [
    { what: 'page of 20, cached, no log, no metrics', target: '<= 1.25', one: 'cached', other: 'bare', note },
    { what: 'page of 20, cached, access log to a file', target: '<= 1.5', one: 'logging', other: 'bare' },
    { what: 'page of 20, cached, log and metrics, as deployed', target: '<= 1.5', one: 'deployed', other: 'bare' },
    { what: 'page of 20, response cache off, no log, no metrics', target: '<= 2.5', one: 'uncached', other: 'bare' },
    { what: 'page of 20, response cache off, log and metrics', one: 'uncachedDeployed', other: 'bare' },
    { what: '304 to If-None-Match, no log, no metrics', one: 'notModified', other: 'bareNotModified' },
  ];
  reportLines([
    ...comparisons.flatMap(({ what, ...comparison }) => [
      compareRounds(rounds, {
        ...comparison,
        what: `${what}: processor time of a request against bare node:http`,
        figure: 'cpuMicroseconds',
      }),
      compareRounds(rounds, { one: comparison.one, other: comparison.other, what: `${what}: requests a second` }),
    ]),
    ...(hasNginx() ? await measureBehindNginx() : []),
  ]);

  /** Both servers behind nginx with the files of `server/deploy/`, over TLS; and nginx by itself, with a file. */
  async function measureBehindNginx(): Promise<readonly BenchLine[]> {
    const file = await start(startNginx(sample, folder));
    const sites = await Promise.all([deployed, bare].map(({ url }) => startSiteNginx(Number(new URL(url).port))));
    try {
      const [behind, bareBehind] = sites.map(({ tlsPort }) => `https://127.0.0.1:${tlsPort}`) as [string, string];
      const rounds = await measureInTurns(
        {
          behind: measure({ url: behind, pid: deployed.pid }),
          bareBehind: measure({ url: bareBehind, pid: bare.pid }),
          bare: measure(bare),
          file: measure(file),
        },
        ROUND_COUNT,
      );
      const both = { one: 'behind', other: 'bareBehind' } as const;
      const what = 'page of 20, as deployed behind nginx';
      return [
        compareRounds(rounds, { ...both, what: `${what}: requests a second against bare node:http`, target: '>= 0.9' }),
        compareRounds(rounds, { ...both, what: `${what}: processor time of a request`, figure: 'cpuMicroseconds' }),
        compareRounds(rounds, { what: 'the limit: nginx, one worker, a file', one: 'file', other: 'bare' }),
      ];
    } finally {
      await Promise.all(sites.map((site) => site.stop()));
    }
  }
});
if (!hasNginx()) process.stderr.write('nginx is not installed: not shown\n');
