import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { readCaseOptions } from '../bench-data.ts';
import { reportLines } from '../case-result.ts';
import { LOAD_CLIENT, measureLoad, measureOne } from '../load/measure-load.ts';
import { measureInTurns } from '../load/measure-in-turns.ts';
import { ratioLine } from '../load/ratio-line.ts';
import { readAnswer } from '../load/read-answer.ts';
import { startDeals } from '../load/start-deals.ts';
import { withStage } from '../load/with-stage.ts';
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

await withStage(data, async ({ folder, start }) => {
  const deals = await start(startDeals({ store: '120k', hasCache: false, hasLog: false }, data, folder));
  const file = join(folder, 'db.json');
  await writeJsonDatabase(deals.url, headers, file);
  const jsonServer = await start(startJsonServer(file));
  const productPages = pages.map(({ id, ours }) => ({ ours, theirs: `/deals?productId=${id}&_sort=totalCost` }));

  const askOurs = async (target: string) => parseProducts(await readAnswer(deals.url + target, headers));
  const askTheirs = async (target: string) => parseItems(await readAnswer(jsonServer.url + target));
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
    const pace = { headers, connections: isSlow ? 1 : CONNECTIONS, seconds: scale === 'full' ? 3 : 2 };
    const askSlowly = isSlow ? measureOne : measureLoad;
    return measureInTurns(
      {
        deals: () => measureLoad({ ...pace, url: deals.url, targets: ours }),
        jsonServer: () => askSlowly({ ...pace, url: jsonServer.url, targets: theirs }),
      },
      scale === 'full' && !isSlow ? 3 : 1,
    );
  };
  const one = 'deals';
  const other = 'jsonServer';
  const against = 'against json-server, 120,000 deals, answer cache off';
  reportLines([
    ratioLine(await compare([PLAIN_PAGE.ours], [`${THEIRS_PAGE}&_embed=deals`], true), {
      what: `plain page of 20 with cheapestDeal, ${against}`,
      atLeast: 50,
      one,
      other,
      note: 'it sends all deals of the page, the client chooses; one request at a time',
    }),
    ratioLine(await compare([PLAIN_PAGE.ours], [THEIRS_PAGE]), {
      what: 'the same, each cheapestDeal worked out beforehand for json-server',
      one,
      other,
    }),
    ratioLine(
      await compare(
        productPages.map(({ ours }) => ours),
        productPages.map(({ theirs }) => theirs),
      ),
      {
        what: `deals page of a product with 500 to 1,000 deals, ${against}`,
        atLeast: 50,
        one,
        other,
        note: `${productPages.length} products in turn, ${LOAD_CLIENT}, ${CONNECTIONS} connections`,
      },
    ),
    ratioLine(await compare([OURS_FILTERED], [THEIRS_FILTERED]), {
      what: `list by network and upfront cost, by total cost, ${against}`,
      atLeast: 50,
      one,
      other,
      note: 'it lists deals, not products',
    }),
  ]);
});

function requireSame(target: string, expected: unknown, got: unknown): void {
  if (!isDeepStrictEqual(expected, got))
    throw new Error(`json-server: ${target} is answered otherwise than by the server`);
}
