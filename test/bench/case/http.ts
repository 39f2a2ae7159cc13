import { readCaseOptions } from '../bench-data.ts';
import { compareRounds, measureInTurns, measureLoad, type Comparison, type Load } from '../load.ts';
import { requireSameResponse, sampleResponse, startBare } from '../peer/start-bare.ts';
import { hasNginx, startNginx } from '../peer/start-nginx.ts';
import { reportLines } from '../report-lines.ts';
import { NO_CACHE, NO_LOG, withStage, type Server } from '../server-process.ts';

/** A page of 20 products: cached, computed for each request, and as a 304; against bare `node:http` with the same bytes. */
const { data, scale } = readCaseOptions();
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';
const headers = { 'x-api-key': data.key };
const LOAD: Load = { targets: [TARGET], headers, connections: 16, seconds: 1 };

await withStage(data, async ({ folder, start, serve }) => {
  const cached = await serve('1m', ...NO_LOG);
  const logging = await serve('1m');
  const uncached = await serve('1m', ...NO_CACHE, ...NO_LOG);
  const sample = await sampleResponse(cached.url + TARGET, headers);
  for (const [name, { url }] of Object.entries({ logging, uncached })) {
    requireSameResponse(name, sample, await sampleResponse(url + TARGET, headers));
  }
  const bare = await start(startBare(sample, folder));
  const nginx = hasNginx() ? await start(startNginx(sample, folder)) : undefined;
  if (nginx === undefined) process.stderr.write('nginx is not installed: not shown\n');

  const conditional: Load = { ...LOAD, headers: { ...headers, 'If-None-Match': sample.tag } };
  const measure =
    (server: Server, load = LOAD) =>
    () =>
      measureLoad(server, load);
  const rounds = await measureInTurns(
    {
      cached: measure(cached),
      logging: measure(logging),
      uncached: measure(uncached),
      bare: measure(bare),
      notModified: measure(cached, conditional),
      bareNotModified: measure(bare, conditional),
      nginx: measure(nginx ?? bare),
    },
    scale === 'full' ? 9 : 1,
  );
  const against = 'against bare node:http';
  const note = `wrk, ${LOAD.connections} connections, ${sample.full.body.byteLength} bytes`;
  const comparisons: readonly Comparison<keyof (typeof rounds)[number]>[] = [
    { what: `page of 20 from the response cache ${against}`, target: '>= 0.85', one: 'cached', other: 'bare', note },
    { what: 'the same, access log to a file', target: '>= 0.5', one: 'logging', other: 'bare' },
    { what: 'the same, response cache off, no log', target: '>= 0.5', one: 'uncached', other: 'bare' },
    { what: `304 to If-None-Match ${against}`, target: '>= 0.9', one: 'notModified', other: 'bareNotModified' },
  ];
  reportLines([
    ...comparisons.flatMap((comparison) => [
      compareRounds(rounds, comparison),
      compareRounds(rounds, {
        ...comparison,
        what: `${comparison.what}: processor time of a request`,
        target: 'shown',
        figure: 'cpuMicroseconds',
      }),
    ]),
    ...(nginx === undefined
      ? []
      : [compareRounds(rounds, { what: 'the limit: nginx, one worker, a file', one: 'nginx', other: 'bare' })]),
  ]);
});
