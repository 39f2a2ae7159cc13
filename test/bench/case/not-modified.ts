import { readCaseOptions } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import type { Load } from '../load/load-result.ts';
import { LOAD_CLIENT, measureLoad } from '../load/measure-load.ts';
import { measureInTurns } from '../load/measure-in-turns.ts';
import type { Program } from '../load/program.ts';
import { ratioLine } from '../load/ratio-line.ts';
import { startDeals } from '../load/start-deals.ts';
import { withStage } from '../load/with-stage.ts';
import { sampleAnswer, startBare } from '../peer/start-bare.ts';

/** 304 to a client that has the answer: what it costs to say so. */
const { data, scale } = readCaseOptions();
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';
const key = { 'x-api-key': data.key };

await withStage(data, async ({ folder, start }) => {
  const deals = await start(startDeals({ store: '1m', hasCache: true, hasLog: false }, data, folder));
  const sample = await sampleAnswer(deals.url + TARGET, key);
  const bare = await start(startBare(sample, folder));
  const pace: Omit<Load, 'url'> = {
    targets: [TARGET],
    headers: { ...key, 'If-None-Match': sample.tag },
    connections: 16,
    seconds: 1,
  };
  const underLoad =
    ({ url }: Program) =>
    () =>
      measureLoad({ ...pace, url });

  const rounds = await measureInTurns({ deals: underLoad(deals), bare: underLoad(bare) }, scale === 'full' ? 9 : 1);
  reportLines([
    ratioLine(rounds, {
      what: '304 to If-None-Match, no access log, against the 304 of bare node:http',
      atLeast: 0.9,
      one: 'deals',
      other: 'bare',
      note: `${LOAD_CLIENT}, ${pace.connections} connections`,
    }),
  ]);
});
