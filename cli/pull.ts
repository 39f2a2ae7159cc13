import { setTimeout as wait } from 'node:timers/promises';
import { openStore, type RemoteOptions } from '../build/remote/open-store.ts';
import { pullSnapshot, type Look, type PullOptions } from '../build/remote/pull.ts';
import { readKey } from '../build/remote/record.ts';
import { createFolderDurably } from '../data/store/durable-file.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import type { Log } from '../server/log.ts';
import { defineCommand, EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import { option, READ, wholeNumber } from './console/options.ts';
import { REMOTE } from './console/remote-options.ts';
import { resolveStore, type ReadOptions } from './console/store.ts';

interface PullCommandOptions extends ReadOptions, RemoteOptions {
  readonly trust?: string;
  readonly watch?: true;
  readonly every: number;
}

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 3_600;
/** The longest wait after looks that failed: a damaged file is not mended by fetching it every ten seconds. */
const MAX_WAIT_SECONDS = 300;

/** Brings what a builder has pushed into the store of a server. */
export const createPullCommand = defineCommand<PullCommandOptions, [url: string]>({
  name: 'pull',
  description: 'bring the newest snapshot of a remote store into this one, check it, and make it current',
  arguments: [['<url>', 's3://bucket/prefix, https://host/path of the same files, or file:///folder']],
  options: [
    option('--trust <files>', 'take only what one of these public keys has signed, separated by commas').env(
      'DEALS_TRUST',
    ),
    option('--watch', 'go on looking; without it, one look'),
    option('--every <seconds>', 'with --watch: how long between two looks', wholeNumber(1, MAX_SECONDS)).default(
      DEFAULT_SECONDS,
    ),
    ...REMOTE,
    ...READ,
  ],
  note: 'Exit codes without --watch: 1 when something could not be read or written, 3 for what\nis not accepted. The current snapshot stays.',
  examples: [
    'deals pull s3://catalogue/uk --store dist/server-1',
    'deals pull "file://$PWD/dist/remote" --store dist/server-2',
  ],
  run: pull,
});

async function pull(context: Context, options: PullCommandOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  const trusted = (options.trust?.split(',') ?? []).map((file) => readKey(file.trim(), 'public'));
  const remote = openStore(url, options, process.env);
  const store = await resolveStore(options);
  createFolderDurably(store);
  const pulling: PullOptions = { store, remote, trusted, now: () => context.now() };
  if (options.watch === true) return watch(pulling, options.every, createLog(output));
  const look = await pullSnapshot(pulling);
  output.report(options, look, [describeLook(look)]);
  for (const fault of [look.refusal, look.failure]) if (fault !== undefined) output.error(fault);
  if (look.failure !== undefined) return EXIT.failed;
  return look.refusal === undefined ? EXIT.ok : EXIT.refused;
}

/** Looks for ever. It may be killed at any moment. */
async function watch(pulling: PullOptions, everySeconds: number, log: Log): Promise<never> {
  let told: string | undefined;
  let faults = 0;
  for (;;) {
    try {
      const { failure, refusal, hasSwitched, revision, snapshot } = await pullSnapshot(pulling);
      if (hasSwitched) log({ event: 'pull-switched', revision, snapshot });
      const cause = failure ?? refusal;
      // What stays as it is is logged once.
      if (cause !== told) log(cause === undefined ? { event: 'pull-works' } : { event: 'pull-failed', cause });
      told = cause;
      faults = failure === undefined ? 0 : faults + 1;
    } catch (error) {
      if (!(error instanceof StoreBusyError)) throw error;
      log({ event: 'pull-waiting', cause: error.message });
    }
    const waitSeconds = Math.max(everySeconds, Math.min(everySeconds * 2 ** (faults - 1), MAX_WAIT_SECONDS));
    // Servers that were started together do not ask together.
    await wait(waitSeconds * 1_000 * (0.9 + 0.2 * Math.random()));
  }
}

function describeLook({ revision, snapshot, hasSwitched }: Look): string {
  if (snapshot === undefined) return 'nothing is published there yet';
  return hasSwitched
    ? `current: ${snapshot}, revision ${revision}`
    : `nothing new: ${snapshot} is revision ${revision}`;
}
