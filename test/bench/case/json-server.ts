import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { compareRounds, measureInTurns, measureLoad, measureOne, type Rounds } from '../load.ts';
import { readResponse } from '../read-response.ts';
import { installPeers } from '../peer/install-peers.ts';
import { askDeals, PLAIN_PAGE } from '../peer/question.ts';
import { readPublishedCatalogue } from '../peer/read-catalogue.ts';
import {
  parseItems,
  parseProducts,
  startJsonServer,
  withoutSearchMembers,
  writeJsonDatabase,
  type Item,
} from '../peer/start-json-server.ts';
import { reportLines } from '../report-lines.ts';
import { NO_CACHE, NO_LOG, withStage } from '../server-process.ts';

/**
 * The questions of `peers` to json-server, as far as its query language goes, over 120,000 deals: it has no cheapest deal
 * of each product, so it sends the deals of the page and leaves the choice to the client, and sorts deals, not products.
 */
const { data, scale } = readCaseOptions();
// An answer takes it a quarter of a second and more: with many connections each would wait for all the others.
const CONNECTIONS = 2;
const NETWORK = { slug: 'tideline', name: 'Tideline' };
const headers = { 'x-api-key': data.key };
const OURS_FILTERED = `/deals/v1/products/?filter[networks]=eq{${NETWORK.slug}}&filter[upfrontCost]=lte{50}&expand=products(cheapestDeal)&sort=products(total-cost-asc)`;
const THEIRS_FILTERED = `/deals?contractSupplierName=${NETWORK.name}&upfrontCost_lte=50&_sort=totalCost&_page=1&_limit=20`;
const THEIRS_PAGE = '/products?_page=1&_limit=20';

await installPeers();
const catalogue = await readPublishedCatalogue(data.store('120k'));
const pages = await askDeals(catalogue, 8);

await withStage(data, async ({ folder, start, serve }) => {
  const deals = await serve('120k', ...NO_CACHE, ...NO_LOG);
  const file = join(folder, 'db.json');
  await writeJsonDatabase(deals.url, headers, file);
  const jsonServer = await start(startJsonServer(file));
  const productPages = pages.map(({ id, ours }) => ({ ours, theirs: `/deals?productId=${id}&_sort=totalCost` }));

  const askOurs = async (target: string) => parseProducts(await readResponse(deals.url + target, headers));
  const askTheirs = async (target: string) => parseItems(await readResponse(jsonServer.url + target));
  requireSame(THEIRS_PAGE, (await askOurs(PLAIN_PAGE.ours)).products, await askTheirs(THEIRS_PAGE));
  for (const { ours, theirs } of productPages) {
    const theirDeals = await askTheirs(theirs);
    requireSame(theirs, (await askOurs(ours)).deals ?? [], theirDeals.map(withoutSearchMembers));
  }
  // Products there, deals here: what can be the same is the cheapest of all.
  const cheapest = (await askOurs(OURS_FILTERED)).products[0]?.['cheapestDeal'] as Item | undefined;
  const [firstDeal] = await askTheirs(THEIRS_FILTERED);
  requireSame(THEIRS_FILTERED, cheapest?.['totalContractCost'], firstDeal?.['totalCost']);

  const compare = async (ours: readonly string[], theirs: readonly string[], isSlow = false) => {
    const load = { headers, connections: isSlow ? 1 : CONNECTIONS, seconds: scale === 'full' ? 3 : 2 };
    const askSlowly = isSlow ? measureOne : measureLoad;
    return measureInTurns(
      {
        deals: () => measureLoad(deals, { ...load, targets: ours }),
        jsonServer: () => askSlowly(jsonServer, { ...load, targets: theirs }),
      },
      scale === 'full' && !isSlow ? 3 : 1,
    );
  };
  const against = 'against json-server, 120,000 deals, response cache off';
  const report = (what: string, target: string, rounds: Rounds<'deals' | 'jsonServer'>, note?: string) =>
    compareRounds(rounds, { what, target, one: 'deals', other: 'jsonServer', ...(note === undefined ? {} : { note }) });
  const ourPages = productPages.map(({ ours }) => ours);
  const theirPages = productPages.map(({ theirs }) => theirs);
  reportLines([
    report(
      `plain page of 20 with cheapestDeal, ${against}`,
      '>= 50',
      await compare([PLAIN_PAGE.ours], [`${THEIRS_PAGE}&_embed=deals`], true),
      'it sends all deals of the page, the client chooses; one request at a time',
    ),
    report(
      'the same, each cheapestDeal worked out beforehand for json-server',
      'shown',
      await compare([PLAIN_PAGE.ours], [THEIRS_PAGE]),
    ),
    report(
      `deals page of a product with 500 to 1,000 deals, ${against}`,
      '>= 50',
      await compare(ourPages, theirPages),
      `${productPages.length} products in turn, wrk, ${CONNECTIONS} connections`,
    ),
    report(
      `list by network and upfront cost, by total cost, ${against}`,
      '>= 50',
      await compare([OURS_FILTERED], [THEIRS_FILTERED]),
      'it lists deals, not products',
    ),
  ]);
});

function requireSame(target: string, expected: unknown, got: unknown): void {
  if (!isDeepStrictEqual(expected, got))
    throw new Error(`json-server: ${target} is answered otherwise than by the server`);
}
