import { readCaseOptions } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import type { Load } from '../load/load-result.ts';
import { LOAD_CLIENT, measureLoad } from '../load/measure-load.ts';
import { measureInTurns } from '../load/measure-in-turns.ts';
import type { Program } from '../load/program.ts';
import { ratioLine } from '../load/ratio-line.ts';
import { startDeals } from '../load/start-deals.ts';
import { withStage } from '../load/with-stage.ts';
import { requireSameAnswer, sampleAnswer, startBare } from '../peer/start-bare.ts';

/** The same answer as in `hot`, made again for each request. */
const { data, scale } = readCaseOptions();
const TARGET = '/deals/v1/products/?expand=products(cheapestDeal)';
const headers = { 'x-api-key': data.key };
const pace: Omit<Load, 'url'> = { targets: [TARGET], headers, connections: 16, seconds: 1 };
const underLoad =
  ({ url }: Program) =>
  () =>
    measureLoad({ ...pace, url });

await withStage(data, async ({ folder, start }) => {
  const quiet = await start(startDeals({ store: '1m', hasCache: false, hasLog: false }, data, folder));
  const logging = await start(startDeals({ store: '1m', hasCache: false, hasLog: true }, data, folder));
  const sample = await sampleAnswer(quiet.url + TARGET, headers);
  requireSameAnswer('the server with its log', sample, await sampleAnswer(logging.url + TARGET, headers));
  const bare = await start(startBare(sample, folder));

  const rounds = await measureInTurns(
    { quiet: underLoad(quiet), logging: underLoad(logging), bare: underLoad(bare) },
    scale === 'full' ? 9 : 1,
  );
  const what = 'the same, answer cache off';
  const note = `${LOAD_CLIENT}, ${pace.connections} connections, ${sample.full.body.byteLength} bytes`;
  reportLines([
    ratioLine(rounds, { what: `${what}, no access log`, atLeast: 0.5, one: 'quiet', other: 'bare', note }),
    ratioLine(rounds, { what: `${what}, access log to a file`, one: 'logging', other: 'bare' }),
  ]);
});
