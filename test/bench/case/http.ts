import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSite } from '../../deploy/site.ts';
import type { Bench } from '../bench.ts';
import { compareServers } from '../load.ts';
import { receive, type Received } from '../../support/receive.ts';
import { startServer, type Server } from '../processes.ts';
import type { BenchLine } from '../table.ts';

const PAGE = '/deals/v1/products/?expand=products(cheapestDeal)';

/** More spellings of the page than the response cache holds answers, so that each is made anew: empty pairs are nothing (D4). */
const SPELLINGS = Array.from({ length: 4_096 }, (_, number) => {
  return `${PAGE.replace('?', `?${'&'.repeat(number % 64)}`)}${'&'.repeat(Math.floor(number / 64))}`;
});

/**
 * A page of 20 products from a server as it is deployed, against bare `node:http` with the same bytes: by itself, and both
 * behind nginx. The processor time of the server counts, since the clock also measures wrk and the rest of the machine.
 */
export async function measureHttp(bench: Bench): Promise<readonly BenchLine[]> {
  const { headers, isFull } = bench;
  const deployed = await bench.serve('--metrics-port', '0');
  const sample = await receive(deployed.url, PAGE, headers);
  const bare = await startBare(bench, sample);
  const { body } = await receive(bare.url, PAGE);
  if (sample.status !== 200 || !body.equals(sample.body)) throw new Error('expected the bytes of the server');

  const sites = await Promise.all([deployed, bare].map(({ url }) => startSite([Number(new URL(url).port)])));
  const [ourSite, theirSite] = sites.map(({ origin }) => origin) as [string, string];
  const load = { headers, connections: 16, seconds: 1, rounds: isFull ? 5 : 1 };
  const compareTime = (what: string, atMost: number, targets: readonly string[]) =>
    compareServers({
      ...load,
      what: `processor time against bare node:http: page of 20, ${what}, log and metrics`,
      atMost,
      ours: { server: deployed, targets },
      theirs: { server: bare, targets },
      figure: 'cpuMicroseconds',
    });
  try {
    return [
      await compareTime('cached', 1.7, [PAGE]),
      await compareTime('not cached', 3.5, SPELLINGS),
      await compareServers({
        ...load,
        what: 'requests a second, page of 20, both behind nginx',
        atLeast: 0.7,
        ours: { server: { url: ourSite, pid: deployed.pid }, targets: [PAGE] },
        theirs: { server: { url: theirSite, pid: bare.pid }, targets: [PAGE] },
        figure: 'requestsPerSecond',
      }),
    ];
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
  }
}

/** Bare `node:http` with the bytes and headers of a response. */
async function startBare(bench: Bench, { headers, body }: Received): Promise<Server> {
  const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding'];
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  const file = join(bench.folder, 'bare.mjs');
  const text = `import { createServer } from 'node:http';
const body = Buffer.from(${JSON.stringify(body.toString('base64'))}, 'base64');
const headers = ${JSON.stringify(kept.flat())};
const server = createServer((request, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => console.log(\`http://127.0.0.1:\${server.address().port} \`));
`;
  await writeFile(file, text);
  return bench.keep(startServer([file], join(bench.folder, 'bare.log')));
}
