import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { compareRounds, measureInTurns, measureLoad } from '../load.ts';
import { readResponse } from '../read-response.ts';
import { installPeers } from '../peer/install-peers.ts';
import { askDeals, askFiltered, PLAIN_PAGE, type Question } from '../peer/question.ts';
import { readPublishedCatalogue } from '../peer/read-catalogue.ts';
import { requireSameProducts } from '../peer/same-products.ts';
import { fillSqlite, nameDatabase, startFastify } from '../peer/start-fastify.ts';
import { reportLines, type BenchLine } from '../report-lines.ts';
import { NO_CACHE, NO_LOG, PUBLIC_URL, withStage } from '../server-process.ts';

/** Three questions to the server, its answer cache off, and to Fastify with better-sqlite3, over a million deals. */
const { data, scale } = readCaseOptions();
// Few, since the answers under way when a round ends are lost, and an answer may take the peer a tenth of a second.
const CONNECTIONS = 4;
const headers = { 'x-api-key': data.key };

await installPeers();
const store = data.store('1m');
const catalogue = await readPublishedCatalogue(store);
const database = join(data.folder, 'peer', await nameDatabase(catalogue));
if (!existsSync(database)) {
  await mkdir(join(data.folder, 'peer'), { recursive: true });
  await fillSqlite(catalogue, `${database}.part`, PUBLIC_URL);
  await rename(`${database}.part`, database);
}

await withStage(data, async ({ start, serve }) => {
  const deals = await serve('1m', ...NO_CACHE, ...NO_LOG);
  const fastify = await start(startFastify(catalogue, database));

  const compare = async (what: string, target: string, questions: readonly Question[]): Promise<BenchLine> => {
    const askOurs = (target: string) => readResponse(deals.url + target, headers);
    await requireSameProducts('Fastify', questions, askOurs, fastify.url);
    const load = { headers, connections: CONNECTIONS, seconds: scale === 'full' ? 3 : 2 };
    const rounds = await measureInTurns(
      {
        deals: () => measureLoad(deals, { ...load, targets: questions.map(({ ours }) => ours) }),
        fastify: () => measureLoad(fastify, { ...load, targets: questions.map(({ theirs }) => theirs) }),
      },
      scale === 'full' ? 3 : 1,
    );
    const note = `${questions.length === 1 ? 'one question' : `${questions.length} questions in turn`}, wrk, ${CONNECTIONS} connections`;
    return compareRounds(rounds, { what, target, one: 'deals', other: 'fastify', note });
  };

  const dealPages = await askDeals(catalogue, 50);
  const fromMemory = dealPages.map(({ ours, theirs }) => ({ ours, theirs: `${theirs}-from-memory` }));
  const against = 'against Fastify + better-sqlite3, answer cache off';
  reportLines([
    await compare(`plain page of 20 with cheapestDeal, ${against}`, '>= 5', [PLAIN_PAGE]),
    await compare(`deals page of a product with 500 to 1,000 deals, ${against}`, '>= 10', dealPages),
    await compare('the same, Fastify keeping all tables but the deals in memory', 'shown', fromMemory),
    await compare(`list by network and upfront cost, by total cost, ${against}`, '>= 10', askFiltered(catalogue)),
  ]);
});
