import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Load, LoadResult } from './load-result.ts';
import { readAnswer } from './read-answer.ts';
import { parseWrkOutput } from './wrk-output.ts';

const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const OWN_CLIENT = join(import.meta.dirname, 'own-client.ts');

type LoadClient = 'wrk' | 'own';

/** wrk where it is installed, else a client of our own in a process of its own. */
export const LOAD_CLIENT: LoadClient = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'own';

/** Asks a server as fast as it answers, for `seconds`, and tells what it bore. */
export async function measureLoad(load: Load, client: LoadClient = LOAD_CLIENT): Promise<LoadResult> {
  return client === 'wrk' ? runWrk(load) : runOwnClient(load);
}

/** Asks once, for answers so slow that a round of load would hold none: what it took, told as load. */
export async function measureOne({ url, targets, headers }: Load): Promise<LoadResult> {
  const startedAt = performance.now();
  const { status } = await readAnswer(url + targets[0], headers);
  const tookMs = performance.now() - startedAt;
  return { requestsPerSecond: 1000 / tookMs, p50Ms: tookMs, p99Ms: tookMs, failures: status < 400 ? 0 : 1 };
}

/** One thread: the server has the other core. */
async function runWrk({ url, targets, headers = {}, connections, seconds }: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'deals-wrk-'));
  try {
    const script = join(folder, 'targets.lua');
    await writeFile(script, writeScript(targets));
    const headerArgs = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const args = [
      '--threads',
      '1',
      '--connections',
      String(connections),
      '--duration',
      `${Math.ceil(seconds)}s`,
      '--timeout',
      '10s',
    ];
    const { stdout } = await promisify(execFile)('wrk', [
      ...args,
      '--latency',
      ...headerArgs,
      ...(targets.length === 1 ? [] : ['--script', script]),
      url + (targets.length === 1 ? targets[0] : '/'),
    ]);
    return parseWrkOutput(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Requests are made once, before the clock runs. */
function writeScript(targets: readonly string[]): string {
  return `local targets = { ${targets.map((target) => JSON.stringify(target)).join(', ')} }
local requests = {}
local turn = 0
function init()
  for i, target in ipairs(targets) do requests[i] = wrk.format("GET", target) end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
`;
}

async function runOwnClient(load: Load): Promise<LoadResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    LOADER,
    OWN_CLIENT,
    JSON.stringify(load),
  ]);
  return JSON.parse(stdout) as LoadResult;
}
