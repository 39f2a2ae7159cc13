import { setTimeout as sleep } from 'node:timers/promises';
import { openLoadClient, p99, writeRequest } from './load.ts';
import { LARGEST, SHORT, writePlenty } from './plenty.ts';
import { noCacheArgs } from '../program.ts';
import { countDescriptors, serveProgram } from '../running-program.ts';
import { comeSlowly, type SlowKind } from './slow-client.ts';

/** What a crowd of slow clients is tried with. */
export interface SlowTrial {
  readonly kind: SlowKind;
  readonly encoding: string;
  readonly clientCount: number;
  readonly clientsPerSecond: number;
  /** Of the fixture's deals: how large the largest answer is. */
  readonly copies: number;
  /** How long they are watched after the last has come. */
  readonly watchSeconds: number;
}

export interface SlowTrialResult {
  readonly quietP99: number;
  /** Of a healthy client while they come and while they are there. */
  readonly p99: number;
  readonly worst: number;
  /** Answers of the healthy client that were not good. */
  readonly failed: number;
  /** Bytes of the program for each slow client, all of them there: resident, and in use. */
  readonly residentEach: number;
  readonly usedEach: number;
  readonly startedAt: readonly number[];
  /** How many connections were open at which time. */
  readonly open: readonly (readonly [at: number, count: number])[];
}

const HEALTHY = { connections: 20, perSecond: 100 } as const;
const LOOK_EVERY_MS = 250;
const WARMING_CLIENTS = 300;

/** Runs as a program of its own, for a network of its own: prints a `SlowTrialResult`. */
const trial = JSON.parse(process.argv[2] ?? '') as SlowTrial;
process.stdout.write(JSON.stringify(await run(trial)));
process.exit();

async function run({ kind, encoding, clientCount, ...trial }: SlowTrial): Promise<SlowTrialResult> {
  const plenty = await writePlenty(trial.copies);
  // Nothing is answered from memory, so that the healthy client's requests are work.
  const program = await serveProgram({
    ...plenty,
    hasProbe: true,
    nodeArgs: noCacheArgs(),
    args: ['--access-log', 'off'],
  });
  const healthy = await openLoadClient();
  try {
    const task = { ...HEALTHY, url: program.url, request: writeRequest(SHORT, plenty.key) };
    const crowdOptions = { url: program.url, key: plenty.key, target: LARGEST, encoding, bytesPerSecond: 1_024 };
    // The code is warm, and the garbage of so many who come has its room already.
    const warming = await comeSlowly(kind, WARMING_CLIENTS, {
      ...crowdOptions,
      clientsPerSecond: trial.clientsPerSecond,
    });
    await healthy.run({ ...task, perSecond: 1_000, seconds: 3 });
    warming.leave();
    await sleep(500);
    const quiet = await healthy.run({ ...task, seconds: 5 });
    const before = await program.memory();
    const socketsBefore = countDescriptors(program.pid, 'socket');
    const comingSeconds = clientCount / trial.clientsPerSecond;
    // The memory is looked at after that, since collecting garbage stops the program.
    const during = healthy.run({ ...task, seconds: comingSeconds + 0.5 });
    const crowd = await comeSlowly(kind, clientCount, {
      ...crowdOptions,
      clientsPerSecond: trial.clientsPerSecond,
    });
    const open: [number, number][] = [];
    const look = (): unknown => open.push([performance.now(), countDescriptors(program.pid, 'socket') - socketsBefore]);
    const looking = setInterval(look, LOOK_EVERY_MS);
    const there = await during;
    const after = await program.memory();
    await sleep(trial.watchSeconds * 1_000);
    clearInterval(looking);
    crowd.leave();
    return {
      quietP99: p99(quiet),
      p99: p99(there),
      worst: Math.max(...there.good.map(([, tookMs]) => tookMs)),
      failed: there.shed + there.otherStatus + there.lost,
      residentEach: (after.rss - before.rss) / clientCount,
      usedEach: (after.heapUsed + after.external - before.heapUsed - before.external) / clientCount,
      startedAt: crowd.startedAt,
      open,
    };
  } finally {
    healthy.close();
    await program.stop();
    plenty.remove();
  }
}
