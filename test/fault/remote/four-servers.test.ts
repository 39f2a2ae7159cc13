import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../harness.ts';
import { startNginx, type RunningNginx } from '../../support/nginx.ts';
import { findFreePort } from '../../support/ports.ts';
import { RunningDeals, runDeals } from '../run-deals.ts';
import { createKey, serveProgram, type ServingProgram } from '../running-program.ts';
import { createNightlyStore, type NightlyStore } from '../snapshot/nightly-store.ts';
import { startClients, type SeenAnswer, type SteadyClients } from '../snapshot/steady-clients.ts';
import { requireSuccess } from '../../unit/cli/run-deals.ts';
import { byTier } from '../tier.ts';

const SWITCHES = byTier({ first: 3, second: 20, long: 100 });
const ROLLBACKS = byTier({ first: 1, second: 5, long: 25 });
const KEYS = 8;
const LEAD_SECONDS = 3;
const MAX_SPREAD_MS = 1_000;

let builder: NightlyStore;
let folder: string;
let keys: string[];
let servers: ServingProgram[];
let pullers: RunningDeals[];
let nginx: RunningNginx;
let proxyUrl: string;
/** The snapshots in the order in which they were published. */
const published: string[] = [];

async function push(): Promise<void> {
  const signingKey = join(folder, 'signing.pem');
  const words = ['push', `file://${folder}/remote`, '--signing-key', signingKey, '--store', builder.store];
  requireSuccess(await runDeals([...words, '--lead', String(LEAD_SECONDS)]));
  published.push(builder.current());
}

const serverStore = (number: number): string => join(folder, `server-${number}`);

beforeAll(async () => {
  builder = await createNightlyStore();
  folder = mkdtempSync(join(tmpdir(), 'deals-fault-remote-'));
  requireSuccess(await runDeals(['keys', 'create-signing', '--signing-key', join(folder, 'signing.pem')]));
  await builder.publish(1);
  await push();
  keys = Array.from({ length: KEYS }, (_, number) => createKey(folder, '--name', `client-${number}`));
  const numbers = [1, 2, 3, 4];
  const pull = (number: number): string[] => {
    const trust = join(folder, 'signing.pem.pub');
    return ['pull', `file://${folder}/remote`, '--trust', trust, '--store', serverStore(number)];
  };
  await Promise.all(numbers.map(async (number) => requireSuccess(await runDeals(pull(number)))));
  pullers = numbers.map((number) => new RunningDeals([...pull(number), '--watch', '--every', '1']));
  servers = await Promise.all(
    numbers.map((number) =>
      serveProgram({ store: serverStore(number), keysFile: join(folder, 'keys.json'), args: ['--access-log', 'off'] }),
    ),
  );
  const port = await findFreePort();
  const upstream = servers.map((server) => `server 127.0.0.1:${server.port};`).join(' ');
  nginx = await startNginx(
    port,
    () => `access_log off; upstream deals { hash $http_x_api_key consistent; ${upstream} keepalive 16; }
      server { listen 127.0.0.1:${port}; location / {
        proxy_pass http://deals; proxy_http_version 1.1; proxy_set_header Connection ''; } }`,
  );
  proxyUrl = `http://127.0.0.1:${port}`;
}, 60_000);

afterAll(async () => {
  await nginx.stop();
  for (const puller of pullers) puller.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
  builder.remove();
});

