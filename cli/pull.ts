import { Option } from 'commander';
import { wait } from '../build/remote/object-store.ts';
import { Puller, type Look } from '../build/remote/pull.ts';
import { readTrustedKeys } from '../build/remote/signature.ts';
import { createFolderDurably } from '../data/store/durable-file.ts';
import { StoreBusyError } from '../data/store/lock.ts';
import type { AcceptedRevision } from '../data/store/pull-state.ts';
import type { Log } from '../server/log.ts';
import { CommandError, EXIT, type Context, type ExitCode } from './console/command.ts';
import { createLog } from './console/log.ts';
import { defineCommand, parseWholeNumber, readOptions, resolveStore, type ReadOptions } from './console/options.ts';
import { formatJson, formatLines } from './console/output.ts';
import {
  asUsage,
  openRemoteToRead,
  remoteOptions,
  trustOption,
  withRemoteErrors,
  type RemoteOptions,
} from './console/remote-options.ts';

interface PullCommandOptions extends ReadOptions, RemoteOptions {
  readonly trust?: readonly string[];
  readonly watch?: true;
  readonly every: number;
}

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 3_600;

/** Brings what a builder has pushed into the store of a server. */
export const createPullCommand = defineCommand<PullCommandOptions, [url: string]>({
  name: 'pull',
  description: 'bring the newest snapshot of an object store into this store, verify it, and make it current',
  arguments: [['<url>', 's3://bucket/prefix, https://host/path of the same objects, or file:///folder']],
  options: [
    trustOption('the public keys of the builders, from their .pub files: nothing else is accepted'),
    new Option('--watch', 'go on looking; without it, one look and its switch'),
    new Option('--every <seconds>', 'with --watch: how long between two looks')
      .default(DEFAULT_SECONDS)
      .argParser(parseWholeNumber(1, MAX_SECONDS)),
    ...remoteOptions(),
    ...readOptions(),
  ],
  note: 'Exit codes without --watch: 1 when something could not be read or written, 3 for a\nrecord that is not accepted. The current snapshot stays.',
  examples: [
    'deals pull s3://catalogue/uk --trust dist/signing.pem.pub --store dist/server-1',
    'deals pull "file://$PWD/dist/remote" --trust dist/signing.pem.pub --store dist/server-2',
  ],
  run: pull,
});

async function pull(context: Context, options: PullCommandOptions, url: string): Promise<ExitCode> {
  const { output } = context;
  if (options.trust === undefined) {
    throw new CommandError(
      EXIT.usage,
      '--trust: expected the public key of the builder; it is in the .pub file beside its signing key',
    );
  }
  const trusted = asUsage(() => readTrustedKeys(options.trust ?? []));
  const remote = openRemoteToRead(url, options, context);
  const store = await resolveStore(options);
  createFolderDurably(store);
  const puller = new Puller({ store, remote, trusted, now: () => context.now() });
  return withRemoteErrors(async () => {
    if (options.watch === true) return watch(puller, options.every, createLog(output));
    const look = await pullOnce(puller, (text) => output.message(text));
    if (options.json === true) output.result(formatJson(toJson(look)));
    else if (look.announced !== undefined) output.result(describeLook(look.announced, look.hasSwitched));
    else if (look.failure === undefined && look.refusal === undefined) output.message('nothing is published there yet');
    if (look.refusal !== undefined) output.error(look.refusal);
    if (look.failure !== undefined) output.error(`${look.failure.step}: ${look.failure.message}`);
    if (look.failure !== undefined) return EXIT.failed;
    return look.refusal === undefined ? EXIT.ok : EXIT.refused;
  });
}

/** Looks, and waits until the snapshot that was found is to be shown. */
async function pullOnce(puller: Puller, tell: (text: string) => void): Promise<Look> {
  for (;;) {
    const look = await puller.look();
    const { waitMs } = puller;
    if (look.hasSwitched || waitMs === undefined || (waitMs === 0 && look.failure !== undefined)) return look;
    tell(`${look.announced?.snapshot} is here; servers switch in ${Math.ceil(waitMs / 1_000)} s`);
    await wait(waitMs);
  }
}

/** Looks for ever. It may be killed at any moment. */
async function watch(puller: Puller, everySeconds: number, log: Log): Promise<never> {
  let told = '';
  for (;;) {
    let isFaulty = true;
    try {
      const look = await puller.look();
      const text = JSON.stringify([look.failure, look.refusal]);
      // What stays as it is is logged once.
      if (text !== told) logFaults(look, log);
      told = text;
      isFaulty = look.failure !== undefined;
      if (look.hasSwitched) {
        log({ event: 'pull-switched', revision: look.announced?.revision, snapshot: look.announced?.snapshot });
      }
    } catch (error) {
      if (!(error instanceof StoreBusyError)) throw error;
      log({ event: 'pull-waiting', cause: error.message });
    }
    // Servers that were started together do not ask together.
    const untilNextMs = everySeconds * 1_000 * (0.9 + 0.2 * Math.random());
    await wait(isFaulty ? untilNextMs : Math.min(untilNextMs, puller.waitMs ?? untilNextMs));
  }
}

function logFaults({ failure, refusal }: Look, log: Log): void {
  if (failure !== undefined) log({ event: 'pull-failed', step: failure.step, cause: failure.message });
  if (refusal !== undefined) log({ event: 'pull-refused', cause: refusal });
  if (failure === undefined && refusal === undefined) log({ event: 'pull-works' });
}

function toJson({ announced, hasSwitched, refusal, failure }: Look): object {
  return { switched: hasSwitched, revision: announced?.revision, snapshot: announced?.snapshot, refusal, failure };
}

function describeLook({ revision, snapshot }: AcceptedRevision, hasSwitched: boolean): string {
  return formatLines([
    hasSwitched ? `current: ${snapshot}, revision ${revision}` : `nothing new: ${snapshot} is revision ${revision}`,
  ]);
}
