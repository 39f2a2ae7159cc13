import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSite } from '../../deploy/site.ts';
import type { Bench } from '../bench.ts';
import { compareRounds, measureInTurns, measureLoad, type Load } from '../load.ts';
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

  const load: Load = { targets: [PAGE], headers, connections: 16, seconds: 1 };
  const measure = (server: Pick<Server, 'url' | 'pid'>, targets = load.targets) => {
    return () => measureLoad(server, { ...load, targets });
  };
  const rounds = await measureInTurns(
    {
      cached: measure(deployed),
      bare: measure(bare),
      made: measure(deployed, SPELLINGS),
      bareSpelled: measure(bare, SPELLINGS),
    },
    isFull ? 5 : 1,
  );

  const sites = await Promise.all([deployed, bare].map(({ url }) => startSite([Number(new URL(url).port)])));
  try {
    const [ours, theirs] = sites.map(({ origin }) => origin) as [string, string];
    const behind = await measureInTurns(
      { ours: measure({ url: ours, pid: deployed.pid }), theirs: measure({ url: theirs, pid: bare.pid }) },
      isFull ? 5 : 1,
    );
    const cpu = { other: 'bare', figure: 'cpuMicroseconds' } as const;
    const what = 'processor time against bare node:http: page of 20';
    return [
      compareRounds(rounds, { what: `${what}, cached, log and metrics`, atMost: 1.7, one: 'cached', ...cpu }),
      compareRounds(rounds, {
        what: `${what}, not cached, log and metrics`,
        atMost: 3.5,
        one: 'made',
        ...cpu,
        other: 'bareSpelled',
      }),
      compareRounds(behind, {
        what: 'requests a second, page of 20, both behind nginx',
        atLeast: 0.7,
        one: 'ours',
        other: 'theirs',
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