describe('four servers behind nginx, sticky by key', () => {
  it(
    `switch ${SWITCHES + ROLLBACKS} times under load: none fails, none goes back, all within a second, walks stay whole`,
    async () => {
      const seen = new Map<string, SeenAnswer[]>(keys.map((key) => [key, []]));
      const clients = keys.map((key) =>
        startClients(
          1,
          key,
          () => `${proxyUrl}/deals/v1/products/?expand=products(cheapestDeal)`,
          (_, answer) => seen.get(key)?.push(answer),
        ),
      );
      const walker = startWalker();
      for (let number = 0; number < SWITCHES + ROLLBACKS; number++) {
        const isRollback = number % 5 === 3 && number / 5 < ROLLBACKS;
        if (isRollback) requireSuccess(await runDeals(['rollback', '--store', builder.store]));
        else await builder.publish(number + 2);
        await push();
        await untilAllServe(published.length - 1);
      }
      await Promise.all(clients.map((client) => client.stop()));
      const walks = await walker.stop();

      expect(clients.flatMap(({ failures }: SteadyClients) => failures)).toEqual([]);
      const answers = [...seen.values()].flat();
      expect(answers.length).toBeGreaterThan(1_000);
      expect(answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body}`)).toEqual([]);
      for (const ofKey of seen.values()) expect(isSubsequence(changesOf(ofKey), published)).toBe(true);
      expect(Math.max(...spreads)).toBeLessThan(MAX_SPREAD_MS);
      expect(walks.faults).toEqual([]);
      expect(walks.whole).toBeGreaterThan(SWITCHES);
      console.info(
        `${answers.length} answers; spread ${Math.max(...spreads)} ms at most; ${walks.whole} walks, ${walks.waited} pages of them waited, ${walks.expired} walks expired`,
      );
    },
    (SWITCHES + ROLLBACKS) * (LEAD_SECONDS + 12) * 1_000 + 60_000,
  );
});

/** How far apart the servers took up each snapshot, in milliseconds. */
const spreads: number[] = [];

/** Waits until each server has taken up as many snapshots as were published after the first. */
async function untilAllServe(switches: number): Promise<void> {
  const taken = () => servers.map((server) => server.events().filter(({ event }) => event === 'snapshot-taken-up'));
  await until(async () => taken().every((events) => events.length > switches), (LEAD_SECONDS + 10) * 1_000);
  const last = taken().map((events) => events[switches] as { readonly snapshot?: string; readonly time?: string });
  expect(new Set(last.map(({ snapshot }) => snapshot))).toEqual(new Set([published.at(-1)]));
  const times = last.map(({ time = '' }) => Date.parse(time));
  spreads.push(Math.max(...times) - Math.min(...times));
}

/** The snapshots that a client saw, each once until another came. */
function changesOf(answers: readonly SeenAnswer[]): string[] {
  return answers.map(({ snapshot }) => snapshot).filter((snapshot, i, all) => snapshot !== all[i - 1]);
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let position = 0;
  for (const each of part) {
    position = whole.indexOf(each, position) + 1;
    if (position === 0) return false;
  }
  return true;
}

/** Walks all pages of one product each, every page at another server, for ever. */
function startWalker() {
  const found = { whole: 0, waited: 0, expired: 0, faults: [] as string[] };
  const stopping = new AbortController();
  let asked = 0;
  const askNext = (target: string) =>
    fetch(`${servers[asked++ % servers.length]?.url}${target}`, { headers: { 'x-api-key': keys[0] ?? '' } });
  const walk = async (): Promise<void> => {
    let target: string | undefined = '/deals/v1/products/?limit=1';
    const [products, snapshots] = [[] as string[], new Set<string | null>()];
    let total = 0;
    while (target !== undefined) {
      const response = await askNext(target);
      const body = (await response.json()) as { readonly products?: object[]; readonly code?: string };
      if (response.status === 503 && body.code === 'snapshot-not-yet') {
        found.waited++;
        if (response.headers.get('retry-after') !== '10') found.faults.push('told to wait for another time');
        await sleep(200);
        continue;
      }
      if (response.status === 410) {
        found.expired++;
        return;
      }
      if (response.status !== 200) found.faults.push(`${target}: ${response.status} ${body.code}`);
      products.push(...(body.products ?? []).map((product) => JSON.stringify(product)));
      snapshots.add(response.headers.get('x-snapshot'));
      total = Number(response.headers.get('x-total-count'));
      target = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      // A walk takes a while: a switch comes in between.
      await sleep(150);
    }
    if (new Set(products).size !== total || products.length !== total)
      found.faults.push(`${products.join()} of ${total}`);
    if (snapshots.size > 1) found.faults.push(`a walk over ${[...snapshots].join(' and ')}`);
    found.whole++;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) await walk();
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      return found;
    },
  };
}
